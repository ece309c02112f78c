/** "waiting on Ana and Ben since 10:42 (12 m)", on a dashed line; once some have answered, how many, and who has not. */
import { useLocale, useTranslations } from 'use-intl'
import { useNames } from '@/components/request'
import { useClockText, useElapsed } from '@/components/ui/Time'
import { WaitLine } from '@/components/ui/WaitLine'
import { formatElapsed } from '@/lib/format'

export function WaitsOn({
  names,
  since,
  still = null,
  className,
}: {
  names: readonly string[]
  since: number
  /** Who waits, and how many of those who were asked have answered; null: nobody has, or it was one. */
  still?: { by: string; n: number; of: number } | null
  className?: string
}) {
  const t = useTranslations('wait')
  const locale = useLocale()
  const namesOf = useNames()
  const clockOf = useClockText()
  const ms = useElapsed(since)
  const who = namesOf(names)
  return (
    <WaitLine className={className}>
      {still
        ? t('still', { ...still, who, time: formatElapsed(ms, locale) })
        : t('on', { who, clock: clockOf(since), time: formatElapsed(ms, locale) })}
    </WaitLine>
  )
}

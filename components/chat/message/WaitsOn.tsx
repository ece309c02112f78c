/** "waiting on Ana and Ben since 10:42 (12 m)" on a dashed line; with the count of answers once there are some. */
import { useLocale, useTranslations } from 'use-intl'
import { useNames } from '@/components/request'
import { useClockText, useElapsed } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { formatElapsed } from '@/lib/format'

type WaitsOnProps = {
  names: readonly string[]
  since: number
  /** by: who waits; n of those asked have answered. null: none has, or one was asked */
  progress?: { by: string; n: number; of: number } | null
  className?: string
}

export function WaitsOn({ names, since, progress = null, className }: WaitsOnProps) {
  const t = useTranslations('wait')
  const locale = useLocale()
  const namesOf = useNames()
  const clockOf = useClockText()
  const ms = useElapsed(since)
  const who = namesOf(names)
  return (
    <WaitLine className={className}>
      {progress
        ? t('still', { ...progress, who, time: formatElapsed(ms, locale) })
        : t('on', { who, clock: clockOf(since), time: formatElapsed(ms, locale) })}
    </WaitLine>
  )
}

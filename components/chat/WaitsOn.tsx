/** "waiting on Ana and Ben since 10:42 (12 m)", on a dashed line. */
import { useLocale, useTranslations } from 'use-intl'
import { useNames } from '@/components/request'
import { useClockText, useElapsed } from '@/components/ui/Time'
import { WaitLine } from '@/components/ui/WaitLine'
import { formatElapsed } from '@/lib/format'

export function WaitsOn({ names, since, className }: { names: readonly string[]; since: number; className?: string }) {
  const t = useTranslations('wait')
  const locale = useLocale()
  const namesOf = useNames()
  const clockOf = useClockText()
  const ms = useElapsed(since)
  return (
    <WaitLine className={className}>
      {t('on', { who: namesOf(names), clock: clockOf(since), time: formatElapsed(ms, locale) })}
    </WaitLine>
  )
}

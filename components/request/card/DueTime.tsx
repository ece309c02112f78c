import { useLocale, useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { formatElapsed } from '@/lib/format'

/** "due in 12 m"; once late, bold: it may expire at any moment. */
export function DueTime({ at }: { at: number }) {
  const t = useTranslations('request')
  const locale = useLocale()
  const coarse = useNow('minutes')
  const now = Math.max(coarse, useNow(Math.abs(at - coarse) < 60_000 ? 'seconds' : null))
  const time = formatElapsed(Math.abs(at - now), locale)
  return at > now ? <span>{t('dueIn', { time })}</span> : <b className="text-waiting">{t('late', { time })}</b>
}

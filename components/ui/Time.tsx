/** Times on screen, all driven by the page's one clock. */
import { useState } from 'react'
import { useLocale } from 'use-intl'
import { useNow } from '@/client/clock'
import { useDisplay } from '@/client/theme'
import { formatClock, formatDuration, formatElapsed, formatFull, formatTime, speakElapsed } from '@/lib/format'

/** How fast something that began at `since` changes on screen; null when it stands still. */
const paceOf = (since: number | null, now: number): 'seconds' | 'minutes' | null =>
  since === null ? null : now - since < 60_000 ? 'seconds' : 'minutes'

/** Milliseconds since a moment, kept up to date at the pace it is shown. */
export function useElapsed(since: number | null): number | null {
  const coarse = useNow(since === null ? null : 'minutes')
  const now = useNow(paceOf(since, coarse))
  return since === null ? null : Math.max(0, Math.max(now, coarse) - since)
}

/** Time passing since a moment: "8 s", "12 m". Not a live region; read aloud in full words. */
export function Elapsed({ since, className }: { since: number; className?: string }) {
  const locale = useLocale()
  const ms = useElapsed(since)
  return (
    <span className={className}>
      <span aria-hidden>{formatElapsed(ms, locale)}</span>
      <span className="sr-only">{speakElapsed(ms, locale)}</span>
    </span>
  )
}

/** A settled length of time: "3.2 s", "4 m 10 s", "—". */
export function Duration({ ms, className }: { ms: number | null; className?: string }) {
  const locale = useLocale()
  return <span className={className}>{formatDuration(ms, locale)}</span>
}

/** A moment: "12 m", "10:42", "Fri 10:42", as the reader's setting says; hover and copy give all of it. */
export function TimeText({ at, isClock = false, className }: { at: number; isClock?: boolean; className?: string }) {
  const locale = useLocale()
  const style = useDisplay((display) => display.time)
  const coarse = useNow('minutes')
  const now = useNow(!isClock && style === 'relative' ? paceOf(at, coarse) : null)
  const context = { locale, style, now: Math.max(now, coarse) }
  // Naming the zone is dear, and a page has dozens of moments: it waits until one is pointed at.
  const [isPointedAt, setPointedAt] = useState(false)
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={isPointedAt ? formatFull(at, context) : undefined}
      onPointerEnter={() => setPointedAt(true)}
      className={className}
    >
      {isClock ? formatClock(at, context) : formatTime(at, context)}
    </time>
  )
}

/** The clock form of a moment as text, for sentences ("Offline since 10:44"). Stands still. */
export function useClockText(): (at: number) => string {
  const locale = useLocale()
  const style = useDisplay((display) => display.time)
  const now = useNow(null)
  return (at) => formatClock(at, { locale, style, now: Math.max(now, at) })
}

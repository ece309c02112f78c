/** Times on screen, all driven by the page's one clock. */
import { useState } from 'react'
import { useLocale } from 'use-intl'
import { useNow } from '@/client/clock'
import { useDisplay } from '@/client/theme'
import {
  formatClock,
  formatDuration,
  formatElapsed,
  formatFull,
  formatTime,
  speakElapsed,
  type TimeContext,
} from '@/lib/format'

/** How often a time since `since` changes on screen; null: never. */
const paceOf = (since: number | null, now: number): 'seconds' | 'minutes' | null =>
  since === null ? null : now - since < 60_000 ? 'seconds' : 'minutes'

/** How the reader wants moments: their language, style and time zone. */
export function useTimeStyle(): Omit<TimeContext, 'now'> {
  const locale = useLocale()
  const style = useDisplay((display) => display.time)
  const zone = useDisplay((display) => display.zone)
  return { locale, style, zone }
}

/** Milliseconds since a moment, updated as often as its text changes. */
export function useElapsed(since: number | null): number | null {
  const coarse = useNow(since === null ? null : 'minutes')
  const now = useNow(paceOf(since, coarse))
  return since === null ? null : Math.max(0, Math.max(now, coarse) - since)
}

/** A running time: "8 s", "12 m". Not a live region; read aloud in full words. */
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

/** A fixed duration: "3.2 s", "4 m 10 s", "—". */
export function Duration({ ms }: { ms: number | null }) {
  const locale = useLocale()
  return <span>{formatDuration(ms, locale)}</span>
}

/** A moment in the reader's setting: "12 m", "10:42", "Fri 10:42"; hover and copy give all of it. */
export function TimeText({ at, isClock = false, className }: { at: number; isClock?: boolean; className?: string }) {
  const how = useTimeStyle()
  const coarse = useNow('minutes')
  const now = useNow(!isClock && how.style === 'relative' ? paceOf(at, coarse) : null)
  const context = { ...how, now: Math.max(now, coarse) }
  // Formatting the zone is slow, and a page has dozens of moments: done on hover.
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

/** A moment as clock text, for sentences ("Offline since 10:44"). It is not updated. */
export function useClockText(): (at: number) => string {
  const how = useTimeStyle()
  const now = useNow(null)
  return (at) => formatClock(at, { ...how, now: Math.max(now, at) })
}

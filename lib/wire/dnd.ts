/** Do not disturb: whether it is on at a moment, and until when. Pure. */
import type { DndSettings } from './http'

export const NO_DND: DndSettings = { isOn: false, until: null, daily: null, urgentBreaksThrough: true }

/** isResting: it is on now; until: epoch ms of its automatic end, null: none. */
export type DndNow = { isResting: boolean; until: number | null }

const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/** Minutes after midnight of "22:00"; null when it is no time. */
export function minutesOf(time: string): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes)
}

/** in: now: epoch ms; minutesNow: minutes after midnight in the member's time */
export function dndAt(rest: DndSettings, now: number, minutesNow: number): DndNow {
  const byHand: DndNow =
    rest.isOn && (rest.until === null || now < rest.until)
      ? { isResting: true, until: rest.until }
      : { isResting: false, until: null }
  const left = rest.daily === null ? 0 : minutesLeft(rest.daily, minutesNow)
  if (left === 0) return byHand
  const ends = now + left * MINUTE_MS - (now % MINUTE_MS)
  const isForever = byHand.isResting && byHand.until === null
  return { isResting: true, until: isForever ? null : Math.max(ends, byHand.until ?? 0) }
}

/** Minutes until the daily hours end; 0: not now, or invalid times. */
function minutesLeft({ from, to }: { from: string; to: string }, minutesNow: number): number {
  const begin = minutesOf(from)
  const end = minutesOf(to)
  if (begin === null || end === null || begin === end) return 0
  const length = (end - begin + DAY_MINUTES) % DAY_MINUTES
  const gone = (minutesNow - begin + DAY_MINUTES) % DAY_MINUTES
  return gone < length ? length - gone : 0
}

/** Times of a schedule: a cron line of five fields in a time zone. Pure: the time it counts from comes in. */
import { Cron } from 'croner'
import type { ScheduleTimes } from '../records'

/** The shortest time between two requests of a schedule. */
const SCHEDULE_GAP_MS = 3_600_000
/** How many of the next times are checked for the gap. */
const LOOKED_AT = 60

/** The next time after `from`; null: never, or the line cannot be read. Epoch ms. */
export function nextTime({ cron, timeZone }: ScheduleTimes, from: number): number | null {
  return read({ cron, timeZone })?.nextRun(new Date(from))?.getTime() ?? null
}

/** Why a schedule cannot have these times; null: it can. */
export function unfitTimes(times: ScheduleTimes, from: number): 'cron' | 'timeZone' | 'never' | 'often' | null {
  if (!isTimeZone(times.timeZone)) return 'timeZone'
  const runs = read(times)?.nextRuns(LOOKED_AT, new Date(from))
  if (runs === undefined) return 'cron'
  if (runs.length === 0) return 'never'
  const isOften = runs.some((run, at) => {
    const before = runs[at - 1]
    return before !== undefined && run.getTime() - before.getTime() < SCHEDULE_GAP_MS
  })
  return isOften ? 'often' : null
}

/** Five fields: minute, hour, day of the month, month, day of the week. */
function read({ cron, timeZone }: ScheduleTimes): Cron | null {
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true })
  } catch {
    return null
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

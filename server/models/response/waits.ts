/** How long a model server asks to wait before the next try: in headers, in fields of its report, or in its sentence. */
import type { ServerError } from './serverError'

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const SECOND = 1_000
/** A number above this is a time, not a number of seconds: the first is a time in seconds since 1970, the second in ms. */
const LEAST_EPOCH_S = 1_000_000_000
const LEAST_EPOCH_MS = 1_000_000_000_000

/**
 * The wait that is asked for; null: none, or one that is over.
 *
 * in      headers in lower case; the report; epoch ms
 * units   ms. An explicit wait counts before one that is computed from the reset of a limit
 */
export function waitAsked(headers: Headers, error: ServerError, now: number): number | null {
  return (
    explicitWait(headers, now) ?? waitInFields(error, now) ?? waitInSentence(error.sentence) ?? resetIn(headers, now)
  )
}

function explicitWait(headers: Headers, now: number): number | null {
  const ms = one(headers['retry-after-ms'])?.trim()
  if (ms && /^\d+(\.\d+)?$/.test(ms)) return Number(ms)
  return retryAfterMs(one(headers['retry-after']), now)
}

/** in: Retry-After, in seconds or as a date; now: epoch ms. out: ms; null: it is neither */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim()
  if (!text) return null
  const duration = durationMs(text)
  if (duration !== null) return duration
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

const IN_MS = ['retry_after_ms', 'retryafterms', 'retry-after-ms']
const IN_SECONDS = ['retry_after', 'retryafter', 'retry-after', 'retry_after_seconds', 'retrydelay', 'estimated_time']

function waitInFields({ fields }: ServerError, now: number): number | null {
  for (const key of IN_MS) {
    const ms = Number(fields.get(key) ?? Number.NaN)
    if (ms >= 0) return ms
  }
  for (const key of IN_SECONDS) {
    const value = fields.get(key)
    const ms = value === undefined ? null : retryAfterMs(String(value), now)
    if (ms !== null) return ms
  }
  // A gateway repeats the headers of the server behind it in its report.
  return resetIn(Object.fromEntries([...fields].map(([key, value]) => [key, String(value)])), now)
}

const ASKS_TO_WAIT = /\b(?:try again|retry|wait)\b(?: again| your request)?(?: in| after| for)?:? (?=\d)/i
const DURATION = /^(?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|h|hours?|m|min|minutes?|s|sec|seconds?)(?![a-z]) ?)+/i

/** "Please try again in 1m7.66s", "retry after 20 seconds", "in 350ms". */
function waitInSentence(sentence: string): number | null {
  const asked = ASKS_TO_WAIT.exec(sentence)
  const found = asked && DURATION.exec(sentence.slice(asked.index + asked[0].length))
  return found ? durationMs(found[0].trim()) : null
}

/** The next reset of a limit that is used up, or of the first of all when none is known to be. */
function resetIn(headers: Headers, now: number): number | null {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    if (!/ratelimit.*reset/.test(name)) return []
    const at = timeUntil(one(value), now)
    if (at === null) return []
    const remaining = one(headers[name.replace('reset', 'remaining')])
    return [{ at, isUsedUp: remaining !== undefined && Number(remaining) === 0, isOpen: Number(remaining) > 0 }]
  })
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp)
  if (usedUp.length > 0) return Math.max(...usedUp.map(({ at }) => at))
  const rest = resets.filter(({ isOpen }) => !isOpen)
  return rest.length > 0 ? Math.min(...rest.map(({ at }) => at)) : null
}

/** A reset as servers write it: seconds, a duration, a date, a time since 1970 in seconds or ms. null: over, or none of these */
function timeUntil(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? ''
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
  const ms =
    number === null || number < LEAST_EPOCH_S
      ? retryAfterMs(text, now)
      : (number < LEAST_EPOCH_MS ? number * SECOND : number) - now
  return ms !== null && ms > 0 ? ms : null
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3_600 * SECOND,
  d: 86_400 * SECOND,
}
const PART = /(\d+(?:\.\d+)?)\s?([a-z]+)/gi

/** `7`, `7.5s`, `2m59.56s`, `350ms`, `20 seconds`, `1 minute`. out: ms; null: no duration */
function durationMs(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * SECOND
  if (!/^(?:\d+(?:\.\d+)?\s?[a-z]+\s?)+$/i.test(text)) return null
  let sum = 0
  for (const [, number, unit] of text.matchAll(PART)) {
    const name = unit?.toLowerCase() ?? ''
    const size = name === 'ms' || name.startsWith('milli') ? UNITS.ms : UNITS[name.charAt(0)]
    if (size === undefined) return null
    sum += Number(number) * size
  }
  return sum
}

/** Interprets error responses of model servers. */
import type { IncomingHttpHeaders } from 'node:http'
import { oneLine } from '@/lib/format/plainText'
import { jsonValueOf } from '@/lib/json'
import { retryAfterMs } from './backOff'
import { ModelError, type ModelErrorCode, type ModelTrouble } from './model'

/** Bytes of an error body that are read. */
export const ERROR_BYTES = 65_536
const LONGEST_SENTENCE = 300

type Meaning = { code: ModelErrorCode; trouble: ModelTrouble; again: boolean }

type FailedAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: string
  key: string | null
  now: number
}

/** in: the response; the key, which must not be repeated. out: the fault, with the server's own message if it gives one */
export function modelErrorOf({ status, headers, body, key, now }: FailedAnswer): ModelError {
  const said = providerSentenceOf(body, key)
  const { code, trouble, again } = meaningOf(status, body)
  // A message about a key may quote parts of it.
  const isQuiet = trouble === 'keyRefused' || said === ''
  const message = `${headlineOf(status)}${isQuiet ? '' : `: ${said}`}`
  return new ModelError(code, message, again, again ? waitAsked(headers, now) : null, {
    trouble,
    status,
  })
}

/** ms; null: the server asks for no wait. Some servers also say it in ms, which is more exact. */
function waitAsked(headers: IncomingHttpHeaders, now: number): number | null {
  const ms = headers['retry-after-ms']
  return typeof ms === 'string' && /^\d+(\.\d+)?$/.test(ms) ? Number(ms) : retryAfterMs(headers['retry-after'], now)
}

function meaningOf(status: number, body: string): Meaning {
  const refused = (trouble: ModelTrouble): Meaning => ({ code: 'MODEL_REFUSED', trouble, again: false })
  if (status === 401 || status === 403) return refused('keyRefused')
  if (status === 402) return refused('outOfCredit')
  if (status === 404) return refused(/model/i.test(body) ? 'modelUnknown' : 'addressWrong')
  if (status === 405 || (status >= 300 && status < 400)) return refused('addressWrong')
  if (status === 408 || status === 504) return { code: 'MODEL_TIME_LIMIT', trouble: 'timeLimit', again: true }
  // An exhausted account has the status of too many calls, but waiting does not help.
  if (status === 429 && /insufficient_quota|billing/i.test(body)) return refused('outOfCredit')
  if (status === 429 || status === 425) return { code: 'MODEL_RATE_LIMITED', trouble: 'tooMany', again: true }
  if (status >= 500) return { code: 'MODEL_UNREACHABLE', trouble: 'serverBroken', again: true }
  return refused(/model/i.test(body) && /not (found|exist)/i.test(body) ? 'modelUnknown' : 'requestRefused')
}

function headlineOf(status: number): string {
  if (status === 401 || status === 403) return `the server does not accept the key (${status})`
  if (status === 429) return 'too many requests (429)'
  return `the server answered ${status}`
}

/** The message of an error: one line, shortened, without the key. */
export function providerSentenceOf(body: string, key: string | null): string {
  const text = messageIn(body) ?? (/^\s*</.test(body) ? '' : body)
  const line = oneLine(text)
  return withoutKey(line, key).slice(0, LONGEST_SENTENCE)
}

/** Servers repeat the key in their errors. */
const withoutKey = (text: string, key: string | null): string => (key ? text.replaceAll(key, '***') : text)

/** {"error": {"message"}} or {"error": "…"} or {"message": "…"}. */
function messageIn(body: string): string | null {
  let found: unknown = jsonValueOf(body)
  for (let depth = 0; depth < 3; depth += 1) {
    if (typeof found === 'string') return found
    if (typeof found !== 'object' || found === null) return null
    found = Reflect.get(found, 'message') ?? Reflect.get(found, 'error') ?? Reflect.get(found, 'detail')
  }
  return typeof found === 'string' ? found : null
}

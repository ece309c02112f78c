/** Calls to the HTTP interface, with refusals as values. No other file of the page calls fetch. */
import type { FaultBody } from '@/lib/faults'
import { fieldsIn } from '@/lib/json'
import type { CommandAnswer, CommandHead } from '@/lib/wire/http'
import { askPassword } from './account/confirming'
import { pageClock } from './clock'

/**
 * No answer: whether the command was done is unknown; it may be repeated under the same id.
 *
 * It has no message: people read useFaultWords. detail: the browser's own text, for support.
 */
type NoAnswer = { error: 'NO_ANSWER'; status_code: 0; detail: string }
export type CallRefused = FaultBody | NoAnswer
export type ApiResult<T> = { ok: true; value: T } | { ok: false; fault: CallRefused }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The server refuses a command that arrives later than this, such as one of a page that was suspended. */
const COMMAND_LIFETIME_MS = 30_000

/** A command id, a UUID; crypto.randomUUID is missing on pages over plain http from another host. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, at) => {
    const set = at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte
    return set.toString(16).padStart(2, '0')
  })
  const part = (from: number, to: number): string => hex.slice(from, to).join('')
  return `${part(0, 4)}-${part(4, 6)}-${part(6, 8)}-${part(8, 10)}-${part(10, 16)}`
}

/** Until when a command sent now may be done: server time, epoch ms. */
export const commandDeadline = (): number => pageClock.now() + COMMAND_LIFETIME_MS

export const noAnswer = (detail = ''): NoAnswer => ({ error: 'NO_ANSWER', status_code: 0, detail })

/** A refusal of this server repeats its HTTP status; an answer of a proxy does not. */
function isFaultBody(said: unknown, status: number): said is FaultBody {
  const { error, message, status_code } = fieldsIn(said)
  return typeof error === 'string' && typeof message === 'string' && status_code === status
}

/** in: any JSON. out: the server's refusal, or NO_ANSWER when it is none. */
export const readFault = (status: number, said: unknown): CallRefused =>
  isFaultBody(said, status) ? said : noAnswer(`status ${status}`)

/** Throws when there is no answer. */
const ask = (
  method: Method,
  path: string,
  body?: unknown,
  options?: Pick<RequestInit, 'keepalive'>,
): Promise<Response> =>
  fetch(path, {
    ...options,
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })

/** null: what was answered is no JSON. */
const jsonOf = (answer: Response): Promise<unknown> => answer.json().catch(() => null)

/** in: read: what is in an answer that is no refusal; null: it is none */
async function resultOf<T>(
  asked: Promise<Response>,
  read: (answer: Response) => Promise<T | null>,
): Promise<ApiResult<T>> {
  try {
    const answer = await asked
    const value = answer.ok ? await read(answer) : null
    if (value !== null) return { ok: true, value }
    return { ok: false, fault: readFault(answer.status, answer.ok ? null : await jsonOf(answer)) }
  } catch (error) {
    return { ok: false, fault: noAnswer(String(error)) }
  }
}

const callOnce = <T>(
  method: Method,
  path: string,
  body?: unknown,
  options?: Pick<RequestInit, 'keepalive'>,
): Promise<ApiResult<T>> => resultOf(ask(method, path, body, options), (answer) => jsonOf(answer) as Promise<T | null>)

let hearCall: (path: string) => void = () => undefined
/** in: hear: is given the path of each call that may have changed something, when its answer is there */
export const onCall = (hear: (path: string) => void): void => {
  hearCall = hear
}

/**
 * Where the server wants the password first, the person is asked for it, and the same call is sent again.
 *
 * in      keepalive: sent although the page closes; for bodies under 64 KiB
 */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  options?: Pick<RequestInit, 'keepalive'>,
): Promise<ApiResult<T>> {
  const answer = await callConfirmed<T>(method, path, body, options)
  if (method !== 'GET') hearCall(path)
  return answer
}

async function callConfirmed<T>(...[method, path, body, options]: Parameters<typeof call>): Promise<ApiResult<T>> {
  const answer = await callOnce<T>(method, path, body, options)
  if (answer.ok || answer.fault.error !== 'CONFIRM_PASSWORD' || path === CONFIRM) return answer
  const { hasPassword } = fieldsIn(answer.fault.details)
  return (await askPassword(hasPassword === true)) ? callOnce<T>(method, path, inTime(body), options) : answer
}
export const CONFIRM = '/api/sessions/confirm'

/** A command whose time has passed while the password was typed gets a new one. */
const inTime = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'until' in body ? { ...body, until: commandDeadline() } : body

export const callForBytes = (path: string): Promise<ApiResult<Blob>> =>
  resultOf(ask('GET', path), (answer) => answer.blob())

/** Call a protocol adapter, whose refusals have a `message` alone. why: that message; null when there is none. */
export async function callAdapter<T>(
  method: Method,
  path: string,
  body?: unknown,
): Promise<{ ok: true; value: T } | { ok: false; why: string | null }> {
  try {
    const answer = await ask(method, path, body)
    const said = await jsonOf(answer)
    if (answer.ok && said !== null) return { ok: true, value: said as T }
    const { message } = fieldsIn(said)
    return { ok: false, why: typeof message === 'string' ? message : null }
  } catch {
    return { ok: false, why: null }
  }
}

/** Send a command. in: head: passed by callers that may repeat it; the server does one id once. */
export const command = <T = CommandAnswer>(
  path: string,
  body: Record<string, unknown> = {},
  head: CommandHead = { id: newId(), until: commandDeadline() },
): Promise<ApiResult<T>> => call('POST', path, { ...body, ...head })

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Some browsers refuse more arguments in one call. */
const CHUNK = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** Calls to the HTTP interface, with refusals as values. No other file of the page calls fetch. */

import type { FaultBody } from '@/lib/faults'
import type { CommandAnswer, CommandHead } from '@/lib/wire/http'
import { pageClock } from './clock'

/** No answer at all: whether it was done is not known; the same command may be repeated. */
export type NoAnswer = { error: 'NO_ANSWER'; message: string; status_code: 0 }
export type CallRefused = FaultBody | NoAnswer
export type CallResult<T> = { ok: true; value: T } | { ok: false; fault: CallRefused }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A command that comes later than this is not done: nobody acts on a page that slept. */
const LASTS_MS = 30_000

/** An id for one act; randomUUID is missing where the page came over plain http from another host. */
export function newId(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
): string {
  const bytes = random(new Uint8Array(16))
  const hex = [...bytes].map((byte, at) => {
    const set = at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte
    return set.toString(16).padStart(2, '0')
  })
  const part = (from: number, to: number): string => hex.slice(from, to).join('')
  return `${part(0, 4)}-${part(4, 6)}-${part(6, 8)}-${part(8, 10)}-${part(10, 16)}`
}

/** Past this the server no longer does what was wished; by its own clock, as the last beat told it. */
export const untilNow = (): number => pageClock.now() + LASTS_MS

const noAnswer = (message: string): NoAnswer => ({ error: 'NO_ANSWER', message, status_code: 0 })

/** A refusal of ours: it names its code and says again with what status it came; something between us and the server does not. */
const isFaultBody = (said: unknown, status: number): said is FaultBody =>
  typeof said === 'object' &&
  said !== null &&
  'error' in said &&
  typeof said.error === 'string' &&
  'message' in said &&
  typeof said.message === 'string' &&
  'status_code' in said &&
  said.status_code === status

/** in: what came back, any JSON. out: the server's refusal. */
export const readFault = (status: number, said: unknown): CallRefused =>
  isFaultBody(said, status) ? said : noAnswer(`status ${status}`)

/** Throws when nothing came back. */
async function ask(
  method: Method,
  path: string,
  body: unknown,
): Promise<{ isOk: boolean; status: number; said: unknown }> {
  const answer = await fetch(path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const said: unknown = await answer.json().catch(() => null)
  return { isOk: answer.ok && said !== null, status: answer.status, said }
}

/** One call; never throws. */
export async function call<T>(method: Method, path: string, body?: unknown): Promise<CallResult<T>> {
  try {
    const { isOk, status, said } = await ask(method, path, body)
    return isOk ? { ok: true, value: said as T } : { ok: false, fault: readFault(status, said) }
  } catch (error) {
    return { ok: false, fault: noAnswer(error instanceof Error ? error.message : '') }
  }
}

/** A call of an interface that other systems use too; its refusals are sentences of its own. why: null when nothing came back. */
export async function callFace<T>(
  method: Method,
  path: string,
  body?: unknown,
): Promise<{ ok: true; value: T } | { ok: false; why: string | null }> {
  try {
    const { isOk, said } = await ask(method, path, body)
    if (isOk) return { ok: true, value: said as T }
    const why = said !== null && typeof said === 'object' && 'message' in said ? said.message : null
    return { ok: false, why: typeof why === 'string' ? why : null }
  } catch {
    return { ok: false, why: null }
  }
}

/**
 * Put a command to the server.
 *
 * in      head: kept by a caller that may repeat it; the same id is the same act and is done once
 */
export const command = <T = CommandAnswer>(
  path: string,
  body: Record<string, unknown> = {},
  head: CommandHead = { id: newId(), until: untilNow() },
): Promise<CallResult<T>> => call('POST', path, { ...body, ...head })

/** HTTP calls for signing in and out, the own account, passwords, settings and people. */
import { fieldsIn } from '@/lib/json'
import type { BindAnswer, Health, LinkAnswer, Me, SessionsEnded, Settings, SignedIn } from '@/lib/wire'
import { type ApiResult, type CallRefused, call } from '../api'

/** A refusal is a value, not an exception. */
export type AccountResult<T> =
  | { ok: true; value: T }
  /** status 0: no answer. waitS: seconds until the next try is allowed (429). */
  | { ok: false; status: number; code: string; message: string; waitS: number | null }

function accountResultOf<T>(answer: ApiResult<T>): AccountResult<T> {
  if (answer.ok) return answer
  const { fault } = answer
  // A browser's own text about a lost connection is not for people.
  const message = fault.error === 'NO_ANSWER' ? '' : fault.message
  return { ok: false, status: fault.status_code, code: fault.error, message, waitS: retryAfterOf(fault) }
}

/** Seconds until the next try, as the refusal names them; null: it names none. */
function retryAfterOf(fault: CallRefused): number | null {
  const { seconds } = 'details' in fault ? fieldsIn(fault.details) : {}
  return typeof seconds === 'number' && seconds > 0 ? seconds : null
}

const request = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<AccountResult<T>> =>
  accountResultOf(await call<T>(method, path, body))

export const getMe = (): Promise<AccountResult<Me>> => request('GET', '/api/me')
export const getHealth = (): Promise<AccountResult<Health>> => request('GET', '/api/health')

export const signIn = (id: string, password: string): Promise<AccountResult<BindAnswer>> =>
  request('POST', '/api/bind_human_agent', { human_agent_id: id, password })
export const signInByLink = (token: string): Promise<AccountResult<SignedIn>> =>
  request('POST', '/api/sessions/link', { token })
export const signOutSession = (): Promise<AccountResult<SessionsEnded>> => request('POST', '/api/sessions/end', {})

/** The server's own limit, which it checks again. */
export const PASSWORD_MIN_LENGTH = 8
/** Set my password; `current` is null only while there is none. Ends my other sessions. */
export const changePassword = (current: string | null, next: string): Promise<AccountResult<SessionsEnded>> =>
  request('PUT', '/api/me/password', { current, next })
export const putSettings = (settings: Settings): Promise<AccountResult<Settings>> =>
  request('PUT', '/api/me/settings', settings)

const person = (id: string, act: string): string => `/api/people/${encodeURIComponent(id)}/${act}`
export const makeLink = (id: string): Promise<AccountResult<LinkAnswer>> => request('POST', person(id, 'link'), {})
export const resetPassword = (id: string): Promise<AccountResult<LinkAnswer>> =>
  request('POST', person(id, 'reset'), {})
export const signOutPerson = (id: string): Promise<AccountResult<SessionsEnded>> =>
  request('POST', person(id, 'sign-out'), {})

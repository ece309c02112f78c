/** The account's end of the HTTP interface: signing in and out, who I am, passwords, settings, people. */
import type { BindAnswer, Health, LinkAnswer, Me, PeopleAnswer, SessionsEnded, Settings, SignedIn } from '@/lib/wire'
import { type CallRefused, type CallResult, call } from '../api'

/** What a call came to. A refusal is a value: the page says it and goes on. */
export type AccountResult<T> =
  | { ok: true; value: T }
  /** status 0: no answer at all. waitS: how long to leave it alone (429). */
  | { ok: false; status: number; code: string; message: string; waitS: number | null }

/** What came of a call, in the words of the account's screens. */
function outcomeOf<T>(answer: CallResult<T>): AccountResult<T> {
  if (answer.ok) return answer
  const { fault } = answer
  // What a browser says of a lost line is no sentence for people.
  const message = fault.error === 'NO_ANSWER' ? '' : fault.message
  return { ok: false, status: fault.status_code, code: fault.error, message, waitS: waitOf(fault) }
}

/** Seconds that a refusal names; null when it names none. */
function waitOf(fault: CallRefused): number | null {
  const details = 'details' in fault && typeof fault.details === 'object' && fault.details !== null ? fault.details : {}
  return 'seconds' in details && typeof details.seconds === 'number' && details.seconds > 0 ? details.seconds : null
}

const ask = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<AccountResult<T>> =>
  outcomeOf(await call<T>(method, path, body))

export const getMe = (): Promise<AccountResult<Me>> => ask('GET', '/api/me')
export const getHealth = (): Promise<AccountResult<Health>> => ask('GET', '/api/health')

/** Sign in with an id (uuid, configured id or StateID) and a password; the session comes as a cookie. */
export const signIn = (id: string, password: string): Promise<AccountResult<BindAnswer>> =>
  ask('POST', '/api/bind_human_agent', { human_agent_id: id, password })
/** Sign in with a link that works once. */
export const signInByLink = (token: string): Promise<AccountResult<SignedIn>> =>
  ask('POST', '/api/sessions/link', { token })
export const signOutSession = (): Promise<AccountResult<SessionsEnded>> => ask('POST', '/api/sessions/end', {})

/** The server takes none that is shorter; it says so itself when this number is out of date. */
export const PASSWORD_MIN_LENGTH = 8
/** Set my password; `current` is null only while there is none. My other sessions end. */
export const changePassword = (current: string | null, next: string): Promise<AccountResult<SessionsEnded>> =>
  ask('PUT', '/api/me/password', { current, next })
/** Change some settings; what is not named stays. */
export const putSettings = (settings: Settings): Promise<AccountResult<Settings>> =>
  ask('PUT', '/api/me/settings', settings)

export const getPeople = (): Promise<AccountResult<PeopleAnswer>> => ask('GET', '/api/people')
const person = (id: string, act: string): string => `/api/people/${encodeURIComponent(id)}/${act}`
/** A link that signs somebody in, once. */
export const makeLink = (id: string): Promise<AccountResult<LinkAnswer>> => ask('POST', person(id, 'link'), {})
/** Take a password away, end all sessions, and make a link. */
export const resetPassword = (id: string): Promise<AccountResult<LinkAnswer>> => ask('POST', person(id, 'reset'), {})
export const signOutPerson = (id: string): Promise<AccountResult<SessionsEnded>> =>
  ask('POST', person(id, 'sign-out'), {})

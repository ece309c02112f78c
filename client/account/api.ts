/**
 * The account's end of the HTTP interface: signing in and out, who I am, passwords, settings, people.
 *
 * Owns: these calls and what a call can come to. Not here: what they mean for the page (session.ts), commands (the outbox).
 */
import type { BindAnswer, Health, LinkAnswer, Me, PeopleAnswer, SessionsEnded, Settings, SignedIn } from '@/lib/wire'

/** What a call came to. A refusal is a value: the page says it and goes on. */
export type Outcome<T> =
  | { ok: true; value: T }
  /** status 0: no answer at all. waitS: how long to leave it alone (429). */
  | { ok: false; status: number; code: string; message: string; waitS: number | null }

type RefusalBody = { error?: unknown; message?: unknown }

async function call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Outcome<T>> {
  let answer: Response
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? undefined : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
    })
  } catch {
    return { ok: false, status: 0, code: 'UNREACHABLE', message: '', waitS: null }
  }
  // Something between us and the server may answer in its own words.
  const said: unknown = await answer.json().catch(() => null)
  if (answer.ok && said !== null) return { ok: true, value: said as T }
  const refusal: RefusalBody = typeof said === 'object' && said !== null ? said : {}
  const waitS = Number(answer.headers.get('retry-after'))
  return {
    ok: false,
    status: answer.ok ? 0 : answer.status,
    code: typeof refusal.error === 'string' ? refusal.error : 'UNREACHABLE',
    message: typeof refusal.message === 'string' ? refusal.message : '',
    waitS: Number.isFinite(waitS) && waitS > 0 ? waitS : null,
  }
}

export const getMe = (): Promise<Outcome<Me>> => call('GET', '/api/me')
export const getHealth = (): Promise<Outcome<Health>> => call('GET', '/api/health')

/** Sign in with an id (uuid, configured id or StateID) and a password; the session comes as a cookie. */
export const signIn = (id: string, password: string): Promise<Outcome<BindAnswer>> =>
  call('POST', '/api/bind_human_agent', { human_agent_id: id, password })
/** Sign in with a link that works once. */
export const signInByLink = (token: string): Promise<Outcome<SignedIn>> => call('POST', '/api/sessions/link', { token })
export const endSession = (): Promise<Outcome<SessionsEnded>> => call('POST', '/api/sessions/end', {})

/** The server takes none that is shorter; it says so itself when this number is out of date. */
export const SHORTEST_PASSWORD = 8
/** Set my password; `current` is null only while there is none. My other sessions end. */
export const putPassword = (current: string | null, next: string): Promise<Outcome<SessionsEnded>> =>
  call('PUT', '/api/me/password', { current, next })
/** Change some settings; what is not named stays. */
export const putSettings = (settings: Settings): Promise<Outcome<Settings>> => call('PUT', '/api/me/settings', settings)

export const getPeople = (): Promise<Outcome<PeopleAnswer>> => call('GET', '/api/people')
const person = (id: string, act: string): string => `/api/people/${encodeURIComponent(id)}/${act}`
/** A link that signs somebody in, once. */
export const makeLink = (id: string): Promise<Outcome<LinkAnswer>> => call('POST', person(id, 'link'), {})
/** Take a password away, end all sessions, and make a link. */
export const resetPassword = (id: string): Promise<Outcome<LinkAnswer>> => call('POST', person(id, 'reset'), {})
export const signOutPerson = (id: string): Promise<Outcome<SessionsEnded>> => call('POST', person(id, 'sign-out'), {})

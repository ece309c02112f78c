/** HTTP calls for signing in and out, the own account, passwords, settings and people. */
import { fieldsIn } from '@/lib/json'
import type {
  BindAnswer,
  Confirmed,
  Health,
  LinkAnswer,
  MadeAnswer,
  MadeToken,
  Me,
  PostToken,
  SessionsEnded,
  Settings,
  SignedIn,
  WaysToSignIn,
} from '@/lib/wire'
import { type ApiResult, type CallRefused, CONFIRM, call } from '../api'

/** Seconds until the next try, as a refusal (429) names them; null: it names none. */
export function retryAfterOf(fault: CallRefused): number | null {
  const { seconds } = 'details' in fault ? fieldsIn(fault.details) : {}
  return typeof seconds === 'number' && seconds > 0 ? seconds : null
}

export const getMe = (): Promise<ApiResult<Me>> => call('GET', '/api/me')
export const getHealth = (): Promise<ApiResult<Health>> => call('GET', '/api/health')

export const signIn = (id: string, password: string): Promise<ApiResult<BindAnswer>> =>
  call('POST', '/api/bind_human_agent', { human_agent_id: id, password })
export const signInByLink = (token: string): Promise<ApiResult<SignedIn>> =>
  call('POST', '/api/sessions/link', { token })
export const getWaysToSignIn = (): Promise<ApiResult<WaysToSignIn>> => call('GET', '/api/sign-in')
/** Where the browser goes to sign in by a provider. back: a path of the console; again: they show who they are once more */
export const signInAddress = (provider: string, back: string, again = false): string =>
  `/api/sign-in/${encodeURIComponent(provider)}?${new URLSearchParams({ back, ...(again ? { again: '1' } : {}) })}`
export const signOutSession = (): Promise<ApiResult<SessionsEnded>> => call('POST', '/api/sessions/end', {})

/** The server's own limit, which it checks again. */
export const PASSWORD_MIN_LENGTH = 12
/** Set my password; `current` is null only while there is none. Ends my other sessions. */
export const changePassword = (current: string | null, next: string): Promise<ApiResult<SessionsEnded>> =>
  call('PUT', '/api/me/password', { current, next })
/** Type my password again, for acts that give access. */
export const confirmPassword = (password: string): Promise<ApiResult<Confirmed>> => call('POST', CONFIRM, { password })

export const mySessionsPath = '/api/me/sessions'
export const endMySession = (id: string): Promise<ApiResult<SessionsEnded>> =>
  call('DELETE', `${mySessionsPath}/${encodeURIComponent(id)}`)
export const endMyOtherSessions = (): Promise<ApiResult<SessionsEnded>> => call('DELETE', mySessionsPath)

export const myTokensPath = '/api/me/tokens'
export const makeToken = (made: PostToken): Promise<ApiResult<MadeToken>> => call('POST', myTokensPath, made)
export const revokeToken = (id: string): Promise<ApiResult<MadeAnswer>> =>
  call('DELETE', `${myTokensPath}/${encodeURIComponent(id)}`)

/** Everything that the server holds about me: a file to save. */
export const myDataPath = '/api/me/data'

export const putSettings = (settings: Settings): Promise<ApiResult<Settings>> =>
  call('PUT', '/api/me/settings', settings)

const person = (id: string, act: string): string => `/api/people/${encodeURIComponent(id)}/${act}`
export const makeLink = (id: string): Promise<ApiResult<LinkAnswer>> => call('POST', person(id, 'link'), {})
export const resetPassword = (id: string): Promise<ApiResult<LinkAnswer>> => call('POST', person(id, 'reset'), {})
export const signOutPerson = (id: string): Promise<ApiResult<SessionsEnded>> => call('POST', person(id, 'sign-out'), {})

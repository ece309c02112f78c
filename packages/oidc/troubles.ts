/** What went wrong with a provider: it is away, it refused, or its answer cannot be accepted. */
import * as client from 'openid-client'
import { Fault } from '@/lib/faults'
import { errorMessage } from '@/server/shared/errors'

/** Answers to a refresh that say that the sign-in is over; others say that something is wrong with us, or there. */
const OVER = new Set(['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required'])
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT'])

/** in: name: of the provider. out: the Fault for a sign-in that failed */
export function signInFault(name: string, error: unknown): Fault {
  if (error instanceof Fault) return error
  const why = whyOf(error)
  if (isAway(error)) return new Fault('PROVIDER_UNREACHABLE', { name, why })
  if (error instanceof client.AuthorizationResponseError) return new Fault('PROVIDER_REFUSED', { name, why })
  return new Fault('SIGN_IN_UNFIT', { name, why })
}

/** Does an answer to a refresh, or of userinfo, say that the person may not sign in any more? */
export const isEnded = (error: unknown): boolean =>
  error instanceof client.WWWAuthenticateChallengeError ||
  (error instanceof client.ResponseBodyError && OVER.has(error.error))

/** What the provider or the library says, for operators; without the secrets of a response. */
export function whyOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return error.error_description ?? error.error
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${errorMessage(error)}${cause}`
}

/** Nothing came back, or what an overloaded or broken server answers. */
function isAway(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500 || error.status === 429
  if (error instanceof client.ClientError) {
    const isBroken = error.cause instanceof Response && error.cause.status >= 500
    return error.code === undefined || AWAY.has(error.code) || isBroken
  }
  // As fetch rejects.
  return error instanceof TypeError && error.cause !== undefined
}

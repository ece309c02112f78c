import { Fault } from '@/lib/faults'
import type { SignInDone } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { requestIdOf } from '@/server/shared/requestId'
import { shown } from '../../records/resolve'
import { HttpAnswer, type Routes } from '../../route'

/** The page after a sign-in at a tool server. */
const SETTINGS = '/settings/models'

/** The refusals of OAuth 2.0 and OpenID Connect. */
const OAUTH_ERRORS = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
]

export function addToolRoutes({ add, gateway }: Routes): void {
  const { tools, log } = gateway

  add('GET /api/tools', {
    scope: 'read',
    summary: 'The tool servers and their states. Operators see all, with errors; others those that they may use.',
    answers: schemas.toolServersAnswer,
    async handle({ person }) {
      const isOperator = person.access === 'operator'
      const seen = tools.servers().filter(({ name }) => isOperator || person.tools.includes(name))
      return {
        servers: seen.map(({ name, guide, state, isRemote: remote, lastError = null, signInUrl = null }) => ({
          name,
          guide,
          state,
          remote,
          mayRun: person.tools.includes(name),
          ...(isOperator ? { error: lastError, signInUrl } : { error: null, signInUrl: null }),
        })),
      }
    },
  })

  add('POST /api/tools/{id}/sign_in', {
    scope: null,
    access: 'operator',
    summary: 'Begin a sign-in at a remote tool server: the page to open, or null when it needs none.',
    body: schemas.emptyBody,
    answers: schemas.signInBegun,
    async handle({ params }) {
      if (!tools.servers().some(({ name }) => name === params.id))
        throw new Fault('NOT_FOUND', { what: 'tool server', id: shown(params.id) })
      const begun = await tools.signIn(params.id)
      if (!begun.ok) throw new Fault('BAD_INPUT', { why: begun.message })
      return { url: begun.url }
    },
  })

  add('GET /api/tools/oauth/callback', {
    scope: null,
    // The browser may return with another cookie, or none: the unguessable `state` identifies the sign-in.
    access: 'anyone',
    summary: 'The redirect URI of sign-ins at tool servers. Redirects to the settings.',
    query: schemas.signInCallback,
    answers: schemas.signInDone,
    alsoWith: [303],
    async handle({ request, query }) {
      const { state, code, iss, error } = query
      if (code === undefined) {
        // Anybody can call this address: nothing of their text is written or shown.
        const why = OAUTH_ERRORS.find((known) => known === error) ?? 'no code came back'
        log.warn({ why, request: requestIdOf(request) }, 'a sign-in at a tool server was refused')
        return toSettings({ failed: why })
      }
      const finished = await tools.finishSignIn({ state, code, iss })
      return toSettings(finished.ok ? { server: finished.server } : { failed: finished.message })
    },
  })
}

function toSettings(how: { server: string } | { failed: string }): HttpAnswer<SignInDone> {
  const words = new URLSearchParams(
    'server' in how ? [['signed_in', how.server]] : [['sign_in_failed', how.failed.slice(0, 300)]],
  )
  return new HttpAnswer(how, { status: 303, location: `${SETTINGS}?${words}` })
}

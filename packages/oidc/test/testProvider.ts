/** A real provider (oidc-provider) on loopback, whose people sign in without a form: the one who is `next`. */
import { createServer } from 'node:http'
import Provider, { type Context } from 'oidc-provider'
import { onTestFinished, vi } from 'vitest'
import * as z from 'zod'

export const CLIENT_ID = 'convene'
export const CLIENT_SECRET = 'a-secret-of-the-test-that-is-long-enough'

type Claims = Record<string, unknown>
export type TestProvider = {
  issuer: string
  /** By subject; one that is not here is disabled. */
  people: Map<string, Claims>
  /** Who signs in next; null: they refuse. */
  next: { subject: string | null }
  /** The session of a subject at the provider, as its ID token named it last. */
  reportSignOut(subject: string, session: string): Promise<void>
  /** It answers nothing any more, and then again. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** in: app: where the answers go back to, once it is known; id: of the provider in the configuration of the test */
export async function openTestProvider(app: { url: string }, id: string, more: object = {}): Promise<TestProvider> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(http.address())
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, Claims>()
  const next: TestProvider['next'] = { subject: null }
  const provider = providerOf(issuer, { people, redirect: () => `${app.url}/api/sign-in/${id}`, more })
  provider.use(async (context, following) => {
    if (!context.path.startsWith('/interaction/')) return following()
    const result =
      next.subject === null
        ? { error: 'access_denied', error_description: 'The person refused' }
        : { login: { accountId: next.subject } }
    await provider.interactionFinished(context.req, context.res, result)
  })
  http.on('request', provider.callback())
  const stop = async (): Promise<void> => {
    http.closeAllConnections()
    await new Promise<void>((resolve) => http.close(() => resolve()))
  }
  onTestFinished(async () => {
    if (http.listening) await stop()
  })
  return {
    issuer,
    people,
    next,
    async reportSignOut(subject, session) {
      const client = await provider.Client.find(CLIENT_ID)
      await client?.backchannelLogout(subject, session)
    },
    stop,
    start: () => new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve)),
  }
}

type Made = { people: Map<string, Claims>; redirect: () => string; more: object }

function providerOf(issuer: string, { people, redirect, more }: Made): Provider {
  // It says on the console that its keys and its storage are those of a test.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${redirect()}/answer`],
        post_logout_redirect_uris: [new URL('/login', redirect()).href],
        backchannel_logout_uri: `${redirect()}/sign-out`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    cookies: { keys: ['a key of the test'] },
    ttl: { Session: 3_600, Grant: 3_600, AccessToken: 600, IdToken: 600, RefreshToken: 3_600, Interaction: 600 },
    interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: Context, subject: string) => {
      const claims = people.get(subject)
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) }
    },
    // It refuses to call addresses of this machine otherwise.
    fetch: (url: URL, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid profile email offline_access')
      await grant.save()
      return grant
    },
    ...more,
  })
  warn.mockRestore()
  return provider
}

/** A provider of the test's own, whose answers say what a test wants them to: for all that a true provider does not do. */
import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import * as z from 'zod'

const ALGORITHM = 'ES256'
const pairs = Promise.all([generateKeyPair(ALGORITHM), generateKeyPair(ALGORITHM)])

export type Forged = {
  /** Of the ID token; absent fields are those that it should have. undefined: the claim is left out. */
  claims?: Record<string, unknown>
  /** Signed with a key that the provider does not name. */
  isForeignKey?: boolean
  /** The answer has no refresh token. */
  hasNoRefresh?: boolean
}

export async function openForgingProvider(clientId: string, forged: Forged = {}) {
  const [own, foreign] = await pairs
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: ALGORITHM, use: 'sig' }
  const nonces = new Map<string, string>()
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    const json = (body: object): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const answers: Record<string, () => void> = {
      '/.well-known/openid-configuration': () =>
        json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: [ALGORITHM],
          code_challenge_methods_supported: ['S256'],
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        }),
      '/jwks': () => json({ keys: [jwk] }),
      '/auth': () => {
        const { redirect_uri: back = '', state = '', nonce = '' } = Object.fromEntries(url.searchParams)
        nonces.set('code', nonce)
        const query = new URLSearchParams({ code: 'code', state })
        response.writeHead(303, { location: `${back}?${query}` }).end()
      },
      '/token': () => {
        void signed({ ...usual(nonces.get('code') ?? ''), ...forged.claims }).then((id_token) =>
          json({
            access_token: 'access',
            token_type: 'Bearer',
            expires_in: 60,
            id_token,
            ...(forged.hasNoRefresh ? {} : { refresh_token: 'refresh' }),
          }),
        )
      },
    }
    const answer = answers[url.pathname]
    if (answer) answer()
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const issuer = `http://127.0.0.1:${z.object({ port: z.number() }).parse(http.address()).port}`
  const seconds = (): number => Math.floor(Date.now() / 1_000)
  const usual = (nonce: string) => ({
    iss: issuer,
    sub: 'forged',
    aud: clientId,
    nonce,
    iat: seconds(),
    exp: seconds() + 60,
    name: 'Forged',
    groups: ['team'],
  })
  const sign = (claims: JWTPayload, key: CryptoKey): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: 'own' }).sign(key)
  const signed = (claims: JWTPayload): Promise<string> =>
    sign(claims, forged.isForeignKey ? foreign.privateKey : own.privateKey)
  return {
    issuer,
    forged,
    /** A logout token, as this provider would sign it; with its own key, or a foreign one. */
    logoutToken: (claims: JWTPayload = {}, isForeign = false): Promise<string> =>
      sign(
        {
          ...{ iss: issuer, aud: clientId, iat: seconds(), exp: seconds() + 120, jti: 'one', sub: 'forged' },
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          ...claims,
        },
        isForeign ? foreign.privateKey : own.privateKey,
      ),
  }
}

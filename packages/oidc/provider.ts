/** The calls of one provider (openid-client): code with PKCE, the refresh, userinfo. What goes wrong is a Fault that names it. */
import * as client from 'openid-client'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import type {
  CompanySignInParts,
  Confirmation,
  Identified,
  ReportedSignOut,
  SignInChecks,
} from '@/server/companySignIn'
import { admissionOf, whoIsIn } from './admission'
import { type Discovered, openDiscovery } from './discovery'
import { readReportedSignOut } from './reportedSignOut'
import type { ProviderSettings } from './section'
import { isEnded, signInFault, whyOf } from './troubles'

const USUAL_SCOPES = ['openid', 'profile', 'email']
/** Gives a secret to ask the provider again with. */
const OFFLINE = 'offline_access'

const sessionClaim = z.object({ sid: z.string().min(1).max(500).optional().catch(undefined) })

export function openProvider(settings: ProviderSettings, parts: CompanySignInParts) {
  const { name, clientId } = settings
  const discover = openDiscovery(settings, parts)
  const discovered = (): Promise<Discovered> =>
    discover().catch((error: unknown) => {
      throw new Fault('PROVIDER_UNREACHABLE', { name, why: whyOf(error) })
    })

  return {
    settings,
    async begin(asked: Pick<SignInChecks, 'redirectUri' | 'isAgain'>): Promise<{ url: string; checks: SignInChecks }> {
      const { config } = await discovered()
      const { redirectUri, isAgain } = asked
      const verifier = client.randomPKCECodeVerifier()
      const checks = { redirectUri, isAgain, verifier, state: client.randomState(), nonce: client.randomNonce() }
      const url = client.buildAuthorizationUrl(config, {
        ...settings.parameters,
        ...(isAgain ? { prompt: withLogin(settings.parameters.prompt), max_age: '0' } : {}),
        redirect_uri: redirectUri,
        scope: scopesOf(settings, config).join(' '),
        response_mode: 'query',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: checks.state,
        nonce: checks.nonce,
      })
      return { url: url.href, checks }
    },

    async finish(query: string, checks: SignInChecks): Promise<Identified> {
      const { config } = await discovered()
      const url = new URL(checks.redirectUri)
      url.search = query
      try {
        const tokens = await client.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: checks.verifier,
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          idTokenExpected: true,
          ...(checks.isAgain ? { maxAge: 0 } : {}),
        })
        const idToken = tokens.claims()
        if (idToken === undefined) throw new Fault('SIGN_IN_UNFIT', { name, why: 'it holds no ID token' })
        const { iss: issuer, sub: subject } = idToken
        const claims = await claimsOf(config, tokens.access_token, subject, idToken)
        return {
          ...{ issuer, subject, session: sessionClaim.parse(idToken).sid ?? null },
          ...whoIsIn(subject, claims, settings.joinByEmail),
          admission: admissionOf(settings, claims),
          refresh: tokens.refresh_token ?? null,
        }
      } catch (error) {
        throw signInFault(name, error)
      }
    },

    async confirm({ subject, refresh }: { subject: string; refresh: string }): Promise<Confirmation> {
      try {
        const { config } = await discovered()
        const tokens = await client.refreshTokenGrant(config, refresh)
        const idToken = tokens.claims()
        if (idToken !== undefined && idToken.sub !== subject) return { is: 'refused', why: 'the answer is of another' }
        const claims = await claimsOf(config, tokens.access_token, subject, idToken ?? {})
        return { is: 'confirmed', admission: admissionOf(settings, claims), refresh: tokens.refresh_token ?? refresh }
      } catch (error) {
        return { is: isEnded(error) ? 'refused' : 'unreachable', why: whyOf(error) }
      }
    },

    async reported(token: string): Promise<ReportedSignOut> {
      return readReportedSignOut(token, await discovered(), { name, clientId, now: parts.outside() })
    },

    async signOutUrl(back: string): Promise<string | null> {
      const known = await discovered().catch(() => null)
      if (known?.config.serverMetadata().end_session_endpoint === undefined) return null
      return client.buildEndSessionUrl(known.config, { post_logout_redirect_uri: back }).href
    },

    async trouble(): Promise<string | null> {
      try {
        const { code_challenge_methods_supported: methods } = (await discover()).config.serverMetadata()
        return methods?.includes('S256') === false ? `${name} does not take PKCE with S256.` : null
      } catch (error) {
        return whyOf(error)
      }
    },
  }
}

/** Groups are in the ID token, or at userinfo alone. */
async function claimsOf(config: client.Configuration, accessToken: string, subject: string, first: object) {
  if (config.serverMetadata().userinfo_endpoint === undefined) return { ...first }
  return { ...first, ...(await client.fetchUserInfo(config, accessToken, subject)) }
}

/** `login` beside what the configuration sends, such as `consent`, without which some providers give no refresh token. */
const withLogin = (prompt: string | undefined): string =>
  [...new Set(['login', ...(prompt ?? '').split(' ')])].join(' ').trim()

function scopesOf({ scopes }: ProviderSettings, config: client.Configuration): string[] {
  if (scopes !== null) return [...new Set(['openid', ...scopes])]
  return config.serverMetadata().scopes_supported?.includes(OFFLINE) ? [...USUAL_SCOPES, OFFLINE] : USUAL_SCOPES
}

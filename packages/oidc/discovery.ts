/** What a provider says of itself, as the library takes it: read once an hour, and tried again while it failed. */
import { createRemoteJWKSet, customFetch } from 'jose'
import * as client from 'openid-client'
import type { CompanySignInParts } from '@/server/companySignIn'
import type { ProviderSettings } from './section'

const CALL_S = 10
/** Keys and addresses of a provider may change. */
const KEPT_MS = 60 * 60_000
/** The clocks of two machines differ. */
export const TOLERANCE_S = 60

/** keys: to check what the provider signed and posts to us; null: it names none */
export type Discovered = {
  config: client.Configuration
  keys: ReturnType<typeof createRemoteJWKSet> | null
}

/** out: reads it; rejects with errors of the library, and where the secret of the configuration is not set */
export function openDiscovery(settings: ProviderSettings, { secret, outside }: CompanySignInParts) {
  const { issuer, clientId, clientSecretEnv } = settings
  let last: { found: Promise<Discovered>; at: number } | null = null

  async function discover(): Promise<Discovered> {
    const key = clientSecretEnv === null ? undefined : secret(clientSecretEnv)
    if (clientSecretEnv !== null && key === undefined) throw new Error(`${clientSecretEnv} is not set`)
    const metadata = {
      [client.clockSkew]: Math.round((outside() - Date.now()) / 1_000),
      [client.clockTolerance]: TOLERANCE_S,
    }
    const config = await client.discovery(new URL(issuer), clientId, metadata, authOf(key), {
      timeout: CALL_S,
      execute: [
        client.enableNonRepudiationChecks,
        // The section takes such an address of this machine alone.
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
      ],
    })
    const { jwks_uri: keysAt } = config.serverMetadata()
    return { config, keys: keysAt === undefined ? null : createRemoteJWKSet(new URL(keysAt), { [customFetch]: fetch }) }
  }

  return async (): Promise<Discovered> => {
    const before = await last?.found.catch(() => null)
    if (last && before && outside() - last.at < KEPT_MS) return before
    const found = discover()
    last = { found, at: outside() }
    try {
      return await found
    } catch (error) {
      if (!before) throw error
      last = { found: Promise.resolve(before), at: 0 }
      return before
    }
  }
}

/** By HTTP Basic, which every provider has to take, unless this one says that it does not. */
function authOf(key: string | undefined): client.ClientAuth {
  if (key === undefined) return client.None()
  const [basic, post] = [client.ClientSecretBasic(key), client.ClientSecretPost(key)]
  return (server, ...rest) => {
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true
    return (takesBasic ? basic : post)(server, ...rest)
  }
}

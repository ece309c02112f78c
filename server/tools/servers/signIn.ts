/** Sign-in at a remote server: by a person with a browser (authorization code and PKCE), or by client credentials. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ClientCredentialsProvider,
  isSpecType,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  PrivateKeyJwtProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { OAuthSettings } from '../../shared/toolServer'

/** An older pending page is requested again. */
const PENDING_MS = 10 * 60_000
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

// The SDK expects back exactly what it stored, unknown fields included.
const keptSignIn = z.object({
  redirectUrl: z.string().optional(),
  client: z.custom<StoredOAuthClientInformation>(isSpecType.OAuthClientInformation).optional(),
  tokens: z.custom<StoredOAuthTokens>(isSpecType.OAuthTokens).optional(),
  /** The page that a person must open, and what its answer needs, at whichever node it arrives. */
  pending: z
    .object({
      url: z.string(),
      at: z.number(),
      state: z.string(),
      verifier: z.string(),
      discovery: z.custom<OAuthDiscoveryState>().optional(),
    })
    .optional(),
})
type Kept = z.infer<typeof keptSignIn>

/** Storage of sign-ins by server name, read anew each time: another node may have written it. null: none. */
export interface SignInKeeping {
  read(server: string): unknown
  write(server: string, kept: object | null): void
}

type SignInOptions = {
  server: string
  settings: OAuthSettings | undefined
  keeping: SignInKeeping
  redirectUrl: () => string
}

export interface ToolServerSignIn {
  readonly provider: OAuthClientProvider
  /** The page that a person must open now; null: none. */
  pendingUrl(): string | null
  isMine(state: string): boolean
  /** Discard the pending page. */
  forgetPending(): void
}

/** By client credentials if configured, else by a person. Throws an Error for settings that cannot work. */
export function openToolServerSignIn(options: SignInOptions): ToolServerSignIn {
  const { settings } = options
  return settings?.grant === 'client_credentials' ? headless(settings) : interactive(options)
}

function headless(settings: OAuthSettings): ToolServerSignIn {
  const { clientId, clientSecret, privateKey, algorithm, scope, issuer } = settings
  if (clientId === undefined) throw new Error('client_credentials needs a client_id')
  const shared = { clientId, clientName: 'Convene', scope, ...(issuer === undefined ? {} : { expectedIssuer: issuer }) }
  const provider: OAuthClientProvider =
    privateKey !== undefined
      ? new PrivateKeyJwtProvider({ ...shared, privateKey, algorithm: algorithm ?? 'RS256' })
      : new ClientCredentialsProvider({ ...shared, clientSecret: clientSecret ?? '' })
  return { provider, pendingUrl: () => null, isMine: () => false, forgetPending: () => {} }
}

function interactive({ server, settings, keeping, redirectUrl }: SignInOptions): ToolServerSignIn {
  /** Of a page that is being made. */
  let state = ''
  let verifier = ''
  let discovery: OAuthDiscoveryState | undefined

  const kept = (): Kept => keptIn(keeping, server)
  const keep = (change: Partial<Kept>): void => {
    const all = { ...kept(), ...change }
    keeping.write(server, (all.client ?? all.tokens ?? all.pending) ? all : null)
  }
  const configured: StoredOAuthClientInformation | null =
    settings?.clientId === undefined
      ? null
      : {
          client_id: settings.clientId,
          ...(settings.clientSecret === undefined ? {} : { client_secret: settings.clientSecret }),
          ...(settings.issuer === undefined ? {} : { issuer: settings.issuer }),
        }

  const provider: OAuthClientProvider = {
    get redirectUrl() {
      return redirectUrl()
    },
    ...(settings?.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: settings.clientMetadataUrl }),
    get clientMetadata() {
      return {
        client_name: 'Convene',
        redirect_uris: [redirectUrl()],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: settings?.clientSecret === undefined ? 'none' : 'client_secret_basic',
        ...(settings?.scope === undefined ? {} : { scope: settings.scope }),
      }
    },
    state() {
      state = randomBytes(32).toString('base64url')
      return state
    },
    clientInformation() {
      if (configured) return configured
      // A registration contains the redirect address and is useless with another one.
      const { redirectUrl: registered, client } = kept()
      return registered === redirectUrl() ? client : undefined
    },
    ...(configured
      ? {}
      : {
          saveClientInformation(client: StoredOAuthClientInformation) {
            keep({ client, redirectUrl: redirectUrl() })
          },
        }),
    tokens: () => kept().tokens,
    saveTokens(tokens: StoredOAuthTokens) {
      keep({ tokens, pending: undefined })
    },
    redirectToAuthorization(url: URL) {
      keep({ pending: { url: url.href, at: Date.now(), state, verifier, discovery } })
    },
    saveCodeVerifier(text: string) {
      verifier = text
    },
    codeVerifier() {
      const { pending } = kept()
      if (pending === undefined) throw new Error('no sign-in was begun')
      return pending.verifier
    },
    saveDiscoveryState(found: OAuthDiscoveryState) {
      discovery = found
    },
    // Kept only until the page returns: later the server may have moved.
    discoveryState: () => kept().pending?.discovery,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') keep({ client: undefined, redirectUrl: undefined })
      if (scope === 'all' || scope === 'tokens') keep({ tokens: undefined })
      if (scope === 'all' || scope === 'verifier' || scope === 'discovery') keep({ pending: undefined })
    },
  }

  const pending = (): Kept['pending'] | null => {
    const begun = kept().pending
    return begun !== undefined && Date.now() - begun.at < PENDING_MS ? begun : null
  }
  return {
    provider,
    pendingUrl: () => pending()?.url ?? null,
    isMine: (answered) => pending()?.state === answered,
    forgetPending() {
      keep({ pending: undefined })
    },
  }
}

/** Unreadable tokens require a new sign-in. */
function keptIn(keeping: SignInKeeping, server: string): Kept {
  const read = keptSignIn.safeParse(keeping.read(server))
  return read.success ? read.data : {}
}

/** Files in a folder, readable by this user only. */
export function signInFiles(folder: string): SignInKeeping {
  const fileOf = (server: string): string => join(folder, `${server}.json`)
  return {
    read(server) {
      try {
        return JSON.parse(readFileSync(fileOf(server), 'utf8'))
      } catch {
        return null
      }
    },
    write(server, kept) {
      const file = fileOf(server)
      mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
      if (kept === null) return rmSync(file, { force: true })
      // Written to a temporary file first, so that a crash never leaves half a file.
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: PRIVATE_FILE })
      chmodSync(`${file}.new`, PRIVATE_FILE)
      renameSync(`${file}.new`, file)
    },
  }
}

/** Tool servers, as the configuration names them and the pool runs them. */
import type { ConfirmRule } from '@/lib/mas/setupRecords'

/** One configured server: `command` starts a child process (stdio), `baseurl` reaches a remote one. */
export type ConfiguredToolServer = {
  name: string
  command?: string
  args?: string[]
  env?: Record<string, string>
  baseurl?: string
  /** Sent with every request to a remote server; values come from the environment. */
  headers?: Record<string, string>
  /** Whether its address may be in a private network. Default: true. */
  allowPrivate?: boolean | 'loopback'
  /** How we sign in where a remote server asks for it. */
  oauth?: OAuthSettings
  /** May the server ask the calling agent's model? `ask`: a person is asked first. */
  sampling?: SamplingRule
  /** How agents should use it; shown in their prompts. */
  guide: string
  confirm: ConfirmRule
  /** Tools that may run again after a crash although their annotations do not say so. */
  repeat: string[]
  tools: Record<string, { confirm?: ConfirmRule }>
  timeLimitMs?: number
  /** A call that reports progress may take this long in all; 30 minutes by default. */
  longestMs?: number
  /** Absolute paths under this folder are shown relative to it in errors and in the texts of error results. */
  root?: string
}

type SamplingRule = 'ask' | 'always' | 'never'

/** Without a client id we register ourselves with the server that gives the tokens, where it lets us. */
export type OAuthSettings = {
  /** authorization_code: a person signs in with a browser. client_credentials: no person is needed. */
  grant: 'authorization_code' | 'client_credentials'
  clientId?: string
  clientSecret?: string
  /** PEM; in place of the secret: a signed assertion (private_key_jwt). */
  privateKey?: string
  algorithm?: string
  scope?: string
  /** The address of a client metadata page, in place of a registration, where the server accepts that. */
  clientMetadataUrl?: string
  /** The one server that may be shown these credentials. */
  issuer?: string
}

/** Tool servers, as the configuration names them and the pool runs them. */
import type { ToolServer } from '@/lib/mas/setup/schemas/toolServer'

/** A server with all values filled in. Of a remote one `headers` are sent with every request. */
export type ConfiguredToolServer = Omit<ToolServer, 'oauth' | 'args' | 'env' | 'headers' | 'sampling'> &
  Partial<Pick<ToolServer, 'args' | 'env' | 'headers' | 'sampling'>> & {
    name: string
    /** Whether its address may be in a private network. Default: true. */
    allowPrivate?: boolean | 'loopback'
    /** How we sign in where a remote server asks for it. */
    oauth?: OAuthSettings
    /** Absolute paths under this folder are shown relative to it in errors and in the texts of error results. */
    root?: string
  }

/** Without a client id we register ourselves with the server that gives the tokens, where it lets us. */
export type OAuthSettings = Omit<NonNullable<ToolServer['oauth']>, 'clientSecretEnv' | 'privateKeyEnv'> & {
  clientSecret?: string
  /** PEM; in place of the secret: a signed assertion (private_key_jwt). */
  privateKey?: string
}

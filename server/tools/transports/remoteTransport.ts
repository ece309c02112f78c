import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { PrivateReach } from '../../net'
import { boundedFetch } from './boundedFetch'
import { outboundFetch } from './outboundFetch'

const LEAVING_MS = 1_000

type RemoteOptions = {
  baseurl: string
  /** A new Client; each attempt needs its own. */
  makeClient: () => Client
  timeLimitMs: number
  headers: Record<string, string>
  /** May its address be in a private network? undefined: yes. */
  allowPrivate: PrivateReach | undefined
  /** Sign-in of the server; undefined: not configured. */
  authProvider: OAuthClientProvider | undefined
}

/**
 * out     the connected client
 * faults  the error of the last transport tried; 401 and 403 with clearer messages; UnauthorizedError when a person must
 *         sign in
 */
export async function connectRemote(options: RemoteOptions): Promise<Client> {
  const url = new URL(options.baseurl)
  const client = options.makeClient()
  try {
    const transport: Transport = new StreamableHTTPClientTransport(url, {
      fetch: fetchFor(url, options, () => transport),
      authProvider: options.authProvider,
    })
    await client.connect(transport, { timeout: options.timeLimitMs })
    return client
  } catch (error) {
    void client.close().catch(() => {})
    if (!isOlderServer(error)) throw inWords(error)
  }
  return connectOlder(url, options)
}

/** End a remote session, so that the server can forget it. Never fails, and waits a second at most. */
export async function endRemoteSession({ transport }: Client): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) return
  const waited = new Promise<void>((resolve) => setTimeout(resolve, LEAVING_MS).unref())
  await Promise.race([transport.terminateSession().catch(() => {}), waited])
}

/** The server does not know our session: it forgot it or restarted, and has not executed the call. */
export function isSessionGone(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 404
}

/** The connection, not the server's answer, failed: the next call needs a new one. */
export function isConnectionFault(error: unknown): boolean {
  return error instanceof StreamableHTTPError || error instanceof SseError || error instanceof TypeError
}

async function connectOlder(url: URL, options: RemoteOptions): Promise<Client> {
  const client = options.makeClient()
  const transport: Transport = new SSEClientTransport(url, {
    fetch: fetchFor(url, options, () => transport),
    authProvider: options.authProvider,
  })
  // Answers arrive on one stream only; when it breaks, those of all running calls are lost.
  transport.onerror = (error) => {
    if (error instanceof SseError) void client.close()
  }
  try {
    await client.connect(transport, { timeout: options.timeLimitMs })
    return client
  } catch (error) {
    throw inWords(error)
  }
}

const fetchFor = (url: URL, { headers, allowPrivate }: RemoteOptions, transport: () => Transport) =>
  boundedFetch(answerTo(transport), outboundFetch(url, headers, allowPrivate))

/** The server requires a sign-in by a person. */
export function isSignInNeeded(error: unknown): boolean {
  return error instanceof UnauthorizedError
}

/** Passes a message to the protocol as if the server had sent it. The transport exists once the first fetch runs. */
function answerTo(transport: () => Transport): Parameters<typeof boundedFetch>[0] {
  return (message) => transport().onmessage?.(message)
}

/** An SSE server answers a POST to the stream's address with 404 or 405 (400 and others occur). */
function isOlderServer(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError) || error.code === undefined) return false
  return error.code >= 400 && error.code < 500 && ![401, 403, 429].includes(error.code)
}

function inWords(error: unknown): unknown {
  if (isSignInNeeded(error)) return error
  const status = error instanceof StreamableHTTPError || error instanceof SseError ? error.code : undefined
  if (status === 401 || status === 403)
    return new Error(`the server asks for authorization (${status}), which is not configured`)
  return error
}

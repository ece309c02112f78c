import {
  type Client,
  type ConnectOptions,
  type OAuthClientProvider,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { PrivateReach } from '../../net'
import { isMethodMissing, saidIn } from '../foreign/mcpErrors'
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
  try {
    return await connectHttp(url, options, {})
  } catch (error) {
    if (!isUndecided(error) && !isOlderServer(error)) throw inWords(error)
    // Servers of older revisions may do anything with a request that they do not know.
    if (isUndecided(error)) {
      try {
        return await connectHttp(url, options, AS_OLDER)
      } catch (second) {
        if (!isOlderServer(second)) throw inWords(second)
      }
    }
  }
  return connectOlder(url, options)
}

/** Without the question which revision the server speaks: by `initialize`. */
export const AS_OLDER: Pick<ConnectOptions, 'prior'> = { prior: { kind: 'legacy' } }

/** The server was asked which revision it speaks, and what came says neither. */
export function isUndecided(error: unknown): boolean {
  if (!(error instanceof SdkError)) return false
  // Servers with sessions say so to any request without one, also by 401 and 403.
  if (error instanceof SdkHttpError && SESSION_UNKNOWN.test(wordsOf(String(error.data.text)))) return true
  return error.code === SdkErrorCode.EraNegotiationFailed || /^Version negotiation probe timed out/.test(error.message)
}

async function connectHttp(url: URL, options: RemoteOptions, how: Pick<ConnectOptions, 'prior'>): Promise<Client> {
  const client = options.makeClient()
  try {
    const transport: Transport = new StreamableHTTPClientTransport(url, {
      fetch: fetchFor(url, options, () => transport),
      authProvider: options.authProvider,
      // Every redirect is checked by our fetch.
      redirectPolicy: 'follow',
    })
    await client.connect(transport, { timeout: options.timeLimitMs, ...how })
    return client
  } catch (error) {
    void client.close().catch(() => {})
    throw error
  }
}

/** End a remote session, so that the server can forget it. Never fails, and waits a second at most. */
export async function endRemoteSession({ transport }: Client): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) return
  const waited = new Promise<void>((resolve) => setTimeout(resolve, LEAVING_MS).unref())
  await Promise.race([transport.terminateSession().catch(() => {}), waited])
}

/** How servers say that they do not know a session, when they do not say it by 404. */
const SESSION_UNKNOWN = new RegExp(
  [
    String.raw`\bsession\b.{0,100}\b(?:not found|not exist|unknown|invalid|not valid|expired|terminated|closed|missing|required)\b`,
    String.raw`\b(?:no|invalid|unknown|missing|expired|find)\b.{0,30}\bsession\b`,
    String.raw`\bnot (?:been )?initiali[sz]ed\b`,
    '会话',
  ].join('|'),
  'i',
)
/** The same in an answer to the call itself; no tool speaks of its own sessions so. */
const SESSION_UNKNOWN_ANSWER = /^(?:bad request: )?(?:(?:no valid|invalid|unknown|missing) )?(?:mcp )?session\b/i

/** Statuses of a call that was not executed. */
const REFUSED: readonly number[] = [400, 401, 403, 409, 410, 422]

/** `sessionId`, `SessionNotFound` and `SESSION_EXPIRED` as words. */
const wordsOf = (said: string): string => said.replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ')

/**
 * The server does not know our session: it forgot it or restarted, and has not executed the call.
 *
 * in      client: of the call, where one was made: its answer may say so too
 */
export function isSessionGone(error: unknown, client?: Client): boolean {
  const status = statusOf(error)
  if (status === 404) return !isMethodMissing(error)
  if (!(error instanceof Error)) return false
  if (status !== null) return REFUSED.includes(status) && SESSION_UNKNOWN.test(wordsOf(error.message))
  const { transport } = client ?? {}
  if (!(error instanceof ProtocolError) || !(transport instanceof StreamableHTTPClientTransport)) return false
  const said = saidIn(error)
  return transport.sessionId !== undefined && SESSION_UNKNOWN_ANSWER.test(said) && SESSION_UNKNOWN.test(said)
}

/** The status of an HTTP answer that is the error; null: the error is no such answer. */
function statusOf(error: unknown): number | null {
  if (error instanceof SdkHttpError) return error.status
  // The older transport has no class for it.
  const said =
    error instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1] : undefined
  return said === undefined ? null : Number(said)
}

/** The connection, not the server's answer, failed: the next call needs a new one. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) return true
  return error instanceof SdkHttpError || error instanceof SseError || error instanceof TypeError
}

async function connectOlder(url: URL, options: RemoteOptions): Promise<Client> {
  const client = options.makeClient()
  const transport: Transport = new SSEClientTransport(url, {
    fetch: fetchFor(url, options, () => transport),
    authProvider: options.authProvider,
    redirectPolicy: 'follow',
  })
  // Answers arrive on one stream only; when it breaks, those of all running calls are lost.
  transport.onerror = (error) => {
    if (error instanceof SseError) void client.close()
  }
  try {
    await client.connect(transport, { timeout: options.timeLimitMs, ...AS_OLDER })
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
  if (!(error instanceof SdkHttpError)) return false
  return error.status >= 400 && error.status < 500 && ![401, 403, 429].includes(error.status)
}

function inWords(error: unknown): unknown {
  if (isSignInNeeded(error)) return error
  const status = error instanceof SseError ? error.code : statusOf(error)
  if (status === 401 || status === 403)
    return new Error(`the server asks for authorization (${status}), which is not configured`)
  return error
}

/** All HTTP calls that leave the server. Connections are kept for the next call to the same origin. */
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { isReachableByItself, lookupWithin, PrivateAddressError, type PrivateReach } from './addresses'
import { unpacked } from './unpacked'

/** limitMs: for the whole call. */
type OutboundRequest = {
  method?: 'POST' | 'GET' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
  limitMs?: number
  /** How much of the answer is read; 16 KiB unless said otherwise. */
  answerBytes?: number
  signal?: AbortSignal
}
/** bytes: the beginning of the answer, as much as was wanted; text: its first 16 KiB. */
export type OutboundAnswer = {
  status: number
  headers: Record<string, string | undefined>
  text: string
  bytes: Uint8Array
}
export type Outbound = (address: string, request: OutboundRequest) => Promise<OutboundAnswer>

/** allowPrivate: the configuration says that private addresses are meant. */
type Reach = { allowPrivate: PrivateReach }

/** The call took longer than it may. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  constructor(readonly seconds: number) {
    super(`no answer within ${seconds} s`)
  }
}

const LIMIT_MS = 10_000
const ANSWER_BYTES = 16 * 1024
/** Longer than the limits of callers: it only ends connections whose callers have given up. */
const LONGEST_CONNECT_MS = 30_000

/** Calls of limited time and answer size. Redirects are answers. A call may arrive twice. Rejects with NoAnswerError, … */
export function openOutbound({ allowPrivate }: Reach): Outbound {
  return async (address, { limitMs = LIMIT_MS, answerBytes = ANSWER_BYTES, signal, ...request }) => {
    const limit = AbortSignal.timeout(limitMs)
    const either = signal ? AbortSignal.any([signal, limit]) : limit
    try {
      const answer = await openCall(address, { ...request, allowPrivate, signal: either, mayRepeat: true })
      const bytes = await beginningOf(answer.body, answerBytes)
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
        text: Buffer.from(bytes.subarray(0, ANSWER_BYTES)).toString('utf8'),
        bytes,
      }
    } catch (error) {
      throw limit.aborted ? new NoAnswerError(limitMs / 1_000) : error
    }
  }
}

type OutboundReply = { statusCode: number; headers: Record<string, string | string[] | undefined>; body: Readable }

export type OutboundCall = Reach &
  Pick<OutboundRequest, 'method' | 'headers' | 'body'> & {
    signal: AbortSignal
    /** It may arrive twice: it is sent again where the server had closed the kept connection, perhaps before it saw the call. */
    mayRepeat?: boolean
    /** There is a connection; the call goes out. */
    onConnected?: () => void
  }

/**
 * One call whose answer is a stream. It has no time limit but its signal, and follows no redirect.
 *
 * out     the answer as soon as its head has come, decompressed; read or destroy its body
 * faults  PrivateAddressError, the reason of the signal, the error of the network
 */
export async function openCall(
  address: string,
  { allowPrivate, method = 'POST', mayRepeat = false, onConnected, ...options }: OutboundCall,
): Promise<OutboundReply> {
  const url = checkedUrl(address, { allowPrivate })
  const { request } = await import('undici')
  const { kept, single } = (await agents())[
    allowPrivate === true ? 'all' : allowPrivate === 'loopback' ? 'loopback' : 'public'
  ]
  const send = async (agent: Dispatcher): Promise<OutboundReply> => {
    const dispatcher = onConnected === undefined ? agent : telling(agent, onConnected)
    const { statusCode, headers, body } = await orAborted(
      request(url, { ...options, method, dispatcher }),
      options.signal,
    )
    const reply = unpacked(headers, body)
    // Readers get an error by reading. Without a listener one that nobody reads, as after destroy(), would end the process.
    reply.body.on('error', () => {})
    return { statusCode, ...reply }
  }
  try {
    return await send(kept)
  } catch (error) {
    if (mayRepeat && (await isStale(error))) return send(single)
    throw error
  }
}

/** Tells when a call has its connection and goes out. */
const telling = (agent: Dispatcher, onConnected: () => void): Dispatcher =>
  agent.compose((dispatch) => (call, handler) => {
    const start = handler.onRequestStart?.bind(handler)
    // The handler is this one call's.
    handler.onRequestStart = (...args) => {
      onConnected()
      start?.(...args)
    }
    return dispatch(call, handler)
  })

/** undici looks at a signal only once it is connected: a host that takes no connection would hold the caller. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
  })
}

/** A lookup sees names only: an address that is written as a number is checked here. */
function checkedUrl(address: string, { allowPrivate }: Reach): URL {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not called`)
  if (isReachableByItself(url.hostname, allowPrivate) === false) throw new PrivateAddressError(url.hostname)
  return url
}

async function beginningOf(body: Readable, most: number): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let size = 0
  // Leaving the loop destroys the body, and its connection.
  for await (const piece of body) {
    pieces.push(Buffer.from(piece))
    size += piece.length
    if (size >= most) break
  }
  return Buffer.concat(pieces).subarray(0, most)
}

/** The connection had carried an answer before and ended before the head of this one. */
async function isStale(error: unknown): Promise<boolean> {
  const { errors } = await import('undici')
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0
}

type Agents = Record<'all' | 'loopback' | 'public', { kept: Dispatcher; single: Dispatcher }>
let opened: Promise<Agents> | null = null

/** Loaded with the first call: a start does not wait for it. */
function agents(): Promise<Agents> {
  opened ??= import('undici').then(({ Agent }) => {
    // Every caller has a time limit of its own; an event stream may be silent for as long as it likes.
    const untimed = { headersTimeout: 0, bodyTimeout: 0 }
    const pair = (lookup: { lookup?: LookupFunction }) => {
      const options = { ...untimed, connect: { ...lookup, timeout: LONGEST_CONNECT_MS } }
      return { kept: new Agent(options), single: new Agent({ ...options, pipelining: 0 }) }
    }
    return {
      all: pair({}),
      loopback: pair({ lookup: lookupWithin('loopback') }),
      public: pair({ lookup: lookupWithin(false) }),
    }
  })
  return opened
}

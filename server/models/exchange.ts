/** One HTTP exchange with a model server: a JSON question, a stream of bytes as its answer. */
import http from 'node:http'
import https from 'node:https'
import { isReachableByItself, lookupWithin, PrivateAddressError, type PrivateReach } from '../net'
import { ModelError, type ModelTrouble, stopped } from './model'

export type ExchangeLimits = {
  connectMs: number
  /** Until the first sign of an answer. */
  firstTokenMs: number
  totalMs: number
}

type ExchangeRequest = {
  url: URL
  headers: Record<string, string>
  body: string
  limits: ExchangeLimits
  signal: AbortSignal
  /** May the address lie in a private network? */
  allowPrivate: PrivateReach
}

export interface ExchangeReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Rejects with the fault that ended it early: a deadline, a stop, a broken connection. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The answer has begun: only the total limit counts from now on. */
  begun(): void
  /** Let go. `isWhole`: everything came, the connection may be used again; else it is closed. */
  close(isWhole: boolean): void
}

/** How long a connection whose answer is whole may take to say its end before it is closed. */
const END_GRACE_MS = 1_000
const IDLE_MS = 30_000

const agentsWithin = (allow: PrivateReach) => {
  const options = { keepAlive: true, timeout: IDLE_MS, ...(allow === true ? {} : { lookup: lookupWithin(allow) }) }
  return { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
}
/** Kept connections are for those who might have opened them. */
const AGENTS = { all: agentsWithin(true), loopback: agentsWithin('loopback'), public: agentsWithin(false) }
const reachOf = (allow: PrivateReach): keyof typeof AGENTS =>
  allow === true ? 'all' : allow === 'loopback' ? 'loopback' : 'public'

/** Sends the question; resolves with the head. Throws MODEL_UNREACHABLE, MODEL_TIME_LIMIT, MODEL_ABORTED, MODEL_REFUSED. */
export async function exchange(order: ExchangeRequest): Promise<ExchangeReply> {
  if (isReachableByItself(order.url.hostname, order.allowPrivate) === false) throw privateAddress(order.url)
  try {
    return await send(order, true)
  } catch (error) {
    // A connection kept from before may have been closed by the server just now: that says nothing about the server.
    if (error instanceof StaleConnection) return await send(order, false)
    throw error
  }
}

class StaleConnection extends Error {}

function send(order: ExchangeRequest, mayReuse: boolean): Promise<ExchangeReply> {
  const { url, limits, signal, allowPrivate } = order
  return new Promise((resolve, reject) => {
    let fault: ModelError | null = null
    let response: http.IncomingMessage | null = null
    const isSecure = url.protocol === 'https:'
    const request = (isSecure ? https : http).request(url, {
      method: 'POST',
      headers: { ...order.headers, 'content-length': Buffer.byteLength(order.body) },
      agent: mayReuse ? AGENTS[reachOf(allowPrivate)][isSecure ? 'https:' : 'http:'] : false,
      ...(allowPrivate === true ? {} : { lookup: lookupWithin(allowPrivate) }),
    })
    const stop = (why: ModelError): void => {
      fault ??= why
      if (response) response.destroy(fault)
      else request.destroy(fault)
      reject(fault)
    }
    const deadlines = new Deadlines(limits, stop)
    const onAbort = (): void => stop(stopped())
    const settle = (): void => {
      deadlines.stop()
      signal.removeEventListener('abort', onAbort)
    }
    signal.addEventListener('abort', onAbort, { once: true })

    request.on('socket', (socket) => {
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', () => deadlines.connected())
      else deadlines.connected()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      settle()
      const isStale = !fault && mayReuse && request.reusedSocket && error.code === 'ECONNRESET'
      reject(isStale ? new StaleConnection() : (fault ?? networkFault(error, url)))
    })
    request.on('response', (answer) => {
      response = answer
      // Readers get an error by reading; a later one must not end the process.
      answer.on('error', () => {})
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        bytes: bytesOf(answer, () => fault),
        begun: () => deadlines.begun(),
        close(isWhole) {
          settle()
          if (answer.readableEnded) return
          if (!isWhole) return void answer.destroy()
          const timer = setTimeout(() => answer.destroy(), END_GRACE_MS)
          timer.unref()
          answer.once('close', () => clearTimeout(timer))
          answer.resume()
        },
      })
    })
    if (signal.aborted) return onAbort()
    request.end(order.body)
  })
}

async function* bytesOf(answer: http.IncomingMessage, fault: () => ModelError | null): AsyncGenerator<Uint8Array> {
  try {
    // The connection is let go by close(): only it knows whether the answer was whole.
    for await (const piece of answer.iterator({ destroyOnReturn: false })) {
      if (piece instanceof Uint8Array) yield piece
    }
  } catch {
    throw fault() ?? broke()
  }
  const why = fault()
  if (why) throw why
}

const broke = (): ModelError =>
  new ModelError('MODEL_CUT', 'the connection broke in the middle of the answer', true, null, { trouble: 'cut' })

/** The three limits of a call, each with a sentence of its own. */
class Deadlines {
  private readonly connect: NodeJS.Timeout
  private readonly first: NodeJS.Timeout
  private readonly total: NodeJS.Timeout

  constructor(limits: ExchangeLimits, expire: (why: ModelError) => void) {
    const after = (ms: number, what: string): NodeJS.Timeout =>
      setTimeout(() => {
        const message = `${what} within ${seconds(ms)}`
        expire(new ModelError('MODEL_TIME_LIMIT', message, true, null, { trouble: 'timeLimit' }))
      }, ms)
    this.connect = after(limits.connectMs, 'no connection to the server')
    this.first = after(limits.firstTokenMs, 'the model did not begin to answer')
    this.total = after(limits.totalMs, 'the answer was not finished')
  }

  connected(): void {
    clearTimeout(this.connect)
  }

  begun(): void {
    clearTimeout(this.first)
  }

  stop(): void {
    for (const timer of [this.connect, this.first, this.total]) clearTimeout(timer)
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

type NetworkFault = { trouble: ModelTrouble; again: boolean; says: (host: string) => string }

const NETWORK_FAULTS: Record<string, NetworkFault> = {
  ENOTFOUND: { trouble: 'hostUnknown', again: true, says: (host) => `there is no host called ${host}` },
  EAI_AGAIN: { trouble: 'hostUnknown', again: true, says: (host) => `the name ${host} cannot be looked up now` },
  ECONNREFUSED: { trouble: 'connectionRefused', again: true, says: (host) => `nothing answers at ${host}` },
}

/** What a failed connection means. The address is named by its host only: a path or query might say too much. */
function networkFault(error: NodeJS.ErrnoException, url: URL): ModelError {
  if (error instanceof PrivateAddressError) return privateAddress(url)
  const code = error.code ?? ''
  const known = NETWORK_FAULTS[code]
  if (known) {
    const host = known.trouble === 'hostUnknown' ? url.hostname : url.host
    return new ModelError('MODEL_UNREACHABLE', known.says(host), known.again, null, { trouble: known.trouble })
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code)) {
    const message = `no safe connection to ${url.host} (${code})`
    return new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'certificate' })
  }
  if (code.startsWith('HPE_')) {
    const message = `what answers at ${url.host} does not speak HTTP`
    return new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'wrongFormat' })
  }
  const message = `the connection to ${url.host} failed${code ? ` (${code})` : ''}`
  return new ModelError('MODEL_UNREACHABLE', message, true, null, { trouble: 'connectionBroke' })
}

const privateAddress = (url: URL): ModelError =>
  new ModelError('MODEL_REFUSED', `${url.host} lies in a private network; it is not called`, false, null, {
    trouble: 'privateAddress',
  })

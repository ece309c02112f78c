/** One HTTP exchange with a model server: a JSON question, a stream of bytes as its answer. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCode } from '@/server/shared/errors'
import { openCall, PrivateAddressError, type PrivateReach } from '../net'
import { ModelError, type ModelTrouble, stopped } from './model'

export type ExchangeLimits = {
  connectMs: number
  /** Until the first text or reasoning of an answer. */
  firstTokenMs: number
  totalMs: number
}

type ExchangeRequest = {
  url: URL
  headers: Record<string, string>
  body: string
  limits: ExchangeLimits
  signal: AbortSignal
  allowPrivate: PrivateReach
}

export interface ExchangeReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Rejects with the reason of an early end: a time limit, an abort, a lost connection. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The answer has begun: only the total time limit applies from now on. */
  begun(): void
  /** Release the connection. isWhole: the body was read to its end, so the connection can be reused; else it is closed. */
  close(isWhole: boolean): void
}

/** How long the server may take to end a body that is whole, before the connection is closed. */
const END_GRACE_MS = 1_000

/** Sends the request; resolves with the response head. Throws MODEL_UNREACHABLE, MODEL_TIME_LIMIT, MODEL_ABORTED, MODEL_REFUSED. */
export async function exchange({ url, limits, signal, ...question }: ExchangeRequest): Promise<ExchangeReply> {
  const ended = new AbortController()
  const deadlines = openDeadlines(limits, (why) => ended.abort(why))
  const onAbort = (): void => ended.abort(stopped())
  const settle = (): void => {
    deadlines.stop()
    signal.removeEventListener('abort', onAbort)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const call = { ...question, signal: ended.signal, onConnected: deadlines.connected, mayRepeat: true }
    const { statusCode: status, headers, body } = await openCall(url.href, call)
    return {
      status,
      headers,
      bytes: bytesOf(body, ended.signal),
      begun: deadlines.begun,
      close(isWhole) {
        settle()
        if (body.readableEnded) return
        if (!isWhole) return void body.destroy()
        const timer = setTimeout(() => body.destroy(), END_GRACE_MS)
        timer.unref()
        body.once('close', () => clearTimeout(timer))
        body.resume()
      },
    }
  } catch (error) {
    settle()
    throw error instanceof ModelError ? error : networkFault(error, url)
  }
}

async function* bytesOf(body: Readable, ended: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    // close() releases the connection: only it knows whether the body was read to its end.
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      if (piece instanceof Uint8Array) yield piece
    }
  } catch {
    throw ended.aborted ? ended.reason : broke()
  }
  ended.throwIfAborted()
}

const broke = (): ModelError =>
  new ModelError('MODEL_CUT', 'the connection broke in the middle of the answer', true, null, { trouble: 'cut' })

/** The three time limits of a call, each with its own error message. out: what ends the first, the second, and all */
function openDeadlines(limits: ExchangeLimits, expire: (why: ModelError) => void) {
  const after = (ms: number, what: string): (() => void) => {
    const message = `${what} within ${seconds(ms)}`
    const timer = setTimeout(
      () => expire(new ModelError('MODEL_TIME_LIMIT', message, true, null, { trouble: 'timeLimit' })),
      ms,
    )
    return () => clearTimeout(timer)
  }
  const connected = after(limits.connectMs, 'no connection to the server')
  const begun = after(limits.firstTokenMs, 'the model did not begin to answer')
  const finished = after(limits.totalMs, 'the answer was not finished')
  const stop = (): void => {
    for (const end of [connected, begun, finished]) end()
  }
  return { connected, begun, stop }
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

type NetworkFault = { trouble: ModelTrouble; again: boolean; says: (host: string) => string }

const NETWORK_FAULTS: Record<string, NetworkFault> = {
  ENOTFOUND: { trouble: 'hostUnknown', again: true, says: (host) => `there is no host called ${host}` },
  EAI_AGAIN: { trouble: 'hostUnknown', again: true, says: (host) => `the name ${host} cannot be looked up now` },
  ECONNREFUSED: { trouble: 'connectionRefused', again: true, says: (host) => `nothing answers at ${host}` },
}

/** A connection error as a fault. It names the host only, since a path or query may hold a secret. */
export function networkFault(error: unknown, url: URL): ModelError {
  if (error instanceof PrivateAddressError) {
    const message = `${url.host} lies in a private network; it is not called`
    return new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'privateAddress' })
  }
  const code = errorCode(error)
  const known = NETWORK_FAULTS[code]
  if (known) {
    const host = known.trouble === 'hostUnknown' ? url.hostname : url.host
    return new ModelError('MODEL_UNREACHABLE', known.says(host), known.again, null, { trouble: known.trouble })
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code)) {
    const message = `no safe connection to ${url.host} (${code})`
    return new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'certificate' })
  }
  if (error instanceof Error && error.name === 'HTTPParserError') {
    const message = `what answers at ${url.host} does not speak HTTP`
    return new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'wrongFormat' })
  }
  const message = `the connection to ${url.host} failed${code ? ` (${code})` : ''}`
  return new ModelError('MODEL_UNREACHABLE', message, true, null, { trouble: 'connectionBroke' })
}

/** One request to an address that somebody else named: a webhook, a push service, a callback. */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isPrivateByItself, PrivateAddressError, publicLookup } from './addresses'

/** limitMs: for the whole of it. */
export type OutboundRequest = {
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

/** The time for the call is over. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  constructor(readonly seconds: number) {
    super(`no answer within ${seconds} s`)
  }
}

const LIMIT_MS = 10_000
const ANSWER_BYTES = 16 * 1024

/**
 * in      allowPrivate: the configuration says that private addresses are meant
 * out     a function; rejects with PrivateAddressError, or with what the network says (Error)
 */
export function openOutbound({ allowPrivate }: { allowPrivate: boolean }): Outbound {
  return async (
    address,
    { method = 'POST', headers = {}, body, limitMs = LIMIT_MS, answerBytes = ANSWER_BYTES, signal },
  ) => {
    const url = new URL(address)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not called`)
    if (!allowPrivate && isPrivateByItself(url.hostname) === true) throw new PrivateAddressError(url.hostname)
    const limit = AbortSignal.timeout(limitMs)
    const bytes = body === undefined ? undefined : Buffer.from(body)
    return await new Promise<OutboundAnswer>((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const call = send(
        url,
        {
          method,
          headers: { ...headers, ...(bytes ? { 'Content-Length': String(bytes.length) } : {}) },
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
          agent: false,
          ...(allowPrivate ? {} : { lookup: publicLookup }),
        },
        (answer) => {
          const pieces: Buffer[] = []
          let size = 0
          const end = (): void => {
            const bytes = Buffer.concat(pieces).subarray(0, answerBytes)
            resolve({
              status: answer.statusCode ?? 0,
              headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
              // Whoever wants more than the first words wants the bytes.
              text: bytes.subarray(0, ANSWER_BYTES).toString('utf8'),
              bytes,
            })
          }
          answer.on('data', (piece: Buffer) => {
            pieces.push(piece)
            size += piece.length
            if (size < answerBytes) return
            end()
            answer.destroy()
          })
          answer.on('end', end)
          answer.on('error', reject)
        },
      )
      call.on('error', (error) => reject(limit.aborted ? new NoAnswerError(limitMs / 1_000) : error))
      call.end(bytes)
    })
  }
}

/** Reads the body of a request and writes JSON answers, for all adapters. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Protocol } from '@/lib/mas/outsideRecords'
import { excessOf } from '../shared/boundedJson'
import { SIGNATURE_HEADER } from './signatures'

type ReadBody = { ok: true; bytes: Buffer } | { ok: false; bytes: number }

/** The whole body; not ok: it is larger than the limit, and the rest was not read. Rejects when the connection ends. */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const announced = Number(request.headers['content-length'] ?? '0')
  if (announced > limit) return { ok: false, bytes: announced }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > limit) return { ok: false, bytes: size }
    pieces.push(bytes)
  }
  return { ok: true, bytes: Buffer.concat(pieces) }
}

/** An answer that has begun, or whose reader is gone, is left as it is. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return
  sendHead(response, status, headers)
  response.end(JSON.stringify(body))
}

/** Of a JSON answer. */
export function sendHead(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    // What is left of a body that was too large is not read: the connection ends with the answer.
    ...(status === 413 ? { Connection: 'close' } : {}),
    ...headers,
  })
}

/** By its Content-Type, whatever its parameters. */
export const isJson = (request: IncomingMessage): boolean =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === 'application/json'

/** The value, or undefined for what is no JSON in UTF-8, nests too deeply or has too many values. */
export function parseJson(bytes: Uint8Array): unknown {
  if (excessOf(bytes) !== null) return undefined
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/** The same for a large body whose depth and values were checked: the loop turns between decoding and parsing. */
export async function parseLargeJson(bytes: Uint8Array): Promise<unknown> {
  try {
    await nextTurn()
    const text = utf8.decode(bytes)
    await nextTurn()
    const value: unknown = JSON.parse(text)
    await nextTurn()
    return value
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The signature that came with a request; null: none did. */
export const signatureIn = (request: IncomingMessage, protocol: Protocol): string | null =>
  // A header that came twice is joined, and matches no signature.
  protocol === 'map' ? null : (request.headersDistinct[SIGNATURE_HEADER[protocol]]?.join() ?? null)

/** The query of a request. */
export const searchParamsOf = ({ url }: IncomingMessage): URLSearchParams =>
  new URL(url ?? '/', 'http://here').searchParams

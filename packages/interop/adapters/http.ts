/** Reads request bodies and writes JSON answers, for all adapters. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { withNumbersKept } from '@/lib/jsonNumbers'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import { excessOf } from '@/server/shared/boundedJson'
import { piecesOf, readAwayRest } from '@/server/shared/readAway'
import { SIGNATURE_HEADER } from './signatures'

type ReadBody = { ok: true; bytes: Buffer } | { ok: false; bytes: number }

/** out: the whole body; not ok: it exceeds the limit, and the rest was read away. Rejects when the connection ends */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const body = piecesOf(request)
  const announced = Number(request.headers['content-length'] ?? '0')
  const pieces: Buffer[] = []
  let size = 0
  if (announced <= limit) {
    for await (const piece of body) {
      size += piece.length
      if (size > limit) break
      pieces.push(piece)
    }
    if (size <= limit) return { ok: true, bytes: Buffer.concat(pieces) }
  }
  await readAwayRest(request)
  return { ok: false, bytes: Math.max(announced, size) }
}

/** Does nothing when the answer has begun or the reader is gone. */
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

/** Writes the status and headers of a JSON answer. */
export function sendHead(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    // The rest of a too large body is unread: the connection ends with the answer.
    ...(status === 413 ? { Connection: 'close' } : {}),
    ...headers,
  })
}

/** By Content-Type, ignoring its parameters. */
export const isJson = (request: IncomingMessage): boolean =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === 'application/json'

/**
 * out     the value; a number that parsing would change is a text with the same digits. undefined for invalid UTF-8 or JSON, too
 *         deep nesting or too many values
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (excessOf(bytes) !== null) return undefined
  try {
    const kept = withNumbersKept(utf8.decode(bytes))
    return kept === null ? undefined : JSON.parse(kept.text)
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const HEADERS: Partial<Record<Protocol, string>> = SIGNATURE_HEADER

/** The signature of a request; null: none. */
export function signatureIn(request: IncomingMessage, protocol: Protocol): string | null {
  const header = HEADERS[protocol]
  // Repeated headers are joined, and so match no signature.
  return header === undefined ? null : (request.headersDistinct[header]?.join() ?? null)
}

/** The parsed query of a request. */
export const searchParamsOf = ({ url }: IncomingMessage): URLSearchParams =>
  new URL(url ?? '/', 'http://here').searchParams

/** JSON bodies of requests, read while they arrive. */
import { Fault } from '@/lib/faults'
import { EXCESS_WORDS, JsonBounds, parseInTurns } from '../../shared/boundedJson'

/** Reads a JSON body. Throws NOT_JSON without the content type, TOO_LARGE (the rest stays unread), BAD_INPUT. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new Fault('NOT_JSON')
  const announced = Number(request.headers.get('content-length') ?? '0')
  if (announced > limit) {
    // A connection that is closed while its sender still writes is reset, and the refusal may be lost with it.
    if (announced <= 2 * limit) await discard(request)
    throw tooLarge(limit, announced)
  }
  const bounds = new JsonBounds()
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength
    if (size > limit) throw tooLarge(limit, size)
    bounds.read(next.value)
    if (bounds.excess !== null) throw new Fault('BAD_INPUT', { why: `The body ${EXCESS_WORDS[bounds.excess]}.` })
    pieces.push(next.value)
  }
  const read = await parseInTurns(Buffer.concat(pieces))
  if (read.ok) return read.value
  const why = read.why === 'number' ? `The body ${EXCESS_WORDS.number}.` : 'The body is not valid JSON.'
  throw new Fault('BAD_INPUT', { why })
}

async function discard(request: Request): Promise<void> {
  const reader = request.body?.getReader()
  while (reader && !(await reader.read()).done);
}

const tooLarge = (limit: number, size: number) =>
  new Fault('TOO_LARGE', { what: 'The body', limit: bytesInWords(limit), size: bytesInWords(size) })

/** 65536 → 64 KiB */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB']
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`
}

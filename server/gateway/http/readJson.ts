/** JSON bodies of requests, read while they arrive. */
import { Fault } from '@/lib/faults'
import { EXCESS_WORDS, JsonBounds, parseInTurns } from '../../shared/boundedJson'
import { readAway } from '../../shared/readAway'

/** Reads a JSON body. Throws NOT_JSON without the content type, TOO_LARGE, BAD_INPUT. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new Fault('NOT_JSON')
  const reader = request.body?.getReader()
  const next = async () => (await reader?.read()) ?? { done: true }
  try {
    const announced = Number(request.headers.get('content-length') ?? '0')
    if (announced > limit) throw tooLarge(limit, announced)
    return await parsed(await bytesOf(next, limit))
  } catch (refused) {
    await readAway(next)
    throw refused
  }
}

type Piece = { done: boolean; value?: Uint8Array | undefined }

/** Throws TOO_LARGE, and BAD_INPUT as soon as a part shows that the whole is too deep or has too many values. */
async function bytesOf(next: () => Promise<Piece>, limit: number): Promise<Buffer> {
  const bounds = new JsonBounds()
  const pieces: Uint8Array[] = []
  let size = 0
  for (let { done, value } = await next(); !done && value; { done, value } = await next()) {
    size += value.byteLength
    if (size > limit) throw tooLarge(limit, size)
    bounds.read(value)
    if (bounds.excess !== null) throw new Fault('BAD_INPUT', { why: `The body ${EXCESS_WORDS[bounds.excess]}.` })
    pieces.push(value)
  }
  return Buffer.concat(pieces)
}

async function parsed(bytes: Buffer): Promise<unknown> {
  const read = await parseInTurns(bytes)
  if (read.ok) return read.value
  const why = read.why === 'number' ? `The body ${EXCESS_WORDS.number}.` : 'The body is not valid JSON.'
  throw new Fault('BAD_INPUT', { why })
}

const tooLarge = (limit: number, size: number) =>
  new Fault('TOO_LARGE', { what: 'The body', limit: bytesInWords(limit), size: bytesInWords(size) })

/** 65536 → 64 KiB */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB']
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`
}

/**
 * Decisions that were appended together, as they lie in their rows: all of them squeezed as one text, which is cut over the
 * rows in equal pieces. Decisions of one moment are alike, so that one text of many takes less room than each against an
 * earlier one, and a quarter of the time; equal pieces fill a database's pages where one large blob would leave the last half empty.
 *
 * Owns: the bytes. Not here: which decisions make a group (decisionRows.ts), rows that stand alone (decisionPack.ts).
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { PackedBody, Unpacked } from './decisionPack'
import { NEWLINE, numberBytes, readNumber } from './packNumbers'

/** On disk, a blob's first byte; 1 and 2 are rows that stand alone. */
const GROUP = 3
/** The quickest that still finds what repeats; a window that holds the largest group. */
const SQUEEZE = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 17 }

export type GroupMember = { last: number; events: Buffer; bodies: readonly PackedBody[] }
/** A row as it is kept, under the number of its decision. */
export type KeptRow = { last: number; events: string | ArrayBuffer }
/** The numbers of a group's first and last decision. */
export type Span = { from: number; to: number }

/**
 * in   decisions in the order of their numbers
 * out  the row of each, in the same order
 */
export function packGroup<Member extends GroupMember>(
  members: readonly Member[],
): { member: Member; row: Uint8Array }[] {
  const sizes = members.map(({ events, bodies }) => [
    events.length,
    ...bodies.map(({ mime, bytes }) => [mime, bytes.length]),
  ])
  const texts = members.flatMap(({ events, bodies }) => [events, ...bodies.map(({ bytes }) => bytes)])
  const plain = Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...texts])
  const data = brotliCompressSync(plain, { params: { ...SQUEEZE, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } })
  const [from, to] = [members[0]?.last ?? 0, members.at(-1)?.last ?? 0]
  const cut = (n: number): number => Math.floor((n * data.length) / members.length)
  return members.map((member, n) => {
    const head = Buffer.from([GROUP, ...numberBytes(member.last - from), ...numberBytes(to - member.last)])
    return { member, row: Buffer.concat([head, data.subarray(cut(n), cut(n + 1))]) }
  })
}

/** Which group the row is a piece of; null: it stands alone. */
export function spanOf({ last, events }: KeptRow): Span | null {
  const piece = pieceOf(events)
  return piece && { from: last - piece.back, to: last + piece.ahead }
}

/** in: all rows of its span, in order; those that stand alone among them are passed over. */
export function unpackGroup(rows: readonly KeptRow[]): Map<number, Unpacked> {
  const pieces = rows.flatMap(({ last, events }) => {
    const piece = pieceOf(events)
    return piece ? [{ last, data: piece.data }] : []
  })
  const plain = brotliDecompressSync(Buffer.concat(pieces.map(({ data }) => data)))
  const end = plain.indexOf(NEWLINE)
  const sizes = JSON.parse(plain.toString('utf8', 0, end)) as [number, ...[string, number][]][]
  let at = end + 1
  const take = (length: number): Buffer => {
    at += length
    return plain.subarray(at - length, at)
  }
  const members = new Map<number, Unpacked>()
  for (const [n, { last }] of pieces.entries()) {
    const [eventBytes, ...bodies] = sizes[n] ?? []
    if (eventBytes === undefined) break
    members.set(last, {
      events: take(eventBytes),
      bodies: bodies.map(([mime, length]) => ({ mime, bytes: take(length) })),
    })
  }
  if (members.size !== sizes.length || members.size !== pieces.length)
    throw new Error(`a group of ${sizes.length} decisions lies in ${pieces.length} rows`)
  return members
}

function pieceOf(kept: string | ArrayBuffer): { back: number; ahead: number; data: Uint8Array } | null {
  if (typeof kept === 'string') return null
  const blob = new Uint8Array(kept)
  if (blob[0] !== GROUP) return null
  const back = readNumber(blob, 1)
  const ahead = readNumber(blob, back.next)
  return { back: back.number, ahead: ahead.number, data: blob.subarray(ahead.next) }
}

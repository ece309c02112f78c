/**
 * A decision as it lies in its own row: the JSON of its events and the small bodies that came with it, deflated as one text,
 * since bodies repeat what events show of them. Rows of one kind repeat each other as well (names, ids, hashes), so a row
 * may be deflated against the events of an earlier one, which then stands in no need of a third.
 *
 * Owns: the bytes. Not here: which row is taken for another (decisionRows.ts).
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { DICTIONARY, unpackText } from './eventText'
import { NEWLINE, numberBytes, readNumber } from './packNumbers'

/** On disk, a blob's first byte; 1 is eventText.ts, 3 decisionGroup.ts. Never change what a number means, add another. */
const BUNDLE = 2
/** Text this short holds nothing that could be saved. */
const WORTH_BYTES = 160
/** The end of a row's events that a later row may be deflated against: more costs time at each row. */
const BASE_BYTES = 8 * 1024
const WINDOW = { windowBits: 14, memLevel: 6, level: 1 }

export type PackedBody = { mime: string; bytes: Uint8Array }
/** `events`: the JSON text of a list. */
export type Unpacked = { events: Buffer; bodies: PackedBody[] }
/** A row that others are deflated against. */
export type Base = { last: number; events: Buffer }

/** Whether there is enough of it to be packed at all. */
export const isWorthPacking = (events: Buffer, bodies: readonly PackedBody[]): boolean =>
  bodies.length > 0 || events.length >= WORTH_BYTES

/**
 * in      the row's number, the JSON text of its events, bodies and, if there is one, an earlier row that it is like
 * out     the row's text or blob
 */
export function packDecision(
  last: number,
  events: Buffer,
  bodies: readonly PackedBody[],
  base: Base | null,
): string | Uint8Array {
  if (!isWorthPacking(events, bodies)) return events.toString()
  return deflated(events, bodies, base ? last - base.last : 0, base?.events ?? null)
}

/** back: how many numbers before this row its base stands, 0 when it has none. */
function deflated(events: Buffer, bodies: readonly PackedBody[], back: number, base: Buffer | null): Buffer {
  const header = Buffer.from(
    `${JSON.stringify([events.length, ...bodies.map(({ mime, bytes }) => [mime, bytes.length])])}\n`,
  )
  const plain = Buffer.concat([header, events, ...bodies.map(({ bytes }) => bytes)])
  const data = deflateRawSync(plain, { ...WINDOW, dictionary: dictionaryOf(base) })
  return Buffer.concat([Buffer.from([BUNDLE, ...numberBytes(back)]), data])
}

/** A row once more without some of its bodies. Its events stay to the byte: later rows are deflated against them. */
export function repackDecision(
  last: number,
  kept: string | ArrayBuffer,
  stays: (body: PackedBody) => boolean,
  eventsOf: (last: number) => Buffer,
): string | Uint8Array {
  const { events, bodies } = unpackDecision(last, kept, eventsOf)
  const left = bodies.filter(stays)
  if (typeof kept === 'string' || left.length === bodies.length)
    return typeof kept === 'string' ? kept : new Uint8Array(kept)
  if (!isWorthPacking(events, left)) return events.toString()
  const { number: back } = readNumber(new Uint8Array(kept), 1)
  return deflated(events, left, back, back === 0 ? null : eventsOf(last - back))
}

/** in: the row as kept; the events of the row with that number. */
export function unpackDecision(last: number, kept: string | ArrayBuffer, eventsOf: (last: number) => Buffer): Unpacked {
  if (typeof kept === 'string') return { events: Buffer.from(kept), bodies: [] }
  const blob = new Uint8Array(kept)
  if (blob[0] !== BUNDLE) return { events: Buffer.from(unpackText(blob)), bodies: [] }
  const { number: back, next } = readNumber(blob, 1)
  const dictionary = dictionaryOf(back === 0 ? null : eventsOf(last - back))
  const plain = inflateRawSync(blob.subarray(next), { dictionary })
  const end = plain.indexOf(NEWLINE)
  const [eventBytes, ...sizes] = JSON.parse(plain.toString('utf8', 0, end)) as [number, ...[string, number][]]
  let at = end + 1
  const take = (length: number): Buffer => {
    at += length
    return plain.subarray(at - length, at)
  }
  return { events: take(eventBytes), bodies: sizes.map(([mime, length]) => ({ mime, bytes: take(length) })) }
}

const dictionaryOf = (events: Buffer | null): Buffer => (events === null ? DICTIONARY : events.subarray(-BASE_BYTES))

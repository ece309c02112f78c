/**
 * A decision as it lies in its row: the JSON of its events and the small bodies that came with it, deflated as one text,
 * since bodies repeat what events show of them. Rows of one kind repeat each other as well (names, ids, hashes), so a row
 * may be deflated against the events of an earlier one, which then stands in no need of a third.
 *
 * Owns: the bytes. Not here: which row is taken for another (decisionRows.ts).
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { NewBody } from '../interfaces'
import { DICTIONARY, unpackText } from './eventText'

/** On disk, a blob's first byte; 1 is eventText.ts. Never change what a number means, add another. */
const BUNDLE = 2
/** Text this short holds nothing that could be saved. */
const WORTH_BYTES = 160
/** The end of a row's events that a later row may be deflated against: more costs time at each row. */
const BASE_BYTES = 8 * 1024
const WINDOW = { windowBits: 14, memLevel: 6, level: 1 }
const NEWLINE = 0x0a

export type PackedBody = { mime: string; bytes: Uint8Array }
/** `events`: the JSON text of a list. */
export type Unpacked = { events: Buffer; bodies: PackedBody[] }
/** A row that others are deflated against. */
export type Base = { last: number; events: Buffer }

/**
 * in      each event's JSON; bodies; the row's number and, if there is one, an earlier row that it is like
 * out     the row's text or blob, and its events as a base for others
 */
export function packDecision(
  last: number,
  texts: readonly string[],
  bodies: readonly NewBody[],
  base: Base | null,
): { row: string | Uint8Array; events: Buffer } {
  const json = `[${texts.join(',')}]`
  const events = Buffer.from(json)
  if (bodies.length === 0 && json.length < WORTH_BYTES) return { row: json, events }
  return { row: deflated(events, bodies, base ? last - base.last : 0, base?.events ?? null), events }
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
  if (left.length === 0 && events.length < WORTH_BYTES) return events.toString()
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

/** A whole number, seven bits a byte, the lowest first; the high bit says that more follow. */
function numberBytes(number: number): number[] {
  const bytes: number[] = []
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}

function readNumber(blob: Uint8Array, from: number): { number: number; next: number } {
  let number = 0
  for (let at = from, unit = 1; ; at += 1, unit *= 128) {
    const byte = blob[at]
    if (byte === undefined) throw new Error('a row ends within its first number')
    number += (byte % 128) * unit
    if (byte < 128) return { number, next: at + 1 }
  }
}

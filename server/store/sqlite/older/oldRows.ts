/** Rows of older files: JSON, deflated against a dictionary or an earlier row, or a piece of a squeezed group. Read only. */
import { brotliDecompressSync, inflateRawSync } from 'node:zlib'
import { recentMap } from '../../../shared/recentMap'
import type { StoredEvent } from '../../interfaces'

export type OldBody = { mime: string; bytes: Uint8Array }
type Unpacked = { events: Buffer; bodies: OldBody[] }
type Kept = string | ArrayBuffer
type KeptRow = { last: number; events: Kept }

/** How rows are read: of one number, of numbers from one to another, in order. */
type OldRowSource = { row(last: number): Kept | undefined; rows(from: number, to: number): KeptRow[] }

/** A blob's first byte. */
const [ALONE, BUNDLE, GROUP] = [1, 2, 3]
const LINE_FEED = 0x0a
/** The end of a row's events that a later row may be deflated against. */
const BASE_BYTES = 8 * 1024
const REMEMBERED_BASES = 50
const REMEMBERED_GROUPS = 16

/** out: what is in a row. faults: Error: it is damaged */
export function oldRowReader(
  source: OldRowSource,
): (last: number, kept: Kept) => { events: StoredEvent[]; bodies: OldBody[] } {
  const bases = recentMap<number, Buffer>(REMEMBERED_BASES)
  const groups = recentMap<number, Map<number, Unpacked>>(REMEMBERED_GROUPS)

  function eventsOfBase(last: number): Buffer {
    return bases.getOrMake(last, () => {
      const kept = source.row(last)
      if (kept === undefined) throw new Error(`the decision ${last} is gone`)
      return unpack(last, kept).events
    })
  }

  function unpack(last: number, kept: Kept): Unpacked {
    if (typeof kept === 'string') return { events: Buffer.from(kept), bodies: [] }
    const blob = new Uint8Array(kept)
    if (blob[0] === ALONE) return { events: inflateRawSync(blob.subarray(1), { dictionary: DICTIONARY }), bodies: [] }
    if (blob[0] === BUNDLE) return unpackBundle(last, blob)
    if (blob[0] === GROUP) return memberOf(last, blob)
    throw new Error(`a row in the form ${blob[0]}, which no version wrote`)
  }

  function unpackBundle(last: number, blob: Uint8Array): Unpacked {
    const { number: back, next } = readNumber(blob, 1)
    const dictionary = back === 0 ? DICTIONARY : eventsOfBase(last - back).subarray(-BASE_BYTES)
    const plain = inflateRawSync(blob.subarray(next), { dictionary })
    const end = plain.indexOf(LINE_FEED)
    const [eventBytes, ...sizes] = JSON.parse(plain.toString('utf8', 0, end)) as [number, ...[string, number][]]
    const take = taker(plain, end + 1)
    return { events: take(eventBytes), bodies: sizes.map(([mime, length]) => ({ mime, bytes: take(length) })) }
  }

  function memberOf(last: number, blob: Uint8Array): Unpacked {
    const { back, ahead } = pieceOf(blob)
    const [from, to] = [last - back, last + ahead]
    const member = groups.getOrMake(from, () => unpackGroup(source.rows(from, to))).get(last)
    if (!member) throw new Error(`the decision ${last} is no part of the group of ${from}`)
    return member
  }

  return (last, kept) => {
    const { events, bodies } = unpack(last, kept)
    const parsed: unknown = JSON.parse(events.toString())
    // A row that was written one event at a time holds no list.
    return { events: (Array.isArray(parsed) ? parsed : [parsed]) as StoredEvent[], bodies }
  }
}

/** in: all rows of a group's span, in order; those that stand alone among them are passed over. */
function unpackGroup(rows: readonly KeptRow[]): Map<number, Unpacked> {
  const pieces = rows.flatMap(({ last, events }) => {
    const blob = typeof events === 'string' ? null : new Uint8Array(events)
    return blob && blob[0] === GROUP ? [{ last, data: pieceOf(blob).data }] : []
  })
  const plain = brotliDecompressSync(Buffer.concat(pieces.map(({ data }) => data)))
  const end = plain.indexOf(LINE_FEED)
  const sizes = JSON.parse(plain.toString('utf8', 0, end)) as [number, ...[string, number][]][]
  if (sizes.length !== pieces.length)
    throw new Error(`a group of ${sizes.length} decisions lies in ${pieces.length} rows`)
  const take = taker(plain, end + 1)
  const members = new Map<number, Unpacked>()
  for (const [n, { last }] of pieces.entries()) {
    const [eventBytes, ...bodies] = sizes[n] ?? []
    if (eventBytes === undefined) break
    members.set(last, {
      events: take(eventBytes),
      bodies: bodies.map(([mime, length]) => ({ mime, bytes: take(length) })),
    })
  }
  return members
}

function taker(plain: Buffer, start: number): (length: number) => Buffer {
  let at = start
  return (length) => {
    at += length
    return plain.subarray(at - length, at)
  }
}

function pieceOf(blob: Uint8Array): { back: number; ahead: number; data: Uint8Array } {
  const back = readNumber(blob, 1)
  const ahead = readNumber(blob, back.next)
  return { back: back.number, ahead: ahead.number, data: blob.subarray(ahead.next) }
}

/** A whole number, seven bits a byte, the lowest first; the high bit says that more follow. */
function readNumber(blob: Uint8Array, from: number): { number: number; next: number } {
  let number = 0
  for (let at = from, unit = 1; ; at += 1, unit *= 128) {
    const byte = blob[at]
    if (byte === undefined) throw new Error('a row ends within its first number')
    number += (byte % 128) * unit
    if (byte < 128) return { number, next: at + 1 }
  }
}

/** The dictionary of single rows. It never changes. */
const DICTIONARY = Buffer.from(
  '","by":"reason":"stage.agentStateChanged","state":"working","message.receipt","state":"acknowledged","note":null}' +
    '"message.sent","v":1,"sender":"system:task","receivers":[""],"needReply":false,"waiting":null,"returnWaiting":null,' +
    '"instruction":null,"dispatch":"","answersRequest":null,"replyTo":null,"attachments":[],"mention":false,"fromStep":' +
    '{"type":"step.started","v":1,"task":"","agent":"","step":"","node":"","epoch":1,"attempt":1},' +
    '{"type":"info.shared","v":1,"task":"","agent":"","line":{"role":"","stage":"","content":""}},' +
    '{"type":"step.inserted","v":1,"position":0,' +
    '{"type":"step.added","v":1,"task":"","agent":"","step":"","stage":"","thread":null,"intention":"","kind":"tool",' +
    '"kind":"skill","executor":"","text":"","cause":{"message":null,"step":null},"answers":null,"boundTo":null,' +
    '"retryOf":null,"byHand":false,"last":false}' +
    '{"type":"model.called","v":1,"task":"","agent":"","step":"","call":{"id":"","attempt":1,"model":"","modelVersion":"",' +
    '"prompt":{"sections":[{"name":"system_prompt","role":"system","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
    '{"name":"agent_role","role":"system","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
    '{"name":"current_step/rules","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
    '{"name":"history_step","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"application/vnd.convene.history+json"}},' +
    '{"name":"persistent_memory","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}}]},' +
    '"answer":{"sha":"","bytes":,"preview":"","mime":"text/plain"},"outcome":"taken","error":null,"promptTokens":null,' +
    '"completionTokens":null,"estimated":true,"costUsd":0,"firstTokenMs":,"totalMs":,"at":}},' +
    '{"type":"step.finished","v":1,"task":"","agent":"","step":"","result":{"kind":"json","kind":"text","text":"",' +
    '"body":null,"body":{"sha":"","bytes":,"preview":"","mime":"text/markdown"},"made":null},"repairs":[]},',
)

/** The content of a decision: the texts of its entries and small bodies, in one row. A short one without bodies is plain JSON. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { dataSeal } from '../../shared/chain'
import { type DecisionTexts, NO_TEXTS, textsIn } from '../../shared/entryRows'
import { decodeText } from '../database/columns'
import { CONTENT_WORDS } from './contentWords'
import { DEFLATED, PLAIN } from './journal.sql'

export type ContentRow = { packed: number; data: string | Uint8Array; seal: number }
export type KeptContent = { packed: number; data: ArrayBuffer; seal: number }
export type DecisionContent = { texts: DecisionTexts; bodies: Buffer }

/** Shorter texts are not compressed: they can be read by hand, and compression would save little. */
const PLAIN_BYTES = 600
const WORDS = { dictionary: Buffer.from(CONTENT_WORDS) }
/** A window of 8 KiB holds the words and a content of up to SMALL_BYTES: the same size for half of the time. */
const SMALL_WORDS = { ...WORDS, windowBits: 13, memLevel: 5 }
const SMALL_BYTES = 3 * 1024
const LINE_FEED = Buffer.from('\n')

/** in: DecisionTexts as JSON; bodies joined. out: null: nothing to store */
export function packContent(texts: string, bodies: Buffer): ContentRow | null {
  if (texts === NO_TEXTS && bodies.length === 0) return null
  if (bodies.length === 0 && texts.length <= PLAIN_BYTES) return { packed: PLAIN, data: texts, seal: dataSeal(texts) }
  const json = Buffer.from(`${texts}\n`)
  return deflateContent(bodies.length === 0 ? json : Buffer.concat([json, bodies]))
}

/** in: texts, a line feed, bodies */
export function deflateContent(plain: Uint8Array): ContentRow {
  const data = deflateRawSync(plain, plain.length <= SMALL_BYTES ? SMALL_WORDS : WORDS)
  return { packed: DEFLATED, data, seal: dataSeal(data) }
}

/** faults: Error: damaged */
export function unpackContent({ packed, data, seal }: KeptContent): DecisionContent {
  const kept = new Uint8Array(data)
  if (dataSeal(kept) !== seal) throw new Error('its content is another one')
  if (packed === PLAIN) return { texts: textsIn(decodeText(data)), bodies: Buffer.alloc(0) }
  if (packed !== DEFLATED) throw new Error('its content has no known form')
  const plain = inflateRawSync(kept, WORDS)
  const end = plain.indexOf(LINE_FEED)
  if (end < 0) throw new Error('its content has no end of texts')
  return { texts: textsIn(plain.toString('utf8', 0, end)), bodies: plain.subarray(end + 1) }
}

/** The bodies without some of them: replaced by zeros, so that the others keep their positions. */
export function withoutBodies(bodies: Buffer, gone: readonly { start: number; bytes: number }[]): Buffer {
  const left = Buffer.from(bodies)
  for (const { start, bytes } of gone) left.fill(0, start, start + bytes)
  return left
}

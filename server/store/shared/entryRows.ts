/** Events in the form of every store: canonical JSON with marks instead of texts, and the texts separately. */
import type { StoredEvent } from '../interfaces'
import { type EntryTexts, isKept, SALT_BYTES, takeTexts } from './texts'

/** Texts by the number of their entry. */
export type DecisionTexts = Record<string, EntryTexts>

/** The row of an entry: its event with marks, and its texts as JSON (null: none) with their number. */
export type EntryParts = { event: string; texts: number; content: string | null }

/** Returns a new salt at each call. */
export type Salts = () => string

/** Drawn many at a time: a draw takes some 3 µs, whatever its length, and a batch of 200 decisions needs 400 salts. */
const SALTS_DRAWN = 256

export function saltsOf(random: (n: number) => Uint8Array): Salts {
  let [bytes, at] = [Buffer.alloc(0), 0]
  return () => {
    if (at === bytes.length) [bytes, at] = [Buffer.from(random(SALT_BYTES * SALTS_DRAWN)), 0]
    at += SALT_BYTES
    return bytes.toString('base64url', at - SALT_BYTES, at)
  }
}

/** faults: TypeError: a value that is not JSON */
export const entryRows = (events: readonly StoredEvent[], salts: Salts): EntryParts[] =>
  events.map((event) => {
    const { event: row, texts, count } = takeTexts(event, salts)
    return { event: row, texts: count, content: texts }
  })

export const NO_TEXTS = '{}'

/** DecisionTexts as JSON. in: the rows; the number of the first one */
export function textsJson(rows: readonly EntryParts[], first: number): string {
  let json = ''
  for (const [n, { content }] of rows.entries())
    if (content !== null) json += `${json === '' ? '' : ','}"${first + n}":${content}`
  return json === '' ? NO_TEXTS : `{${json}}`
}

/** in: texts as JSON. faults: Error: not texts of entries */
export function textsIn(json: string): DecisionTexts {
  const texts: unknown = JSON.parse(json)
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    throw new Error('its texts are no JSON object')
  for (const [seq, own] of Object.entries(texts)) {
    if (!/^[1-9]\d*$/.test(seq) || typeof own !== 'object' || own === null || Array.isArray(own))
      throw new Error('its texts belong to no entry')
    if (isKept(own) && typeof own.salt !== 'string') throw new Error('its texts have no salt')
  }
  return texts as DecisionTexts
}

/** Events in the form of every store: canonical JSON with marks instead of texts, and the texts separately. */
import type { StoredEvent } from '../interfaces'
import { canonicalJson } from './canonicalJson'
import { type EntryTexts, isKept, SALT_BYTES, takeTexts } from './texts'

/** Texts by the number of their entry. */
export type DecisionTexts = Record<string, EntryTexts>

/** The rows of a decision's entries, and their texts. */
export type EntryRows = { rows: { event: string; texts: number }[]; texts: DecisionTexts }

/** Returns a new salt at each call. */
export type Salts = () => string

/** Number of salts per refill. */
export function saltsOf(random: (n: number) => Uint8Array, most: number): Salts {
  const bytes = Buffer.from(random(SALT_BYTES * most))
  let at = 0
  return () => {
    at += SALT_BYTES
    return bytes.toString('base64url', at - SALT_BYTES, at)
  }
}

/** in: events; the number of the first one. faults: TypeError: a value that is not JSON */
export function entryRows(events: readonly StoredEvent[], first: number, salts: Salts): EntryRows {
  const texts: DecisionTexts = {}
  const rows = events.map((event, n) => {
    const parted = takeTexts(event, salts)
    if (parted.texts) texts[first + n] = parted.texts
    return { event: canonicalJson(parted.event), texts: parted.count }
  })
  return { rows, texts }
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

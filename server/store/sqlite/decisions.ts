/** Writing a decision: its row, the rows of its entries, their texts and small bodies beside them. */
import type { StoredEvent } from '../interfaces'
import { canonicalJson } from '../shared/canonicalJson'
import { SALT_BYTES, takeTexts } from '../shared/texts'
import { chainHash, type DecisionHeader, decisionSeal } from './chain'
import type { SqliteConnection } from './connection'
import { type DecisionTexts, packContent } from './content'

/** The rows of a decision's entries, and the texts that are parted from them. */
export type EntryRows = { rows: { event: string; texts: number }[]; texts: DecisionTexts }

/** What a decision's row holds beside its header. bundle: its small bodies, one after the other. */
export type DecisionMore = { known: 0 | 1; until: number | null; reply: string | null; bundle: Buffer }

export const NO_BODIES = Buffer.alloc(0)

/** Gives a fresh salt at each call. */
export type Salts = () => string

/** Salts, up to so many. */
export function saltsOf(random: (n: number) => Uint8Array, most: number): Salts {
  const bytes = Buffer.from(random(SALT_BYTES * most))
  let at = 0
  return () => {
    at += SALT_BYTES
    return bytes.toString('base64url', at - SALT_BYTES, at)
  }
}

/** in: events, the first of which gets that number. faults: TypeError: something that is not JSON */
export function entryRows(events: readonly StoredEvent[], first: number, salts: Salts): EntryRows {
  const texts: DecisionTexts = {}
  const rows = events.map((event, n) => {
    const parted = takeTexts(event, salts)
    if (parted.texts) texts[first + n] = parted.texts
    return { event: canonicalJson(parted.event), texts: parted.count }
  })
  return { rows, texts }
}

export type DecisionWriter = {
  /**
   * Inside a transaction of the caller's.
   *
   * in      before: the hash of the decision before, in hex
   * out     its own; the bytes of its events and texts, and those of its content that its bodies take
   */
  insert(
    before: string,
    header: DecisionHeader,
    entries: EntryRows,
    more: DecisionMore,
  ): { hash: string; bytes: number; bodyBytes: number }
}

export function decisionWriter(query: SqliteConnection['query']): DecisionWriter {
  const decisionInsert = query('insert into decision values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const entryInsert = query('insert into entry (seq, last, texts, event) values (?, ?, ?, ?)')
  const contentInsert = query('insert into content values (?, ?, ?, ?)')
  return {
    insert(before, header, { rows, texts }, { known, until, reply, bundle }) {
      const { first, last, at, by, command } = header
      const hash = chainHash(
        before,
        header,
        rows.map(({ event }) => event),
      )
      const seal = decisionSeal(last, known, until, reply)
      decisionInsert.run(last, first, command, by, at, known, until, reply, Buffer.from(hash, 'hex'), seal)
      let bytes = 0
      for (const [n, { event, texts }] of rows.entries()) {
        entryInsert.run(first + n, last, texts, event)
        bytes += event.length
      }
      const content = packContent(texts, bundle)
      if (content) contentInsert.run(last, content.packed, content.data, content.seal)
      if (!content) return { hash, bytes, bodyBytes: 0 }
      const { data, textBytes } = content
      return {
        hash,
        bytes: bytes + textBytes,
        bodyBytes: Math.round((data.length * bundle.length) / (textBytes + bundle.length)),
      }
    },
  }
}

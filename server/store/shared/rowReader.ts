/** Rows of entries and decisions, in any store: decoded, and checked against their marks, seals and hashes. */
import { errorMessage } from '@/server/shared/errors'
import { StoreDamagedError } from '../errors'
import type { StoredEntry, StoredEvent } from '../interfaces'
import { chainHash, type DecisionHeader, decisionSeal } from './chain'
import { type EntryTexts, faultIn, putTexts } from './texts'

/** A row of `entry`; event: JSON, with marks instead of texts. */
export type EventRow = { seq: number; last: number; texts: number; event: string }
/** With the columns of its decision, which are null if that is missing. */
type EntryRow = EventRow & { at: number | null; by: string | null; cause: string | null }
/** hash: in hex */
export type SealedDecision = DecisionHeader & {
  known: number
  until: number | null
  reply: string | null
  hash: string
  seal: number
}
/** before: the possible hashes of the decision before; null: any. first: its number */
export type ExpectedPlace = { before: ReadonlySet<string> | null; first: number }
/** why: the damage; null: none */
export type CheckedDecision = { hash: string; why: { entry: number | null; why: string } | null }

/** in: file: where damage is reported. What it gives throws StoreDamagedError. */
export function rowReader(file: string) {
  const damaged = (decision: number | null, entry: number | null, why: string, at = file): StoreDamagedError =>
    new StoreDamagedError({ file: at, decision, entry, why })

  /** faults: StoreDamagedError instead of any other */
  function attempt<T>(decision: number, entry: number | null, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw damaged(decision, entry, errorMessage(error))
    }
  }

  function eventIn({ seq, last, event }: Omit<EventRow, 'texts'>): StoredEvent {
    const parsed: unknown = attempt(last, seq, () => JSON.parse(event))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw damaged(last, seq, 'it is no event')
    return parsed as StoredEvent
  }

  function entryIn(row: EntryRow, own: EntryTexts | null): StoredEntry {
    const { seq, last, texts, at, by, cause } = row
    if (at === null || by === null || cause === null) throw damaged(last, seq, 'its decision is missing')
    const event = eventIn(row)
    if (texts > 0) {
      const put = own === null ? 0 : attempt(last, seq, () => putTexts(event, own))
      if (put !== texts) throw damaged(last, seq, `it has ${put} of its ${texts} texts`)
    }
    return { seq, at, by, cause, event }
  }

  /** in: the rows of a decision and of its entries in order, with their texts. out: its hash, and its damage */
  function checkDecision<Row extends EventRow>(
    row: SealedDecision,
    entries: readonly Row[],
    { before, first }: ExpectedPlace,
    textsOf: (entry: Row) => EntryTexts | null,
  ): CheckedDecision {
    const events = entries.map(({ event }) => event)
    const hashes = [...(before ?? [])].map((one) => chainHash(one, row, events))
    const isChained = before === null || hashes.includes(row.hash)
    const hash = isChained ? row.hash : (hashes[0] ?? row.hash)
    const wrong = (why: string, entry: number | null = null) => ({ hash, why: { entry, why } })
    const { last, known, until, reply } = row
    if (row.first !== first) return wrong(`it begins at ${row.first}, not at ${first}`)
    if (last < first || entries.length !== last - first + 1)
      return wrong(`it has ${entries.length} of its entries ${first} to ${last}`)
    const stray = entries.find((entry) => entry.last !== last)
    if (stray) return wrong('the entry names another decision', stray.seq)
    try {
      for (const entry of entries) {
        const fault = faultIn(eventIn(entry), textsOf(entry), entry.texts)
        if (fault !== null) return wrong(fault, entry.seq)
      }
    } catch (error) {
      if (error instanceof StoreDamagedError) return wrong(error.damage.why, error.damage.entry)
      throw error
    }
    if (decisionSeal(last, known, until, reply) !== row.seal) return wrong('its outcome is another one')
    return isChained ? { hash, why: null } : wrong('its hash is another one')
  }

  return { damaged, attempt, entryIn, checkDecision }
}

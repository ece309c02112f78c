/** Rows of entries and decisions, in any store: decoded, and checked against their seals and hashes. */
import { errorMessage } from '@/server/shared/errors'
import { StoreDamagedError } from '../errors'
import type { StoredEntry, StoredEvent } from '../interfaces'
import { chainHash, type DecisionHeader, decisionSeal } from './chain'
import { type EntryParts, entryHash, eraserOf } from './entryRows'

/** A row of `entry` with the columns of its decision, which are null if that is missing. */
type EntryRow = { seq: number; last: number; event: string; at: number | null; by: string | null; cause: string | null }
export type CheckedRow = EntryParts & { seq: number; last: number }
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
export type CheckedDecision = {
  hash: string
  why: { entry: number | null; why: string } | null
  /** Rows without a text, with the entry that erased each: they are not checked here. */
  erased: readonly ErasedRow[]
}
export type ErasedRow = { seq: number; by: number }

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

  function entryIn({ seq, last, event, at, by, cause }: EntryRow): StoredEntry {
    if (at === null || by === null || cause === null) throw damaged(last, seq, 'its decision is missing')
    const parsed: unknown = attempt(last, seq, () => JSON.parse(event))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw damaged(last, seq, 'it is no event')
    return { seq, at, by, cause, event: parsed as StoredEvent }
  }

  return { damaged, attempt, entryIn }
}

/** in: the rows of a decision and of its entries in order. out: its hash, and its damage */
export function checkDecision(
  row: SealedDecision,
  entries: readonly CheckedRow[],
  { before, first }: ExpectedPlace,
): CheckedDecision {
  const rows = entries.map(({ hash }) => hash)
  const hashes = [...(before ?? [])].map((one) => chainHash(one, row, rows))
  const isChained = before === null || hashes.includes(row.hash)
  const hash = isChained ? row.hash : (hashes[0] ?? row.hash)
  const erased = entries.flatMap((entry) => {
    const by = eraserOf(entry)
    return by === null ? [] : [{ seq: entry.seq, by }]
  })
  const isErased = (seq: number): boolean => erased.some((row) => row.seq === seq)
  const wrong = (why: string, entry: number | null = null) => ({ hash, why: { entry, why }, erased })
  const { last, known, until, reply } = row
  if (row.first !== first) return wrong(`it begins at ${row.first}, not at ${first}`)
  if (last < first || entries.length !== last - first + 1)
    return wrong(`it has ${entries.length} of its entries ${first} to ${last}`)
  const stray = entries.find((entry) => entry.last !== last)
  if (stray) return wrong('the entry names another decision', stray.seq)
  const changed = entries.find((entry) => entryHash(entry.nonce, entry.event) !== entry.hash && !isErased(entry.seq))
  if (changed) return wrong('its hash is another one', changed.seq)
  if (decisionSeal(last, known, until, reply) !== row.seal) return wrong('its outcome is another one')
  return isChained ? { hash, why: null, erased } : wrong('its hash is another one')
}

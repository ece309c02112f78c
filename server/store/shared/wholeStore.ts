/** A store read as a whole, row by row: for a check and a move. Any row may be damaged. */
import * as z from 'zod'
import type { Damage } from '../errors'
import type { DecisionHeader, SealedOutcome } from './chain'
import type { EntryParts } from './entryRows'
import type { CheckedDecision, ErasedRow, ExpectedPlace } from './rowReader'
import type { Tables } from './tables'

/** hash: of the last decision, in hex */
export type WholeHead = { journal: string; seq: number; at: number; epoch: number; hash: string }
/** For another store: numbers, times, texts and hashes do not change. known: 1: it is the first outcome of its command */
export type MovedDecision = DecisionHeader & {
  rows: readonly EntryParts[]
  known: number
  until: number | null
  reply: string | null
  hash: string
}

/** As stored. entries: how many */
export type WholeDecision = Pick<MovedDecision, 'first' | 'last' | 'hash'> & {
  entries: number
  /** See checkDecision of rowReader.ts. faults: StoreDamagedError: it cannot be read */
  check(expected: ExpectedPlace): CheckedDecision
  /** faults: StoreDamagedError: it cannot be read */
  moved(): MovedDecision
}

/** Its methods throw errors of the store. */
export type WholeStore = {
  /** Where damage is reported. */
  readonly file: string
  readonly tables: Tables
  /** isWhole: whether its checksum is correct */
  head(): Promise<WholeHead & { isWhole: boolean }>
  /** The last decision before that entry; null: none. */
  before(seq: number): Promise<Pick<WholeDecision, 'last' | 'hash'> | null>
  /** In order; those behind `after` that begin at `to` at the latest. */
  decisions(after: number, to?: number): AsyncIterable<WholeDecision>
  /** The text of an event; null: there is no such entry. */
  textOf(seq: number): Promise<string | null>
  /** A row of no decision; null: none. in: the number of the last entry */
  stray(last: number): Promise<{ last: number | null; seq: number | null } | null>
  /** Of commands without entries. outcome null: an unreadable row */
  outcomes(): AsyncIterable<{ outcome: SealedOutcome | null; isWhole: boolean }>
  /** fault: the damage of its row or bytes; null: none */
  bodies(): AsyncIterable<{ sha: string; fault(): Promise<Damage | null> }>
  /** Damage of what only this kind of store has. */
  otherDamage(): Promise<Damage[]>
  /** What a failed read says about the data. Throws it again if it says nothing. */
  damageIn(error: unknown): Damage
}

/** out: the first of these rows that no `task.erased` covers; null: none */
export function uncoveredIn({ textOf }: Pick<WholeStore, 'textOf'>) {
  const covers = new Map<number, Promise<{ from: number; to: number } | null>>()
  const coverOf = async (by: number): Promise<{ from: number; to: number } | null> => {
    const event = Erasing.safeParse(parsed((await textOf(by)) ?? ''))
    return event.success ? event.data : null
  }
  return async (rows: readonly ErasedRow[]): Promise<number | null> => {
    for (const { seq, by } of rows) {
      const known = covers.get(by) ?? coverOf(by)
      covers.set(by, known)
      const cover = await known
      if (cover === null || seq < cover.from || seq > cover.to || by <= cover.to) return seq
    }
    return null
  }
}
export const UNCOVERED = 'its text is gone, and nothing erased it'

const Erasing = z.object({ type: z.literal('task.erased'), from: z.number(), to: z.number() })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

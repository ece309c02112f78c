/** The data of a store as rows for another store: numbers, times, salts and hashes do not change. */
import type { DecisionHeader, SealedOutcome } from './shared/chain'
import type { EntryParts } from './shared/entryRows'

export type MovedHead = { journal: string; seq: number; at: number; epoch: number; hash: string }
/** hash: in hex. known: it is the first outcome of its command. */
export type MovedDecision = DecisionHeader & { rows: EntryParts[] } & {
  known: 0 | 1
  until: number | null
  reply: string | null
  hash: string
}
type MovedBody = { sha: string; mime: string; bytes: Uint8Array }
export type MovedValue = string | number | null

/** Tables that are the same in every store, with their columns. The search index is rebuilt from the journal. */
export const MOVED_TABLES = {
  person_row: ['person', 'key', 'value', 'version', 'other', 'at'],
  password: ['person', 'hash', 'at'],
  session: ['token_hash', 'id', 'person', 'agent', 'created_at', 'last_seen', 'expires_at'],
  link: ['token_hash', 'person', 'expires_at'],
  sealed_key: ['id', 'sealed', 'at'],
} as const
export type MovedTable = keyof typeof MOVED_TABLES
export const movedTables = Object.keys(MOVED_TABLES) as MovedTable[]

/** A store that no other process uses. Each method returns its rows in pages, in order. */
export type MoveSource = {
  head(): Promise<MovedHead>
  decisions(): AsyncIterable<readonly MovedDecision[]>
  outcomes(): AsyncIterable<readonly SealedOutcome[]>
  bodies(): AsyncIterable<MovedBody>
  rows(table: MovedTable): AsyncIterable<readonly MovedValue[][]>
  close(): Promise<void>
}

/** An empty store; its journal will end at the given head. */
export type MoveTarget = {
  addDecisions(decisions: readonly MovedDecision[]): Promise<void>
  addOutcomes(outcomes: readonly SealedOutcome[]): Promise<void>
  addBody(body: MovedBody): Promise<void>
  addRows(table: MovedTable, rows: readonly MovedValue[][]): Promise<void>
  /** Commits the added rows. */
  finish(): Promise<void>
  close(): Promise<void>
}

export const MOVED_AT_ONCE = 200

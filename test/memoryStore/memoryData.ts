/** What a memory store holds. Hand the same one to two stores and they are two handles on one database. */
import { randomUUID } from 'node:crypto'
import type Database from 'libsql'
import type { LeaseHolder, SearchMember, Snapshot } from '@/server/store/interfaces'
import { openTables } from './memoryTables'

/** JSON is kept as text, so that what comes out is never the object that went in. */
export type EntryLine = {
  seq: number
  at: number
  by: string
  cause: string
  /** the event, and its SHA-256 as it was written */
  json: string
  hash: string
  task: string | null
  step: string | null
}
export type OutcomeLine = {
  by: string
  seq: number | null
  at: number
  until: number | null
  fault: string | null
  reply: string | null
}
export type MemoryData = {
  journalId: string
  epoch: number
  at: number
  entries: EntryLine[]
  /** Decisions of people, in order. */
  acts: { first: number; last: number; session: string | null }[]
  /** Which of several nodes decides. isFree: it let go, died or did not renew; hints: of all nodes */
  lease: { holder: LeaseHolder | null; isFree: boolean; hints: Set<() => void> }
  outcomes: Map<string, OutcomeLine>
  /** touched: when they were put last, epoch ms */
  bodies: Map<string, { bytes: Uint8Array; mime: string; touched: number }>
  snapshots: Snapshot[]
  /** Rows of people and accounts; made when they are first needed. */
  readonly tables: Database.Database
  search: {
    cursor: number
    lines: { seq: number; kind: string; task: string; terms: string[]; pairs: string[] }[]
    members: Map<string, SearchMember>
  }
}

export function memoryData(): MemoryData {
  let tables: Database.Database | null = null
  return {
    journalId: randomUUID(),
    epoch: 0,
    at: 0,
    entries: [],
    acts: [],
    lease: { holder: null, isFree: true, hints: new Set() },
    outcomes: new Map(),
    bodies: new Map(),
    snapshots: [],
    get tables() {
      tables ??= openTables()
      return tables
    },
    search: { cursor: 0, lines: [], members: new Map() },
  }
}

/** Rows of people, accounts, envelopes, counters and the index of steps in memory: the tables of SQLite without a file. */
import Database from 'libsql'
import type { Counters } from '@/server/store/interfaces'
import type { Tables } from '@/server/store/shared/tables'
import { sqliteCounters } from '@/server/store/sqlite/counters'
import {
  accountsSql,
  auditSql,
  countersSql,
  envelopesSql,
  keysSql,
  peopleSql,
  tokensSql,
} from '@/server/store/sqlite/database/parts.sql'
import { type Queries, type Query, queriesOf } from '@/server/store/sqlite/database/query'
import { stepsSql } from '@/server/store/sqlite/database/steps.sql'
import { sqliteSteps, stepWriter } from '@/server/store/sqlite/steps'
import { sqliteTables } from '@/server/store/sqlite/tables'
import type { StepIndex } from '@/server/store/stepIndex'
import type { MemoryContext } from './memoryStore'

/** An empty database with the tables. */
export function openTables(): Database.Database {
  const db = new Database(':memory:')
  db.exec([peopleSql, accountsSql, keysSql, auditSql, envelopesSql, countersSql, stepsSql, tokensSql].join(';'))
  return db
}

/** Prepared when they are first used: most tests need few, and preparing all takes longer than most tests. */
export const queriesIn =
  ({ data }: Pick<MemoryContext, 'data'>): Queries =>
  <Row>(sql: string): Query<Row> => {
    let prepared: Query<Row> | null = null
    const query = (): Query<Row> => {
      prepared ??= queriesOf(data.tables)<Row>(sql)
      return prepared
    }
    return {
      get: (...bound) => query().get(...bound),
      all: (...bound) => query().all(...bound),
      run: (...bound) => query().run(...bound),
    }
  }

/** The part of a connection that the shared code of SQLite needs. */
function connectionOf({ data, ensureOpen }: MemoryContext) {
  const run = <T>(_: string, work: () => T): T => {
    ensureOpen()
    return work()
  }
  return { query: queriesIn({ data }), read: run, write: run, ensureUsable: ensureOpen }
}

export const memoryTables = (context: MemoryContext): Tables => sqliteTables(connectionOf(context))

export const memoryCounters = (context: MemoryContext): Counters =>
  sqliteCounters(connectionOf(context), () => context.data.entries.length)

export const memorySteps = (context: MemoryContext): StepIndex => sqliteSteps(connectionOf(context))
export const memoryStepWriter = (context: MemoryContext) => stepWriter(queriesIn(context))

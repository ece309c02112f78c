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
} from '@/server/store/sqlite/database/parts.sql'
import { queriesOf } from '@/server/store/sqlite/database/query'
import { stepsSql } from '@/server/store/sqlite/database/steps.sql'
import { sqliteSteps, stepWriter } from '@/server/store/sqlite/steps'
import { sqliteTables } from '@/server/store/sqlite/tables'
import type { StepIndex } from '@/server/store/stepIndex'
import type { MemoryContext } from './memoryStore'

/** An empty database with the tables. */
export function openTables(): Database.Database {
  const db = new Database(':memory:')
  db.exec([peopleSql, accountsSql, keysSql, auditSql, envelopesSql, countersSql, stepsSql].join(';'))
  return db
}

/** The part of a connection that the shared code of SQLite needs. */
function connectionOf({ data, ensureOpen }: MemoryContext) {
  const run = <T>(_: string, work: () => T): T => {
    ensureOpen()
    return work()
  }
  return { query: queriesOf(data.tables), read: run, write: run, ensureUsable: ensureOpen }
}

export const memoryTables = (context: MemoryContext): Tables => sqliteTables(connectionOf(context))

export const memoryCounters = (context: MemoryContext): Counters =>
  sqliteCounters(connectionOf(context), () => context.data.entries.length)

export const memorySteps = (context: MemoryContext): StepIndex => sqliteSteps(connectionOf(context))
export const memoryStepWriter = ({ data }: MemoryContext) => stepWriter(queriesOf(data.tables))

/** Rows of people and accounts in memory: the tables of SQLite without a file. */
import Database from 'libsql'
import type { Tables } from '@/server/store/shared/tables'
import { accountsSql, keysSql, peopleSql } from '@/server/store/sqlite/database/parts.sql'
import { queriesOf } from '@/server/store/sqlite/database/query'
import { sqliteTables } from '@/server/store/sqlite/tables'
import type { MemoryContext } from './memoryStore'

/** An empty database with the tables. */
export function openTables(): Database.Database {
  const db = new Database(':memory:')
  db.exec([peopleSql, accountsSql, keysSql].join(';'))
  return db
}

export function memoryTables({ data, ensureOpen }: MemoryContext): Tables {
  const run = <T>(_: string, work: () => T): T => {
    ensureOpen()
    return work()
  }
  return sqliteTables({
    query: queriesOf(data.tables),
    read: run,
    write: run,
    ensureUsable: ensureOpen,
  })
}

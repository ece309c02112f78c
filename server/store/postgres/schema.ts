/** The schemas in order. A published text never changes; a change is a new one with the next number. */
import { functionsSql, journalSql } from './journal.sql'
import { leaseSql } from './lease.sql'
import { postgresAccountsSql, postgresPeopleSql, postgresSearchSql, postgresSnapshotsSql } from './parts.sql'

export type PostgresSchema = { version: number; sql: string }

export const POSTGRES_SCHEMAS: readonly PostgresSchema[] = [
  {
    version: 1,
    sql: [
      journalSql,
      functionsSql,
      postgresSnapshotsSql,
      postgresPeopleSql,
      postgresAccountsSql,
      postgresSearchSql,
    ].join('\n'),
  },
  { version: 2, sql: leaseSql },
]

export const NEWEST_SCHEMA = Math.max(...POSTGRES_SCHEMAS.map(({ version }) => version))

/**
 * The schemas in order: a new file gets all of them, an existing one those that it lacks. A published text never changes; a
 * change is a new one with the next number. Files from before the first of these are converted by older/.
 */
import { accountsSql, keysSql } from './accounts.sql'
import { entriesSql } from './journal.sql'
import { peopleSql } from './people.sql'
import { searchSql } from './search.sql'
import { snapshotsSql } from './snapshots.sql'

/** version: `pragma user_version` of a file that has it */
export type Schema = { version: number; sql: string }

export const SCHEMAS: readonly Schema[] = [
  { version: 12, sql: [entriesSql, snapshotsSql, peopleSql, accountsSql, searchSql].join(';') },
  { version: 13, sql: keysSql },
]
export const OLDEST = 12
export const newestOf = (schemas: readonly Schema[]): number => Math.max(...schemas.map(({ version }) => version))
export const NEWEST = newestOf(SCHEMAS)

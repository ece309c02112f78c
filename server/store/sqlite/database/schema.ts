/** The schemas in order. A published text never changes; a change is a new one with the next number. */
import { entriesSql } from '../journal/journal.sql'
import { SEALED_FORM, sealRows, sealsSql } from '../journal/seals'
import { AUDIT_FORM, auditSql } from './audit.sql'
import { accountsSql, countersSql, keysSql, peopleSql, searchSql, snapshotsSql } from './parts.sql'
import type { Queries } from './query'
import { STEPS_FORM, stepsSql } from './steps.sql'

/** version: `pragma user_version` of a file that has it. fill: changes of existing rows that SQL cannot do, in the same transaction */
export type Schema = { version: number; sql: string; fill?: (query: Queries) => void }

/** The first form with the table of sealed keys. */
export const KEYS_FORM = 13

export const SCHEMAS: readonly Schema[] = [
  { version: 12, sql: [entriesSql, snapshotsSql, peopleSql, accountsSql, searchSql].join(';') },
  { version: KEYS_FORM, sql: keysSql },
  { version: SEALED_FORM, sql: sealsSql, fill: sealRows },
  { version: AUDIT_FORM, sql: [auditSql, countersSql].join(';') },
  { version: STEPS_FORM, sql: stepsSql },
]
export const OLDEST = 12
export const newestOf = (schemas: readonly Schema[]): number => Math.max(...schemas.map(({ version }) => version))
export const NEWEST = newestOf(SCHEMAS)

/** The schemas in order. A published text never changes; a change is a new one with the next number. */
import { entriesSql } from '../journal/journal.sql'
import {
  accountsSql,
  auditSql,
  countersSql,
  envelopesSql,
  keysSql,
  peopleSql,
  snapshotsSql,
  tokensSql,
} from './parts.sql'
import type { Queries } from './query'
import { searchSql } from './search.sql'
import { stepsSql } from './steps.sql'

/** version: `pragma user_version` of a file that has it. fill: changes of existing rows that SQL cannot do, in the same transaction */
export type Schema = { version: number; sql: string; fill?: (query: Queries) => void }

/** `pragma application_id` of a file: "Conv". Files of the forms 4 to 15, from before the forms began at 1, have none. */
export const APPLICATION_ID = 0x436f6e76

const FIRST = [
  `pragma application_id = ${APPLICATION_ID}`,
  entriesSql,
  snapshotsSql,
  peopleSql,
  accountsSql,
  keysSql,
  auditSql,
  envelopesSql,
  searchSql,
  stepsSql,
  countersSql,
]

export const SCHEMAS: readonly Schema[] = [
  { version: 3, sql: FIRST.join(';') },
  { version: 4, sql: tokensSql },
]
/** The oldest form that is converted. Forms 1 and 2 were never released: they are refused. */
export const OLDEST = Math.min(...SCHEMAS.map(({ version }) => version))
export const newestOf = (schemas: readonly Schema[]): number => Math.max(...schemas.map(({ version }) => version))
export const NEWEST = newestOf(SCHEMAS)

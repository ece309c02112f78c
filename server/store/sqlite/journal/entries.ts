/** Rows of entries, decoded: the event, and the columns of its decision. */
import { errorMessage } from '@/server/shared/errors'
import type { StoredEntry } from '../../interfaces'
import { rowReader } from '../../shared/rowReader'
import { asBytes, asInteger, decodeText } from '../database/columns'

/** The name of the database's file in damage reports. */
export const DATABASE = 'convene.db'

/** A row of `entry` with the columns of its decision, which are null if that is missing. */
export type EntryRow = {
  seq: number
  last: number
  event: ArrayBuffer
  at: number | null
  by: ArrayBuffer | null
  cause: ArrayBuffer | null
}

const COLUMNS = `e.seq, ${asInteger('e.last', 'last')}, ${asBytes('e.event', 'event')}, ${asInteger('d.at', 'at')},
  ${asBytes('d."by"', '"by"')}, ${asBytes('d.command', 'cause')}`

/** The source for a select of EntryRow. */
export const ENTRY = `select ${COLUMNS}
  from entry e left join decision d on d.last = e.last`

/** The same for entries of people's decisions, with the session. */
export const ACT = `select ${COLUMNS}, ${asBytes('a.session', 'session')}
  from act a join decision d on d.last = a.last join entry e on e.seq between d.first and d.last`

const { damaged, attempt, entryIn } = rowReader(DATABASE)

export { damaged }

/** faults: StoreDamagedError */
export const decodeRows = (rows: readonly EntryRow[]): StoredEntry[] =>
  rows.map(({ seq, last, at, event, by, cause }) => {
    const text = (bytes: ArrayBuffer): string => attempt(last, seq, () => decodeText(bytes))
    return entryIn({ seq, last, at, event: text(event), by: by && text(by), cause: cause && text(cause) })
  })

/** Read a row outside of decisions. in: what it is, such as `a password`. faults: StoreDamagedError instead of any other */
export function readRow<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw damaged(null, null, `${what} cannot be read (${errorMessage(error)})`)
  }
}

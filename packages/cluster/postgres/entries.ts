/** Rows of entries, decoded: the event, and the columns of its decision. */
import { IN_POSTGRES } from '@/server/store/errors'
import type { StoredEntry } from '@/server/store/interfaces'
import { rowReader } from '@/server/store/shared/rowReader'

/** A row of `entry` with the columns of its decision, which are null if that is missing. */
export type JoinedRow = {
  seq: number
  last: number
  event: string
  at: number | null
  by: string | null
  cause: string | null
}

const COLUMNS = 'e.seq, e.last, e.event, d.at, d."by", d.command as cause'

/** Select from it as JoinedRow. With a plain join PostgreSQL may read every decision of the journal for one page of entries. */
export const JOINED = `select ${COLUMNS}
  from entry e left join lateral (select at, "by", command from decision where last = e.last limit 1) d on true`

/** The same for entries of people's decisions, with the session. */
export const ACTS_JOINED = `select ${COLUMNS}, a.session
  from act a join decision d on d.last = a.last join entry e on e.seq between d.first and d.last`

const { damaged: damagedPart, entryIn } = rowReader(IN_POSTGRES)

export { damagedPart }

/** faults: StoreDamagedError */
export const entriesIn = (rows: readonly JoinedRow[]): StoredEntry[] => rows.map(entryIn)

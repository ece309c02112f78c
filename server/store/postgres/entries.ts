/** Rows of entries, decoded: the event with its texts, and the columns of its decision. */
import { IN_POSTGRES } from '../errors'
import type { StoredEntry } from '../interfaces'
import { type EventRow, rowReader } from '../shared/rowReader'
import type { EntryTexts } from '../shared/texts'

/** A row of `entry`. content: its texts as JSON */
export type BareRow = EventRow & { content: string | null }
/** With the columns of its decision, which are null if that is missing. */
export type JoinedRow = BareRow & { at: number | null; by: string | null; cause: string | null }

const COLUMNS = 'e.seq, e.last, e.texts, e.event, e.content, d.at, d."by", d.command as cause'

/** Select from it as JoinedRow. With a plain join PostgreSQL may read every decision of the journal for one page of entries. */
export const JOINED = `select ${COLUMNS}
  from entry e left join lateral (select at, "by", command from decision where last = e.last limit 1) d on true`

/** The same for entries of people's decisions, with the session. */
export const ACTS_JOINED = `select ${COLUMNS}, a.session
  from act a join decision d on d.last = a.last join entry e on e.seq between d.first and d.last`

const { damaged: damagedPart, attempt, entryIn, checkDecision } = rowReader(IN_POSTGRES)

export { checkDecision, damagedPart }

/** faults: StoreDamagedError */
export const entriesIn = (rows: readonly JoinedRow[]): StoredEntry[] => rows.map((row) => entryIn(row, textsOf(row)))

/** faults: StoreDamagedError */
export function textsOf({ seq, last, content }: Pick<BareRow, 'seq' | 'last' | 'content'>): EntryTexts | null {
  if (content === null) return null
  const texts = attempt(last, seq, () => JSON.parse(content) as unknown)
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    throw damagedPart(last, seq, 'its texts are no JSON object')
  return texts as EntryTexts
}

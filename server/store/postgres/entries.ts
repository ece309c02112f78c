/** Rows of entries, decoded: the event with its texts, and the columns of its decision. */
import { errorMessage } from '@/server/shared/errors'
import { IN_POSTGRES, StoreDamagedError } from '../errors'
import type { StoredEntry, StoredEvent } from '../interfaces'
import { type EntryTexts, putTexts } from '../shared/texts'

/** A row of `entry` with the columns of its decision, which are null if that is missing. */
export type JoinedRow = {
  seq: number
  last: number
  texts: number
  event: string
  content: string | null
  at: number | null
  by: string | null
  cause: string | null
}

/** Select from it as JoinedRow. With a plain join PostgreSQL may read every decision of the journal for one page of entries. */
export const JOINED = `select e.seq, e.last, e.texts, e.event, e.content, d.at, d."by", d.command as cause
  from entry e left join lateral (select at, "by", command from decision where last = e.last limit 1) d on true`

/** faults: StoreDamagedError */
export const entriesIn = (rows: readonly JoinedRow[]): StoredEntry[] => rows.map(entryOf)

function entryOf(row: JoinedRow): StoredEntry {
  const { seq, last, texts, content, at, by, cause } = row
  if (at === null || by === null || cause === null) throw damagedPart(last, seq, 'its decision is missing')
  const event = eventOf(row)
  if (texts > 0) {
    const own = textsOf(row)
    const put = content === null ? 0 : attempt(last, seq, () => putTexts(event, own ?? {}))
    if (put !== texts) throw damagedPart(last, seq, `it has ${put} of its ${texts} texts`)
  }
  return { seq, at, by, cause, event }
}

/** With marks instead of texts. faults: StoreDamagedError */
export function eventOf({ seq, last, event }: Pick<JoinedRow, 'seq' | 'last' | 'event'>): StoredEvent {
  const parsed = attempt(last, seq, () => JSON.parse(event) as unknown)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw damagedPart(last, seq, 'it is no event')
  return parsed as StoredEvent
}

/** faults: StoreDamagedError */
export function textsOf({ seq, last, content }: Pick<JoinedRow, 'seq' | 'last' | 'content'>): EntryTexts | null {
  if (content === null) return null
  const texts = attempt(last, seq, () => JSON.parse(content) as unknown)
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    throw damagedPart(last, seq, 'its texts are no JSON object')
  return texts as EntryTexts
}

/** faults: StoreDamagedError instead of any other */
function attempt<T>(decision: number, entry: number | null, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw damagedPart(decision, entry, errorMessage(error))
  }
}

export const damagedPart = (decision: number | null, entry: number | null, why: string): StoreDamagedError =>
  new StoreDamagedError({ file: IN_POSTGRES, decision, entry, why })

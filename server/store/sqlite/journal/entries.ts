/** Rows of entries, decoded: the event with its texts, and the columns of its decision. */
import { errorMessage } from '@/server/shared/errors'
import type { StoredEntry } from '../../interfaces'
import { rowReader } from '../../shared/rowReader'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { type DecisionContent, type KeptContent, unpackContent } from './content'

/** The name of the database's file in damage reports. */
export const DATABASE = 'convene.db'

/** A row of `entry` with the columns of its decision, which are null if that is missing. */
export type EntryRow = {
  seq: number
  last: number
  texts: number
  event: ArrayBuffer
  at: number | null
  by: ArrayBuffer | null
  cause: ArrayBuffer | null
}
type NamedContent = KeptContent & { last: number }

const COLUMNS = `e.seq, ${asInteger('e.last', 'last')}, ${asInteger('e.texts', 'texts')}, ${asBytes('e.event', 'event')}, ${asInteger('d.at', 'at')},
  ${asBytes('d."by"', '"by"')}, ${asBytes('d.command', 'cause')}`

/** The source for a select of EntryRow. */
export const ENTRY = `select ${COLUMNS}
  from entry e left join decision d on d.last = e.last`

/** The same for entries of people's decisions, with the session. */
export const ACT = `select ${COLUMNS}, ${asBytes('a.session', 'session')}
  from act a join decision d on d.last = a.last join entry e on e.seq between d.first and d.last`

const CONTENT = `select last, ${asInteger('packed', 'packed')}, ${asBytes('data', 'data')}, ${asInteger('seal', 'seal')} from content`

const { damaged, attempt, entryIn, checkDecision } = rowReader(DATABASE)

export { checkDecision, damaged }

export function entryDecoder({ query, read }: SqliteConnection) {
  const contentQuery = query<KeptContent>(`${CONTENT} where last = ?`)
  const contentsQuery = query<NamedContent>(`${CONTENT} where last between ? and ?`)
  const namedQuery = query<NamedContent>(`${CONTENT} where last in (select value from json_each(?))`)

  /** Of all decisions that the rows belong to. */
  function contentsOf(rows: readonly EntryRow[]): Map<number, DecisionContent> {
    const lasts = [...new Set(rows.filter(({ texts }) => texts > 0).map(({ last }) => last))]
    const [from, to] = [lasts[0], lasts.at(-1)]
    if (from === undefined || to === undefined) return new Map()
    // They are usually consecutive.
    const kept = read('content', () =>
      to - from < rows.length * 2 ? contentsQuery.all(from, to) : namedQuery.all(JSON.stringify(lasts)),
    )
    return new Map(kept.map((row) => [row.last, unpack(row.last, row)]))
  }

  return {
    /** in: rows ordered by number. faults: StoreDamagedError */
    decode(rows: readonly EntryRow[]): StoredEntry[] {
      const contents = contentsOf(rows)
      return rows.map((row) => entryOf(row, contents.get(row.last) ?? null))
    },
    /** The content of a decision; null: none. faults: StoreDamagedError */
    contentOf(last: number): DecisionContent | null {
      const kept = read('content', () => contentQuery.get(last))
      return kept ? unpack(last, kept) : null
    },
  }
}

export type EntryDecoder = ReturnType<typeof entryDecoder>

function entryOf({ seq, last, texts, at, event, by, cause }: EntryRow, content: DecisionContent | null): StoredEntry {
  const text = (bytes: ArrayBuffer): string => attempt(last, seq, () => decodeText(bytes))
  const row = { seq, last, texts, at, event: text(event), by: by && text(by), cause: cause && text(cause) }
  return entryIn(row, content?.texts[seq] ?? null)
}

const unpack = (last: number, kept: KeptContent): DecisionContent => attempt(last, null, () => unpackContent(kept))

/** Read a row outside of decisions. in: what it is, such as `a password`. faults: StoreDamagedError instead of any other */
export function readRow<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw damaged(null, null, `${what} cannot be read (${errorMessage(error)})`)
  }
}

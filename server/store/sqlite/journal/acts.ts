/** Entries of people's decisions in SQLite, the newest first. */
import type { Acts } from '../../interfaces'
import { requireWhole } from '../../shared/names'
import { decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { ACT, decodeRows, type EntryRow, readRow } from './entries'

type ActRow = EntryRow & { session: ArrayBuffer | null }

export function sqliteActs({ read, query }: SqliteConnection): Acts['acts'] {
  const looked = query<{ last: number; at: number }>(
    `select a.last, d.at from act a join decision d on d.last = a.last where a.last < ? order by a.last desc limit ?`,
  )
  const found = query<ActRow>(
    `${ACT} where a.last between ?1 and ?2
       and (?3 is null or d.at >= ?3) and (?4 is null or d.at < ?4)
       and (?5 is null or d."by" in (select value from json_each(?5)))
       and (?6 is null or e.event ->> '$.type' in (select value from json_each(?6)))
       and (?7 is null or e.task = ?7)
     order by e.seq desc`,
  )
  const listed = (all: readonly string[] | null): string | null => all && JSON.stringify(all)
  return async ({ before, look, from, to, by, types, task }) => {
    requireWhole({ before, look })
    const decisions = read('acts', () => looked.all(before, look))
    const [newest, oldest] = [decisions[0], decisions.at(-1)]
    if (newest === undefined || oldest === undefined) return { acts: [], next: null }
    const rows = read('acts', () => found.all(oldest.last, newest.last, from, to, listed(by), listed(types), task))
    const acts = decodeRows(rows).map((entry, n) => {
      const session = rows[n]?.session ?? null
      const last = rows[n]?.last ?? entry.seq
      return { ...entry, last, session: session && readRow('the session of a decision', () => decodeText(session)) }
    })
    const isOver = decisions.length < look || (from !== null && oldest.at < from)
    return { acts, next: isOver ? null : oldest.last }
  }
}

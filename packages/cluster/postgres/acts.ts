/** Entries of people's decisions in PostgreSQL, the newest first; and what `append` of journal.sql.ts takes of them. */
import type { Acts } from '@/server/store/interfaces'
import type { CheckedItem } from '@/server/store/shared/checkBatch'
import { requireWhole } from '@/server/store/shared/names'
import type { PostgresConnection } from './connection'
import { ACTS_JOINED, entriesIn, type JoinedRow } from './entries'

export function postgresActs({ read }: PostgresConnection): Acts['acts'] {
  return async ({ before, look, from, to, by, types, task }) => {
    requireWhole({ before, look })
    const decisions = await read<{ last: number; at: number }>(
      'acts',
      'select a.last, d.at from act a join decision d on d.last = a.last where a.last < $1 order by a.last desc limit $2',
      [before, look],
    )
    const [newest, oldest] = [decisions[0], decisions.at(-1)]
    if (newest === undefined || oldest === undefined) return { acts: [], next: null }
    const rows = await read<JoinedRow & { session: string | null }>(
      'acts',
      `${ACTS_JOINED} where a.last between $1 and $2
         and ($3::bigint is null or d.at >= $3) and ($4::bigint is null or d.at < $4)
         and ($5::text[] is null or d."by" = any($5))
         and ($6::text[] is null or e.json->>'type' = any($6))
         and ($7::text is null or e.json->>'task' = $7)
       order by e.seq desc`,
      [oldest.last, newest.last, from, to, by, types, task],
    )
    const acts = entriesIn(rows).map((entry, n) => ({
      ...entry,
      last: rows[n]?.last ?? entry.seq,
      session: rows[n]?.session ?? null,
    }))
    const isOver = decisions.length < look || (from !== null && oldest.at < from)
    return { acts, next: isOver ? null : oldest.last }
  }
}

/** The items of people, by the last entry of each. */
export function actRows(
  items: readonly CheckedItem[],
  expectedHead: number,
): { last: number; session: string | null }[] {
  let last = expectedHead
  return items.flatMap(({ item: { events, session } }) => {
    last += events.length
    return session === undefined || events.length === 0 ? [] : [{ last, session }]
  })
}

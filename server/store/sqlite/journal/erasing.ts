/** Erasing in SQLite: what was deleted is overwritten (connection.ts), and the write-ahead log is emptied. */
import type { Journal } from '../../interfaces'
import { decisionSeal } from '../../shared/chain'
import { erasedText } from '../../shared/entryRows'
import { eraseInSlices } from '../../shared/erasing'
import type { SqliteConnection } from '../database/connection'
import { searchClearer } from '../search'

/** A damaged text belongs to no task. */
const ITS = `seq between ?2 and ?3 and json_valid(event) and (event ->> '$.task' = ?1
  or event ->> '$.type' = 'memory.added' and event ->> '$.note.task' = ?1)`

export function sqliteEraser({ query, write, checkpoint }: SqliteConnection): Journal['erase'] {
  const decisions = query<{ last: number; known: number; until: number | null }>(
    `select last, known, until from decision
     where reply is not null and last in (select last from entry where ${ITS})`,
  )
  const forgetReply = query('update decision set reply = null, seal = ?2 where last = ?1')
  const empty = query(`update entry set nonce = x'', event = ?4 where ${ITS}`)
  const clearSearch = searchClearer(query)
  return async (erased) => {
    const { task, by } = erased
    const count = await eraseInSlices(erased, (from, to, isLast) =>
      write('erase', () => {
        for (const { last, known, until } of decisions.all(task, from, to))
          forgetReply.run(last, decisionSeal(last, known, until, null))
        const emptied = empty.run(task, from, to, erasedText(by))
        if (isLast) clearSearch()
        return emptied
      }),
    )
    checkpoint()
    return count
  }
}

/** Entries of a task, a step, a request or a thread, and the removal of their texts. */
import type { Archive, Journal } from '../interfaces'
import { requireWhole } from '../shared/names'
import { blankTexts, isKept } from '../shared/texts'
import type { PostgresConnection } from './connection'
import { entriesIn, JOINED, type JoinedRow, textsOf } from './entries'

/** Entries whose texts are removed in one statement. */
const REMOVED_AT_ONCE = 200

type TextsRow = { seq: number; last: number; content: string | null }

export function postgresArchive({ read, write }: PostgresConnection): Archive & Pick<Journal, 'removeTexts'> {
  const removeSome = async (seqs: readonly number[]): Promise<number> => {
    const rows = await read<TextsRow>(
      'remove texts',
      'select seq, last, content from entry where texts > 0 and seq = any($1)',
      [seqs],
    )
    const blanks = rows.flatMap((row) => {
      const texts = textsOf(row)
      return texts !== null && isKept(texts) ? [{ seq: row.seq, content: JSON.stringify(blankTexts(texts)) }] : []
    })
    if (blanks.length === 0) return 0
    await write(
      'remove texts',
      `update entry set content = b.content from json_to_recordset($1) as b(seq bigint, content text) where entry.seq = b.seq`,
      [JSON.stringify(blanks)],
      'again',
    )
    return blanks.length
  }

  return {
    async removeTexts(seqs) {
      for (const seq of seqs) requireWhole({ seq })
      let removed = 0
      for (let from = 0; from < seqs.length; from += REMOVED_AT_ONCE)
        removed += await removeSome(seqs.slice(from, from + REMOVED_AT_ONCE))
      // Overwritten texts remain in the table until a vacuum. A role that does not own the table cannot vacuum: see docs/operate.
      if (removed > 0) await write('remove texts', 'vacuum entry', [], 'again')
      return removed
    },
    async entriesOf(key, id, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      const rows = await read<JoinedRow>(
        `entries of a ${key}`,
        `${JOINED} where e.json->>'${key}' = $1 and e.seq > $2 order by e.seq limit $3`,
        [id, after, limit],
      )
      // An id is a text; another value may look like one.
      return entriesIn(rows).filter(({ event }) => event[key] === id)
    },
  }
}

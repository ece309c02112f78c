/** Entries of a task, a step, a request or a thread, and the removal of their texts. */
import type { Archive, Journal, PlaceKey } from '../../interfaces'
import { requireWhole } from '../../shared/names'
import { blankTexts, isKept } from '../../shared/texts'
import type { SqliteConnection } from '../database/connection'
import { type ContentRow, packContent } from './content'
import { damaged, ENTRY, type EntryDecoder, type EntryRow } from './entries'
import { BEGINNING } from './journal.sql'

/** Entries whose texts are removed in one transaction. */
const REMOVED_AT_ONCE = 200

export function sqliteArchive(
  { read, write, query }: SqliteConnection,
  decoder: EntryDecoder,
): Archive & Pick<Journal, 'removeTexts'> {
  const entriesBy = (key: PlaceKey) =>
    query<EntryRow>(
      `${ENTRY} where substr(e.${key}, 1, ${BEGINNING}) = substr(?1, 1, ${BEGINNING}) and e.${key} = ?1 and e.seq > ?2
       order by e.seq limit ?3`,
    )
  const places = {
    task: entriesBy('task'),
    step: entriesBy('step'),
    request: entriesBy('request'),
    thread: entriesBy('thread'),
  } satisfies Record<PlaceKey, unknown>
  const lastsQuery = query<{ seq: number; last: number }>(
    'select seq, last from entry where texts > 0 and seq in (select value from json_each(?)) order by seq',
  )
  const contentUpdate = query('update content set packed = ?, data = ?, seal = ? where last = ?')
  const secureDelete = query("pragma secure_delete = 'on'")
  const checkpoint = query('pragma wal_checkpoint(TRUNCATE)')

  /** The entries among these that have texts, by the last entry of their decision. */
  const byDecision = (seqs: number[]): Map<number, number[]> => {
    const own = new Map<number, number[]>()
    for (const { seq, last } of read('remove texts', () => lastsQuery.all(JSON.stringify(seqs))))
      own.set(last, [...(own.get(last) ?? []), seq])
    return own
  }

  return {
    async removeTexts(seqs) {
      for (const seq of seqs) requireWhole({ seq })
      // Overwritten data does not remain in the file's free space.
      read('remove texts', () => secureDelete.get())
      let removed = 0
      for (let from = 0; from < seqs.length; from += REMOVED_AT_ONCE) {
        const own = byDecision(seqs.slice(from, from + REMOVED_AT_ONCE))
        const changed = [...own].flatMap(([last, gone]) => blanked(decoder, last, gone) ?? [])
        write('remove texts', () => {
          for (const { last, packed, data, seal } of changed) contentUpdate.run(packed, data, seal, last)
        })
        removed += changed.reduce((sum, { count }) => sum + count, 0)
      }
      read('remove texts', () => checkpoint.get())
      return removed
    },
    async entriesOf(key, id, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      const rows = read(`entries of a ${key}`, () => places[key].all(id, after, limit))
      // An id is a text; another value may look like one to SQLite.
      return decoder.decode(rows).filter(({ event }) => event[key] === id)
    },
  }
}

/** The content of a decision without the texts of these entries. out: null: they were blank already. faults: StoreDamagedError */
function blanked(
  decoder: EntryDecoder,
  last: number,
  gone: readonly number[],
): (ContentRow & { last: number; count: number }) | null {
  const content = decoder.contentOf(last)
  if (!content) throw damaged(last, gone[0] ?? null, 'its texts are missing')
  let count = 0
  for (const seq of gone) {
    const texts = content.texts[seq]
    if (texts === undefined || !isKept(texts)) continue
    content.texts[seq] = blankTexts(texts)
    count += 1
  }
  const packed = packContent(JSON.stringify(content.texts), content.bodies)
  return count > 0 && packed ? { last, count, ...packed } : null
}

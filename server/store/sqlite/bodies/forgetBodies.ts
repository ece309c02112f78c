/** Deletes bodies: their rows, their files, and their bytes in the content of decisions. */
import type { Bodies } from '../../interfaces'
import { requireWhole } from '../../shared/names'
import type { SqliteConnection } from '../database/connection'
import { packContent, withoutBodies } from '../journal/content'
import type { EntryDecoder } from '../journal/entries'
import { removeBodyFile } from './bodyFiles'
import { BY_SHA, SHA, shaBytes } from './bodyRows'

type OwnRow = {
  touched: number
  bytes: number
  decision: number | null
  start: number | null
  is_file: number
}
/** in: filesFolder: the folder of large bodies */
export function forgetting(
  { read, write, query }: SqliteConnection,
  decoder: EntryDecoder,
  filesFolder: string,
): Bodies['forget'] {
  const ownQuery = query<OwnRow>(
    `select touched, bytes, decision, start, data is null and decision is null as is_file from body where ${BY_SHA}`,
  )
  const removeOwn = query(`delete from body where ${BY_SHA}`)
  const contentUpdate = query('update content set packed = ?, data = ?, seal = ? where last = ?')

  /** Rows of those that were not stored again since. */
  const oldRows = (shas: ReadonlySet<string>, before: number): (OwnRow & { sha: string })[] =>
    [...shas].flatMap((sha) => {
      const row = ownQuery.get(shaBytes(sha))
      return row !== undefined && row.touched < before ? [{ ...row, sha }] : []
    })

  return async (shas, before) => {
    requireWhole({ before })
    const named = new Set(shas.filter((sha) => SHA.test(sha)))
    if (named.size === 0) return 0
    const rows = read('forget bodies', () => oldRows(named, before))
    const contents = contentsWithout(decoder, rows)
    write('forget bodies', () => {
      for (const { sha } of rows) removeOwn.run(shaBytes(sha))
      for (const { decision, packed, data, seal } of contents) contentUpdate.run(packed, data, seal, decision)
    })
    // In the same turn, so that none of them can be stored again meanwhile. The next start moves files left by a crash.
    for (const { sha, is_file } of rows) if (is_file === 1) removeBodyFile(filesFolder, sha)
    return rows.length
  }
}

/** Content without the bodies of these rows. faults: StoreDamagedError */
function contentsWithout(decoder: EntryDecoder, rows: readonly OwnRow[]) {
  const places = new Map<number, { start: number; bytes: number }[]>()
  for (const { decision, start, bytes } of rows)
    if (decision !== null && start !== null) places.set(decision, [...(places.get(decision) ?? []), { start, bytes }])
  return [...places].flatMap(([decision, gone]) => {
    const content = decoder.contentOf(decision)
    const packed = content && packContent(JSON.stringify(content.texts), withoutBodies(content.bodies, gone))
    return packed ? [{ decision, ...packed }] : []
  })
}

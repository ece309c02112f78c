/** Form 11, whose contents were squeezed by Brotli and whose entries were found by whole ids. Its rows are those of today. */
import { brotliDecompressSync } from 'node:zlib'
import { dataSeal } from '../../shared/chain'
import type { SqliteConnection } from '../database/connection'
import { deflateContent, type KeptContent } from '../journal/content'

export const SQUEEZED_FORM = 11

/** `packed` of a content that was squeezed. */
const SQUEEZED = 1
const ROWS_AT_ONCE = 200

/** Inside a transaction. A content that is damaged stays as it is, so that `verify` names it. */
export function deflateContents(query: SqliteConnection['query']): void {
  const page = query<KeptContent & { last: number }>(
    `select last, packed, data, seal from content where packed = ${SQUEEZED} and last > ? order by last limit ?`,
  )
  const update = query('update content set packed = ?, data = ?, seal = ? where last = ?')
  for (let from = 0; ; ) {
    const rows = page.all(from, ROWS_AT_ONCE)
    for (const row of rows) {
      const plain = plainOf(row)
      if (plain === null) continue
      const { packed, data, seal } = deflateContent(plain)
      update.run(packed, data, seal, row.last)
    }
    const last = rows.at(-1)
    if (last === undefined) return
    from = last.last
  }
}

function plainOf({ data, seal }: KeptContent): Buffer | null {
  const kept = new Uint8Array(data)
  if (dataSeal(kept) !== seal) return null
  try {
    return brotliDecompressSync(kept)
  } catch {
    return null
  }
}

/** Pages of steps that have not run and that the view leaves out, and the rows with them. Pure. Pages end at multiples of 100. */
import { bySort } from '@/client/views/viewState'
import type { TreeRow } from '@/lib/wire'

/** Steps per page, as the server cuts them. */
const PAGE = 100

type View = `tree:${string}`
/** How far the reader loaded: the place behind the farthest step, by the id of the row that stands for them. */
export type LaterShown = Readonly<Record<string, number>>

type Rest = { base: string; edge: number; count: number }

/** edge: the place where the tree's own rows end */
function restOf(row: TreeRow): Rest | null {
  const match = row.kind === 'older' && row.more ? /^(tree:[^@]+)@(\d+)$/.exec(row.more) : null
  if (!match) return null
  const count = row.counts.steps
  return { base: match[1] ?? '', count, edge: Number(match[2]) - Math.min(count, PAGE) }
}

/** The farthest place with one more page of this row; null for another row. */
export function reachOneMore(row: TreeRow, reach: LaterShown): number | null {
  const rest = restOf(row)
  if (!rest) return null
  const at = Math.max(reach[row.id] ?? rest.edge, rest.edge)
  return Math.min(rest.edge + rest.count, Math.ceil(at / PAGE) * PAGE + PAGE)
}

export function pagesOf(rows: readonly TreeRow[], reach: LaterShown): View[] {
  if (Object.keys(reach).length === 0) return []
  return rows.flatMap((row) => {
    const to = reach[row.id]
    const rest = to === undefined ? null : restOf(row)
    if (!rest || to === undefined) return []
    const pages: View[] = []
    for (let end = Math.floor(rest.edge / PAGE) * PAGE + PAGE; end - PAGE < to; end += PAGE)
      pages.push(`${rest.base}@${end}` as View)
    return pages
  })
}

/**
 * The tree's rows merged with the pages.
 *
 * in      pages: the rows of each page
 * out     rows in order, each once; a row that stands for others holds what is left, or is removed
 */
export function withLater(
  rows: readonly TreeRow[],
  pages: readonly (readonly TreeRow[])[],
  reach: LaterShown,
): readonly TreeRow[] {
  if (pages.length === 0) return rows
  const all = new Map<string, TreeRow>(pages.flat().map((row) => [row.id, row]))
  for (const row of rows) {
    const to = reach[row.id]
    const rest = to === undefined ? null : restOf(row)
    if (!rest || to === undefined) {
      all.set(row.id, row)
      continue
    }
    const left = rest.edge + rest.count - Math.max(to, rest.edge)
    if (left > 0) all.set(row.id, { ...row, counts: { ...row.counts, steps: left } })
  }
  return [...all.values()].sort(bySort)
}

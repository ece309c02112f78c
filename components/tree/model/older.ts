/**
 * Pages of steps that the view leaves out, and merging them. Pure.
 *
 * Pages end at multiples of 100: a new step moves the tree's own rows, but not every page.
 */
import { bySort } from '@/client/views/viewState'
import type { TreeRow } from '@/lib/wire'

/** Steps per page, as the server cuts them. */
const PAGE = 100

type View = `tree:${string}`
/** How far the reader loaded: the place of the farthest step, by the id of the `older` row. */
export type OlderShown = Readonly<Record<string, number>>

type Gap = { base: string; isEarlier: boolean; edge: number; count: number }

/** edge: the place where the tree's own rows begin (earlier) or end (later). */
function gapOf(row: TreeRow): Gap | null {
  const match = row.kind === 'older' && row.more ? /^(tree:[^@]+)@(\d+)$/.exec(row.more) : null
  if (!match) return null
  const before = Number(match[2])
  const count = row.counts.steps
  const isEarlier = row.id.endsWith('/earlier')
  return { base: match[1] ?? '', isEarlier, count, edge: isEarlier ? before : before - Math.min(count, PAGE) }
}

/** The farthest place with one more page of this row. */
export function reachOneMore(row: TreeRow, reach: OlderShown): number | null {
  const gap = gapOf(row)
  if (!gap) return null
  const at = reach[row.id] ?? gap.edge
  if (gap.isEarlier) return Math.max(0, Math.floor(Math.min(at, gap.edge) / PAGE) * PAGE - PAGE)
  return Math.min(gap.edge + gap.count, Math.ceil(Math.max(at, gap.edge) / PAGE) * PAGE + PAGE)
}

export function pagesOf(rows: readonly TreeRow[], reach: OlderShown): View[] {
  if (Object.keys(reach).length === 0) return []
  return rows.flatMap((row) => {
    const to = reach[row.id]
    const gap = to === undefined ? null : gapOf(row)
    if (!gap || to === undefined) return []
    const pages: View[] = []
    const add = (end: number): number => pages.push(`${gap.base}@${end}` as View)
    if (gap.isEarlier) for (let end = Math.ceil(gap.edge / PAGE) * PAGE; end > to; end -= PAGE) add(end)
    else for (let end = Math.floor(gap.edge / PAGE) * PAGE + PAGE; end - PAGE < to; end += PAGE) add(end)
    return pages
  })
}

/**
 * The tree's rows merged with the pages.
 *
 * in      pages: the rows of each page
 * out     rows in order, each once; an `older` row holds what is left, or is removed
 */
export function withPages(
  rows: readonly TreeRow[],
  pages: readonly (readonly TreeRow[])[],
  reach: OlderShown,
): readonly TreeRow[] {
  if (pages.length === 0) return rows
  const all = new Map<string, TreeRow>(pages.flat().map((row) => [row.id, row]))
  for (const row of rows) {
    const to = reach[row.id]
    const gap = to === undefined ? null : gapOf(row)
    if (!gap || to === undefined) {
      all.set(row.id, row)
      continue
    }
    const left = gap.isEarlier ? Math.min(to, gap.edge) : gap.edge + gap.count - Math.max(to, gap.edge)
    if (left > 0) all.set(row.id, { ...row, counts: { ...row.counts, steps: left } })
  }
  return [...all.values()].sort(bySort)
}

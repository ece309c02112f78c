/**
 * Pages of steps that ran before those of the view, and the rows with them. Pure.
 *
 * A lane is one agent in one stage; a step's place is its number among all that ran there, from 0. The view holds the last ones;
 * pages begin at multiples of 100.
 */
import { bySort } from '@/client/views/viewState'
import { gather } from '@/lib/gather'
import type { TreeRow } from '@/lib/wire'
import type { TreeRuler } from '@/lib/wire/http'

/** lane: the id of the agent's row; rows: of the places from <= place < to */
export type LanePage = { lane: string; from: number; to: number; rows: readonly TreeRow[] }

/** Missing steps of a lane: those from <= place < to. */
export type StepGap = { lane: string; stage: string | null; agent: string; from: number; to: number }

/** Is one of the failures among the missing steps? At a moment they are in its world, and still not among the rows. */
export function hidesFailure(
  ruler: TreeRuler | null,
  rows: Iterable<Pick<TreeRow, 'id' | 'stage' | 'agent' | 'counts'> & { kind: string }>,
): boolean {
  const gaps = [...rows].flatMap((row) => (row.kind === 'older' ? (gapOf({ ...row, kind: 'older' }) ?? []) : []))
  return (ruler?.lanes ?? []).some(
    ({ stage, agent, failed, places }) =>
      failed > 0 ||
      gaps.some(
        (gap) =>
          gap.stage === stage && gap.agent === agent && places.some((place) => place >= gap.from && place < gap.to),
      ),
  )
}

/** Rows that pages hold at most; the window is far smaller. */
const MOST_ROWS = 500

const GAP = /^(.+)\/earlier(?:@(\d+))?$/

export const isEarlier = ({ kind, id }: Pick<TreeRow, 'kind' | 'id'>): boolean => kind === 'older' && GAP.test(id)

/** null for another row. The row of the view stands for all places before its own rows. */
export function gapOf({
  kind,
  id,
  stage,
  agent,
  counts,
}: Pick<TreeRow, 'kind' | 'id' | 'stage' | 'agent' | 'counts'>): StepGap | null {
  const match = kind === 'older' ? GAP.exec(id) : null
  if (!match || agent === null) return null
  const to = match[2] === undefined ? counts.steps : Number(match[2])
  return { lane: match[1] ?? '', stage, agent, from: Math.max(0, to - counts.steps), to }
}

/** in: kept: rows in the window, whose pages stay. out: with that page; the oldest ones go while there are too many rows */
export function withPage(pages: readonly LanePage[], page: LanePage, kept: ReadonlySet<string>): readonly LanePage[] {
  const others = pages.filter((one) => one.lane !== page.lane || one.from !== page.from)
  let count = page.rows.length + others.reduce((sum, { rows }) => sum + rows.length, 0)
  const left = others.filter(({ rows }) => {
    if (count <= MOST_ROWS || rows.some(({ id }) => kept.has(id))) return true
    count -= rows.length
    return false
  })
  return [...left, page]
}

/**
 * The tree's rows merged with pages, and with rows that were found elsewhere.
 *
 * out     rows in order, each once; what is missing between pages is one row each
 */
export function withEarlier(
  rows: readonly TreeRow[],
  pages: readonly LanePage[],
  found: readonly TreeRow[],
): readonly TreeRow[] {
  if (pages.length === 0 && found.length === 0) return rows
  const own = new Map(rows.map((row) => [row.id, row]))
  const all = new Map<string, TreeRow>([...found, ...pages.flatMap((page) => page.rows)].map((row) => [row.id, row]))
  for (const [lane, loaded] of gather(pages, (page) => [page.lane])) {
    const gap = own.get(`${lane}/earlier`)
    if (gap) own.delete(gap.id)
    for (const row of gap ? gapsBetween(gap, loaded, own) : []) all.set(row.id, row)
  }
  for (const [id, row] of own) all.set(id, row)
  return [...all.values()].sort(bySort)
}

/** The rows of what is missing before, between and after the pages of a lane. */
function gapsBetween(gap: TreeRow, pages: readonly LanePage[], own: ReadonlyMap<string, TreeRow>): TreeRow[] {
  const gaps: TreeRow[] = []
  let [at, sort] = [0, gap.sort]
  for (const { from, to, rows } of [...pages].sort((a, b) => a.from - b.from)) {
    if (from > at) gaps.push(gapRow(gap, sort, from, from - at))
    at = Math.max(at, to)
    // Behind the page: its last row that is not the view's.
    sort = `${rows.findLast(({ id, level }) => level === gap.level && !own.has(id))?.sort ?? sort}~`
  }
  const end = gap.counts.steps
  if (end > at) gaps.push(gapRow(gap, sort, end, end - at))
  return gaps
}

const gapRow = (gap: TreeRow, sort: string, to: number, count: number): TreeRow => ({
  ...gap,
  ...{ id: `${gap.id}@${to}`, sort },
  counts: { ...gap.counts, steps: count },
})

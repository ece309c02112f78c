/** Which tasks are shown, and in which order. Pure; filter and sort are in the address. */
import { taskTitle } from '@/client/readersWords'
import { bySort } from '@/client/views/viewState'
import type { ChipState } from '@/components/ui/marks/StatusChip'
import { fitsWords } from '@/lib/format/fitsWords'
import type { ExecutionState } from '@/lib/mas/records'
import type { ArchivedTask, OverviewRow } from '@/lib/wire'

export const STATE_FILTERS = ['all', 'stuck', 'running', 'failed', 'done', 'idle', 'archived'] as const
type StateFilter = (typeof STATE_FILTERS)[number]
const SORTS = ['stuck', 'name', 'state', 'stage', 'cost', 'when'] as const
export type SortName = (typeof SORTS)[number]
export type Sort = { by: SortName; isDown: boolean }

/** The server's order: what is stuck first. */
export const STUCK_FIRST: Sort = { by: 'stuck', isDown: false }

export const readStateFilter = (text: string | null): StateFilter => STATE_FILTERS.find((one) => one === text) ?? 'all'

/** A sort in the address: `cost`, or `-cost` reversed. */
export function readSort(text: string | null): Sort {
  const isDown = text?.startsWith('-') ?? false
  const by = SORTS.find((one) => one === (isDown ? text?.slice(1) : text))
  return by ? { by, isDown } : STUCK_FIRST
}
export const writeSort = (sort: Sort): string | null =>
  sort.by === 'stuck' && !sort.isDown ? null : `${sort.isDown ? '-' : ''}${sort.by}`

/** The next sort when a head is pressed: another column, then the other direction. */
export const pressSort = (sort: Sort, by: SortName): Sort => ({ by, isDown: sort.by === by && !sort.isDown })

const ARCHIVED: Record<ExecutionState, ChipState> = {
  init: 'idle',
  running: 'idle',
  finished: 'done',
  failed: 'failed',
}

export const archivedChip = (task: ArchivedTask): ChipState => ARCHIVED[task.state]

const isStuck = (row: OverviewRow): boolean => row.stuck !== null && row.stuck.kind !== 'failed'

function fits(row: OverviewRow, filter: StateFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'stuck':
      return isStuck(row)
    case 'archived':
      // Archived tasks have a list of their own (ArchivedTasks.tsx).
      return false
    default:
      return row.chip === filter
  }
}

/** member: whose tasks; null: all. The one who asked for a task counts as its member. */
type TaskFilter = { text: string; state: StateFilter; member: string | null }

const isPartOf = ({ members, requestedBy, manager }: OverviewRow, id: string): boolean =>
  requestedBy?.id === id || manager.id === id || members.some((who) => who.id === id)

export const taskMembersOf = (rows: readonly OverviewRow[]): { id: string; name: string }[] => {
  const all = rows.flatMap(({ members }) => members)
  const byId = new Map(all.map(({ id, name }) => [id as string, name]))
  return [...byId].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name))
}

/** The text is searched for in name, intention and the names of members. */
export function filterTasks(rows: readonly OverviewRow[], { text, state, member }: TaskFilter): OverviewRow[] {
  const has = fitsWords(text)
  return rows.filter((row) => {
    if (member !== null && !isPartOf(row, member)) return false
    return fits(row, state) && has(taskTitle(row.name), row.intention, ...row.members.map((who) => who.name))
  })
}

/** The states that need somebody come first. */
const STATE_RANK: Readonly<Record<ChipState, number>> = {
  blocked: 0,
  waiting: 1,
  failed: 2,
  running: 3,
  idle: 4,
  redone: 5,
  done: 6,
}

/** Unknown numbers are last, in either direction. */
function compareBy(a: OverviewRow, b: OverviewRow, by: SortName): number {
  switch (by) {
    case 'stuck':
      return bySort(a, b)
    case 'name':
      return a.name.localeCompare(b.name)
    case 'state':
      return STATE_RANK[a.chip] - STATE_RANK[b.chip]
    case 'stage':
      return share(b) - share(a)
    case 'cost':
      return (b.costUsd ?? 0) - (a.costUsd ?? 0)
    case 'when':
      return (b.endedAt ?? b.createdAt) - (a.endedAt ?? a.createdAt)
  }
}
const share = (row: OverviewRow): number => (row.stage ? row.stage.number / Math.max(1, row.stage.of) : 0)
const isUnknown = (row: OverviewRow, by: SortName): boolean =>
  by === 'cost' ? row.costUsd === null : by === 'stage' ? row.stage === null : false

export function sortTasks(rows: readonly OverviewRow[], { by, isDown }: Sort): OverviewRow[] {
  return [...rows].sort((a, b) => {
    // The base task is first, in any order.
    if (a.base !== b.base) return a.base ? -1 : 1
    if (isUnknown(a, by) !== isUnknown(b, by)) return isUnknown(a, by) ? 1 : -1
    return compareBy(a, b, by) * (isDown ? -1 : 1) || bySort(a, b)
  })
}

/** aria-sort of a column. Numbers and dates start with the largest. */
export function ariaSort(sort: Sort, by: SortName): 'ascending' | 'descending' | 'none' {
  if (sort.by !== by) return 'none'
  const isDownAtFirst = by === 'cost' || by === 'when' || by === 'stage'
  return sort.isDown !== isDownAtFirst ? 'descending' : 'ascending'
}

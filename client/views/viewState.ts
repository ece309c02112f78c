/**
 * The state of one view, and how each message changes it. Pure.
 *
 * A frame fits if from ≤ have < to and its generation is the view's; otherwise it is dropped, or the view is requested again
 * (docs/socket.md).
 */

import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import { restrict } from '@/lib/wire/restrict'
import type { AnyRow, RowId } from '@/lib/wire/rows'
import {
  CLOSED_GEN,
  type Closed,
  type ClosedReason,
  type Cursor,
  isLogView,
  parseView,
  type Reset,
  type View,
  type ViewFrame,
} from '@/lib/wire/views'
import { noteRowSeq } from './rowSeq'

type RowsContent = { kind: 'rows'; rows: ReadonlyMap<RowId, AnyRow>; list: readonly AnyRow[] }
type LogContent = { kind: 'log'; world: World; cls: string }

/**
 * status  loading: nothing arrived yet · open: `content` is current as of `have` · closed: see `reason`; nothing may be shown
 * have    the last entry that `content` includes
 */
export type ViewState = {
  view: View
  status: 'loading' | 'open' | 'closed'
  reason: ClosedReason | null
  gen: string | null
  have: number
  cursor: Cursor | null
  content: RowsContent | LogContent | null
}

export const loadingView = (view: View): ViewState => ({
  view,
  status: 'loading',
  reason: null,
  gen: null,
  have: 0,
  cursor: null,
  content: null,
})

/** The order of the rows of a view. */
export const bySort = (a: AnyRow, b: AnyRow): number =>
  a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
const sortedRows = (rows: ReadonlyMap<RowId, AnyRow>): AnyRow[] =>
  [...rows.values()].filter((row) => row.id !== '$').sort(bySort)

export function takeReset(state: ViewState, reset: Reset): ViewState {
  const head = {
    view: state.view,
    status: 'open' as const,
    reason: null,
    gen: reset.gen,
    have: reset.to,
    cursor: reset.cursor,
  }
  if (reset.kind === 'log') return { ...head, content: { kind: 'log', world: reset.world, cls: reset.cls } }
  const old = state.content?.kind === 'rows' ? state.content.rows : null
  const rows = new Map(reset.rows.map((row) => [row.id, keepIdentity(old?.get(row.id), row)]))
  for (const row of rows.values()) if (old?.get(row.id) !== row) noteRowSeq(row, reset.to)
  return { ...head, content: { kind: 'rows', rows, list: sortedRows(rows) } }
}

const keepIdentity = (old: AnyRow | undefined, row: AnyRow): AnyRow =>
  old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? old : row

export function takeClosed(state: ViewState, closed: Closed): ViewState {
  return { ...loadingView(state.view), status: 'closed', reason: closed.reason, gen: CLOSED_GEN }
}

/** One frame. out: the next state; 'drop': it is old or of another generation; 'ask': something before it is missing */
export function takeFrame(state: ViewState, frame: ViewFrame): ViewState | 'drop' | 'ask' {
  if (state.status !== 'open' || frame.gen !== state.gen || frame.to <= state.have) return 'drop'
  if (frame.from > state.have) return 'ask'
  if (state.content?.kind !== frame.kind) return 'ask'
  const head = { ...state, have: frame.to, cursor: frame.cursor }
  if (frame.kind === 'log') {
    if (state.content.kind !== 'log') return 'ask'
    return { ...head, content: takeEntries(state.view, state.content, frame.entries, state.have) }
  }
  if (state.content.kind !== 'rows') return 'ask'
  for (const row of frame.set) noteRowSeq(row, frame.to)
  return { ...head, content: takeRows(state.content, frame.set, frame.del) }
}

/** Restricted to the view's records after all entries (V1), since a reducer may create more: it looks at the whole world. */
function takeEntries(view: View, content: LogContent, entries: Entry[], have: number): LogContent {
  const parsed = parseView(view)
  if (parsed === null || !isLogView(parsed)) return content
  let world = content.world
  for (const entry of entries) if (entry.seq > have) world = reduceEntry(world, entry)
  world = restrict(world, parsed, content.cls)
  return world === content.world ? content : { ...content, world }
}

/** Thousands of rows in their order are sorted again in half a millisecond. */
function takeRows(content: RowsContent, set: AnyRow[], del: RowId[]): RowsContent {
  const rows = new Map(content.rows)
  for (const id of del) rows.delete(id)
  for (const row of set) rows.set(row.id, row)
  return { kind: 'rows', rows, list: sortedRows(rows) }
}

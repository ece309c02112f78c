/**
 * What a page holds of one view, and how each message moves it on. Pure: no socket, no store, no clock.
 *
 * A frame fits if from ≤ have < to and its generation is ours; anything else is dropped, or asked for again
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

export type HeldRows = { kind: 'rows'; rows: ReadonlyMap<RowId, AnyRow>; list: readonly AnyRow[] }
export type HeldLog = { kind: 'log'; world: World; cls: string }

/**
 * status  loading: nothing has come yet · open: `held` is true as of `have` · closed: `reason`, nothing may be shown
 * have    the last entry that `held` holds
 */
export type ViewState = {
  view: View
  status: 'loading' | 'open' | 'closed'
  reason: ClosedReason | null
  gen: string | null
  have: number
  cursor: Cursor | null
  held: HeldRows | HeldLog | null
}

export const loadingView = (view: View): ViewState => ({
  view,
  status: 'loading',
  reason: null,
  gen: null,
  have: 0,
  cursor: null,
  held: null,
})

const bySort = (a: AnyRow, b: AnyRow): number => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : a.id < b.id ? -1 : 1)
const listOf = (rows: ReadonlyMap<RowId, AnyRow>): AnyRow[] =>
  [...rows.values()].filter((row) => row.id !== '$').sort(bySort)

/** The whole view anew; rows that say the same keep their identity, so nothing is drawn again for them. */
export function takeReset(state: ViewState, reset: Reset): ViewState {
  const head = {
    view: state.view,
    status: 'open' as const,
    reason: null,
    gen: reset.gen,
    have: reset.to,
    cursor: reset.cursor,
  }
  if (reset.kind === 'log') return { ...head, held: { kind: 'log', world: reset.world, cls: reset.cls } }
  const old = state.held?.kind === 'rows' ? state.held.rows : null
  const rows = new Map(reset.rows.map((row) => [row.id, same(old?.get(row.id), row)]))
  for (const row of rows.values()) if (old?.get(row.id) !== row) noteRowSeq(row, reset.to)
  return { ...head, held: { kind: 'rows', rows, list: listOf(rows) } }
}

const same = (old: AnyRow | undefined, row: AnyRow): AnyRow =>
  old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? old : row

export function takeClosed(state: ViewState, closed: Closed): ViewState {
  return { ...loadingView(state.view), status: 'closed', reason: closed.reason, gen: CLOSED_GEN }
}

/**
 * One step forward.
 *
 * out     the next state; 'drop' when it is old or of another generation; 'ask' when something before it is missing
 */
export function takeFrame(state: ViewState, frame: ViewFrame): ViewState | 'drop' | 'ask' {
  if (state.status !== 'open' || frame.gen !== state.gen || frame.to <= state.have) return 'drop'
  if (frame.from > state.have) return 'ask'
  if (state.held?.kind !== frame.kind) return 'ask'
  const head = { ...state, have: frame.to, cursor: frame.cursor }
  if (frame.kind === 'log') {
    if (state.held.kind !== 'log') return 'ask'
    return { ...head, held: takeEntries(state.view, state.held, frame.entries, state.have) }
  }
  if (state.held.kind !== 'rows') return 'ask'
  for (const row of frame.set) noteRowSeq(row, frame.to)
  return { ...head, held: takeRows(state.held, frame.set, frame.del) }
}

/** The browser cuts back to the view's records after each entry: a reducer may have made more than the view holds. */
function takeEntries(view: View, held: HeldLog, entries: Entry[], have: number): HeldLog {
  const parsed = parseView(view)
  if (parsed === null || !isLogView(parsed)) return held
  let world = held.world
  for (const entry of entries) if (entry.seq > have) world = restrict(reduceEntry(world, entry), parsed, held.cls)
  return world === held.world ? held : { ...held, world }
}

function takeRows(held: HeldRows, set: AnyRow[], del: RowId[]): HeldRows {
  const rows = new Map(held.rows)
  let isOrderKept = true
  for (const id of del) if (rows.delete(id)) isOrderKept = false
  for (const row of set) {
    if (rows.get(row.id)?.sort !== row.sort) isOrderKept = false
    rows.set(row.id, row)
  }
  const list = isOrderKept ? held.list.map((row) => rows.get(row.id) ?? row) : listOf(rows)
  return { kind: 'rows', rows, list }
}

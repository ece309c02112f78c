/**
 * The state of one view, and how each message changes it. Pure.
 *
 * A frame fits if from ≤ have < to and its generation is the view's; otherwise it is dropped, or the view is requested again
 * (docs/socket.md).
 */
import { emptyWorld, type World } from '@/lib/mas/records'
import { patchedRow } from '@/lib/wire/recordPatch'
import { isRecordRow, type RecordRow, withRecords } from '@/lib/wire/records'
import type { AnyRow, RowId } from '@/lib/wire/rows'
import {
  CLOSED_GEN,
  type Closed,
  type ClosedReason,
  type Cursor,
  type Reset,
  type View,
  type ViewFrame,
} from '@/lib/wire/views'
import { noteRowSeq } from './rowSeq'

/** list: the rows in order, without the totals and without records; world: of the records, as the engine holds them */
type Content = { rows: ReadonlyMap<RowId, AnyRow>; list: readonly AnyRow[]; world: World }

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
  content: Content | null
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
/** Thousands of rows in their order are sorted again in half a millisecond. */
function contentOf(
  old: Content | null,
  rows: ReadonlyMap<RowId, AnyRow>,
  set: readonly AnyRow[],
  gone: readonly AnyRow[],
) {
  const isList = [...set, ...gone].some((row) => !isRecordRow(row))
  return {
    rows,
    list:
      isList || old === null
        ? [...rows.values()].filter((row) => row.id !== '$' && !isRecordRow(row)).sort(bySort)
        : old.list,
    world: withRecords(old?.world ?? emptyWorld, set.filter(isRecordRow), gone.filter(isRecordRow)),
  }
}

export function takeReset(state: ViewState, reset: Reset): ViewState {
  const old = state.content?.rows
  const rows = new Map(reset.rows.map((row) => [row.id, keepIdentity(old?.get(row.id), row)]))
  const set = [...rows.values()].filter((row) => old?.get(row.id) !== row)
  for (const row of set) noteRowSeq(row, reset.to)
  const gone = [...(old?.values() ?? [])].filter((row) => !rows.has(row.id))
  return {
    view: state.view,
    status: 'open',
    reason: null,
    gen: reset.gen,
    have: reset.to,
    cursor: reset.cursor,
    content: contentOf(state.content, rows, set, gone),
  }
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
  if (state.content === null) return 'ask'
  const { content } = state
  const rows = new Map(content.rows)
  const gone = frame.del.flatMap((id) => content.rows.get(id) ?? [])
  for (const { id } of gone) rows.delete(id)
  const set = [...frame.set, ...frame.patch.map((patch) => patchedRow(heldRecord(content, patch.id), patch))]
  for (const row of set) {
    noteRowSeq(row, frame.to)
    rows.set(row.id, row)
  }
  return { ...state, have: frame.to, cursor: frame.cursor, content: contentOf(content, rows, set, gone) }
}

/** Throws when the page holds no such record: it lacks something, and needs the whole view. */
function heldRecord({ rows }: Content, id: RowId): RecordRow {
  const row = rows.get(id)
  if (row === undefined || !isRecordRow(row)) throw new Error(`a change of a record that is not held: ${id}`)
  return row
}

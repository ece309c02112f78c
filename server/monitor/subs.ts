/** A subscription of a page to a view, its cursor, and what is sent to it. */
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import {
  type ClosedReason,
  type ParsedView,
  parseView,
  type Reset,
  type ServerEvent,
  type ServerMessage,
  type SubId,
  type Subscribe,
  type TaskMoment,
  type View,
  type ViewFrame,
} from '@/lib/wire/views'
import type { RestoredTask } from '../engine/snapshots/restoredTasks'
import type { FrameBody, Stream } from './streams'

/** One page of one person. Sending never throws and never waits. */
export type MonitorConnection = {
  readonly person: AgentId
  /**
   * in   view: the kind of view that the message belongs to; for counting only
   *      shared: members of the message that are the same for other pages: one object for all of them, never changed
   */
  send: <Event extends ServerEvent>(
    event: Event,
    message: ServerMessage<Event>,
    view?: ParsedView['kind'],
    shared?: object,
  ) => void
}

/** n: resets and closes that this page was sent. */
export type Page = { subs: Map<SubId, Sub>; n: number }

export type Sub = {
  connection: MonitorConnection
  id: SubId
  asked: number
  view: View
  parsed: ParsedView | null
  stream: Stream | null
  closed: ClosedReason | null
  /** What left the world and is shown here; `looking` while it is unknown whether there is such a thing. */
  past: RestoredTask | 'unknown' | 'looking' | 'none'
  /** null: as it is now. */
  at: TaskMoment | null
  /** What was found of that moment. */
  was: MomentFound | 'unknown' | 'looking' | 'none'
}

/** world: null: it may not be seen; restored: of a task that has left the world of now */
export type MomentFound = { world: World | null; restored: RestoredTask | null }

/** A subscription that is in no stream yet. parsed: null for a view that cannot be read. */
export const newSub = (connection: MonitorConnection, { sub, asked, view, at }: Subscribe): Sub => ({
  connection,
  id: sub,
  asked,
  view,
  parsed: parseView(view),
  stream: null,
  closed: null,
  past: 'unknown',
  at: at ?? null,
  was: 'unknown',
})

/** The position of a page in a stream, as a text that only the server reads. */
type CursorPosition = { gen: string; seq: number }

/** out: the text that parseCursor reads back. */
export const writeCursor = ({ gen, seq }: CursorPosition): string => `${gen}@${seq}`

/** Read a cursor back; null for anything else. Its number is checked by the stream that it names. */
export function parseCursor(cursor: string): CursorPosition | null {
  const at = cursor.lastIndexOf('@')
  const digits = cursor.slice(at + 1)
  return at < 1 || !/^\d{1,15}$/.test(digits) ? null : { gen: cursor.slice(0, at), seq: Number(digits) }
}

/** Send what changed, to the page of this subscription. */
export function sendFrame(sub: Sub, stream: Stream, body: FrameBody): void {
  const cursor = writeCursor({ gen: stream.gen, seq: body.to })
  const frame: ViewFrame = { sub: sub.id, asked: sub.asked, gen: stream.gen, cursor, ...body }
  sub.connection.send('frame', frame, sub.parsed?.kind, body)
}

/** Send the whole, as of that entry. */
export function sendReset(sub: Sub, page: Page, stream: Stream, world: World, to: number): void {
  page.n += 1
  const head = { sub: sub.id, asked: sub.asked, gen: stream.gen, to, n: page.n }
  const message: Reset = { ...head, cursor: writeCursor({ gen: stream.gen, seq: to }), rows: stream.snapshot(world) }
  sub.connection.send('reset', message, sub.parsed?.kind)
}

/** Tells the page that the view is closed, and why. */
export function sendClosed(sub: Sub, page: Page, reason: ClosedReason): void {
  page.n += 1
  sub.connection.send('closed', { sub: sub.id, asked: sub.asked, n: page.n, reason }, sub.parsed?.kind)
}

/** Views, frames and socket events. A view is a set of rows: records as they are, or rows made for a screen. */
import type { AgentId, StageId, StepId, TaskId } from '../mas/ids'
import type { RecordPatch } from './recordPatch'
import type { AnyRow, RowId } from './rows'

export const WIRE_VERSION = 2

/** Names a subscription of a page; made by the page. */
export type SubId = string

/** Their rows are records (wire/records.ts). */
export type RecordView = `task:${string}` | `agent:${string}` | `step:${string}`
/**
 * `tree:<task>`, or more steps of one agent in one stage: `tree:<task>/<stage or ->/<agent>@<before place>`.
 * `timeline:<task>`, or 100 bars of one member before a place: `timeline:<task>/<agent>@<before place>`.
 */
export type RowView = 'me' | 'overview' | 'agents' | 'waits' | 'direct' | `tree:${string}` | `timeline:${string}`
export type View = RecordView | RowView

export type ParsedView =
  | { kind: 'task'; task: TaskId }
  | { kind: 'agent'; agent: AgentId }
  | { kind: 'step'; step: StepId }
  | { kind: 'me' }
  | { kind: 'overview' }
  | { kind: 'agents' }
  | { kind: 'waits' }
  | { kind: 'direct' }
  | { kind: 'tree'; task: TaskId; older: { stage: StageId | null; agent: AgentId; before: number } | null }
  | { kind: 'timeline'; task: TaskId; older: { agent: AgentId; before: number } | null }

export type ParsedRecordView = Extract<ParsedView, { kind: 'task' | 'agent' | 'step' }>
export type ParsedRowView = Exclude<ParsedView, ParsedRecordView>

/** Are its rows records? */
export const isRecordView = (view: ParsedView): view is ParsedRecordView =>
  view.kind === 'task' || view.kind === 'agent' || view.kind === 'step'

/** Opaque to the page: kept as it came, handed back as it is. */
export type Cursor = string

/** A task as it was after that entry. */
export type TaskMoment = { task: TaskId; seq: number }

/** Views that can be shown at a moment, each of what is in its task. */
export type MomentView = Extract<ParsedView, { kind: 'task' | 'tree' | 'timeline' | 'step' | 'agent' | 'waits' }>

/** null: that view is not one of a task, or of another task. */
export function asMomentView(view: ParsedView, task: TaskId): MomentView | null {
  switch (view.kind) {
    case 'task':
    case 'tree':
    case 'timeline':
      return view.task === task ? view : null
    case 'step':
    case 'agent':
    case 'waits':
      return view
    case 'me':
    case 'overview':
    case 'agents':
    case 'direct':
      return null
  }
}

/**
 * From the page: show this view under this subscription id; `asked` increases with each request for the same id. at: as it was
 * at that moment; absent: as it is, and what changes
 */
export type Subscribe = { sub: SubId; asked: number; view: View; cursor?: Cursor; at?: TaskMoment }
export type Unsubscribe = { sub: SubId }

type FrameHead = { sub: SubId; asked: number; gen: string; to: number; cursor: Cursor }

/** The whole view at `to`. `n` counts resets and closes of this page; a late, older one is dropped. */
export type Reset = FrameHead & { n: number; rows: AnyRow[] }

/** Rows that are new or changed, changes of records whose rows the page holds, and the ids of the rows that left. */
export type ViewChanges = { set: AnyRow[]; patch: RecordPatch[]; del: RowId[] }

/** One step forward. Apply if from ≤ have < to. marks: in a bench: entry → the server's monotonic ms when it was confirmed. */
export type ViewFrame = FrameHead & ViewChanges & { from: number; marks?: Record<string, number> }

export type ClosedReason = 'not-found' | 'erased' | 'not-allowed' | 'bad-view'
export type Closed = { sub: SubId; asked: number; n: number; reason: ClosedReason }

/** The generation that a beat gives for a closed subscription. */
export const CLOSED_GEN = ''

/** Each second: the current state, so that a silent connection can be distinguished from a dead one. `at` is epoch ms. */
export type Beat = {
  at: number
  head: number
  node: string
  wire: number
  subs: Record<SubId, [asked: number, gen: string, to: number]>
  /** In a bench: the server's monotonic ms now. */
  mono?: number
}

/**
 * What a running step does. queued: its model call waits for its turn, at this place of the queue, from 1; asked: the request is
 * sent, and no text has come; writing: text comes; repeating: the call failed, and is sent again after a pause; tool: this call
 * runs; person: a person is asked, by the call or as the model; between: anything else.
 */
export type StepDoing =
  | { what: 'queued'; place: number }
  | { what: 'asked' | 'writing' | 'repeating' | 'person' | 'between' }
  | { what: 'tool'; tool: string }
/** since: epoch ms, when it began to do that. */
export type DoingNow = StepDoing & { since: number }

type OfAttempt = { task: TaskId; agent: AgentId; step: StepId; attempt: number }

/** What no entry says, last value wins. Lost on restart by design. */
export type Ephemeral =
  /** Streaming text of a step that runs: text from character `at` on. */
  | (OfAttempt & { kind: 'text'; at: number; text: string })
  | (OfAttempt & { kind: 'doing' } & DoingNow)
  /** request: its id; `task:<id>`: in its chat. */
  | { kind: 'drafting'; request: string; person: AgentId; name: string; on: boolean }
  | { kind: 'presence'; person: AgentId; presence: PresenceState }
  /** To the other pages of the one who read. */
  | { kind: 'read'; person: AgentId; place: string; seq: number }
  /** To the pages of the one who writes: the draft there is another now. version null: none is left. */
  | { kind: 'draft'; person: AgentId; key: string; version: number | null; isWritten: boolean }
  /** To the pages of the one whose settings have changed. */
  | { kind: 'settings'; person: AgentId }

/** Do not disturb: until when (epoch ms), null: until they switch it off. */
export type Quiet = { until: number | null }
/** Of a person. away: a page is open without activity. */
export type PresenceState = { state: 'online' | 'away' | 'offline'; quiet: Quiet | null }

/** Sent to one page before its socket is closed. */
export type SignedOut = { reason: 'ended' | 'expired' | 'access' }

/** The same: the person opened more than `most` pages, and this one was the oldest. */
export type Crowded = { most: number }

export type ClientToServer = {
  subscribe: (ask: Subscribe) => void
  unsubscribe: (ask: Unsubscribe) => void
  /** I am writing an answer to this request, or (`task:<id>`) a message. */
  drafting: (note: { request: string; on: boolean }) => void
  /** Follow what these steps do, and their streaming text; replaces the last list. */
  follow: (note: { steps: string[] }) => void
  /** Is the person active on this page, and may they be disturbed? Sent on changes, and on each new connection. */
  presence: (note: { isActive: boolean; quiet: Quiet | null }) => void
}

export type ClientEvent = keyof ClientToServer
export type ClientMessage<Event extends ClientEvent> = Parameters<ClientToServer[Event]>[0]
export type SendToServer = <Event extends ClientEvent>(event: Event, message: ClientMessage<Event>) => void

export type ServerToClient = {
  reset: (message: Reset) => void
  frame: (message: ViewFrame) => void
  closed: (message: Closed) => void
  beat: (message: Beat) => void
  ephemeral: (message: Ephemeral) => void
  signedOut: (message: SignedOut) => void
  crowded: (message: Crowded) => void
}

export type ServerEvent = keyof ServerToClient
export type ServerMessage<Event extends ServerEvent> = Parameters<ServerToClient[Event]>[0]

/** The form of all ids of records. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Read a view's name; null when it is none. */
export function parseView(view: string): ParsedView | null {
  if (view === 'me' || view === 'overview' || view === 'agents' || view === 'waits' || view === 'direct')
    return { kind: view }
  const [kind, rest = ''] = [view.slice(0, view.indexOf(':')), view.slice(view.indexOf(':') + 1)]
  if (kind === 'task' && UUID.test(rest)) return { kind, task: rest as TaskId }
  if (kind === 'agent' && UUID.test(rest)) return { kind, agent: rest as AgentId }
  if (kind === 'step' && UUID.test(rest)) return { kind, step: rest as StepId }
  if (kind === 'timeline') {
    const [, task = '', agent, before] = /^([^/@]+)(?:\/([^/@]+)@(\d{1,15}))?$/.exec(rest) ?? []
    if (!UUID.test(task) || (agent !== undefined && !UUID.test(agent))) return null
    const older = agent === undefined ? null : { agent: agent as AgentId, before: Number(before) }
    return { kind, task: task as TaskId, older }
  }
  if (kind !== 'tree') return null
  const [task = '', stage, last] = rest.split('/')
  if (!UUID.test(task)) return null
  if (stage === undefined) return { kind: 'tree', task: task as TaskId, older: null }
  const [agent = '', before = ''] = (last ?? '').split('@')
  if (!UUID.test(agent) || !/^\d{1,15}$/.test(before) || !(stage === '-' || UUID.test(stage))) return null
  return {
    kind: 'tree',
    task: task as TaskId,
    older: { stage: stage === '-' ? null : (stage as StageId), agent: agent as AgentId, before: Number(before) },
  }
}

/** The rows that row views send: what the server computes for a screen, and the screen only draws. */
import type { Language } from '@/lib/language'
import type { MessageOutcome } from '../mas/asks/outcomes'
import type { RequestAbout } from '../mas/asks/requestAbout'
import type { Change } from '../mas/asks/requests'
import type { AgentId, RequestId, StageId, StepId, TaskId } from '../mas/ids'
import type {
  Access,
  Attachment,
  ExecutionState,
  MessageRecord,
  NoticeRecord,
  NumberedRequest,
  PartState,
  RequestRecord,
  Spent,
  StepState,
  TaskRecord,
  WorkingState,
} from '../mas/records'
import type { OpenWait } from '../mas/waits/openWaits'
import type { BlockedCause } from '../mas/waits/stops'
import type { RecordRow } from './records'

/** Someone, as far as a chip or an avatar needs. */
export type Who = {
  id: AgentId | 'system:task'
  name: string
  kind: 'llm' | 'human' | 'outside' | 'system'
  role: string
  manager: boolean
  access: Access
}

/** `sort` orders the rows of a view, compared as text. */
export type Row = { id: string; sort: string }
/** The one row of a view that counts all of it. */
type Totals = Row & { id: '$'; kind: 'totals' }

/**
 * Groups of the inbox in order; an item is listed once, in the highest that applies.
 *
 * still     an agent or a task waits for the answer
 * part      the reader's own share of a stage
 */
export const INBOX_GROUPS = ['urgent', 'still', 'part', 'action', 'mention', 'unread'] as const
export type InboxGroup = (typeof INBOX_GROUPS)[number]

export type MeTotals = Totals & {
  me: Who
  needsMe: number
  urgentUnacknowledged: number
  byGroup: Record<InboxGroup, number>
  waitingOnOthers: number
  /** All that were given to me; the newest of them are rows. */
  notices: number
  rehearsal: boolean
  language: Language
}

/** An open request that is put to me, or (settled) one I answered lately. */
export type RequestRow = Row & {
  kind: 'request'
  group: InboxGroup | 'done'
  request: NumberedRequest
  asker: Who
  asked: Who[]
  taskName: string
  /** Place of the stage in its task, from 1. */
  stage: { id: StageId; number: number; name: string } | null
  /** The work that is blocked until the answer. */
  holdsUp: { agents: Who[]; stage: boolean }
  /** For parts: everyone with a share, and mine. */
  part: { goal: string; stageGoal: string; others: Who[] } | null
  /** The state of what it was about is another than when it was asked. */
  changed: boolean
  /** What of it changed, as far as tasks, stages and the team tell. */
  changes?: readonly Change[]
  answeredBy: Who | null
  /** Files of the message that it came with. */
  attachments?: readonly Attachment[]
  /** Absent: nothing, or nothing that I may read. */
  about?: RequestAbout
  /** Only for a plan: who may get a part of it, those of the plan first. */
  team?: Who[]
}

/** A message to me, open, for information, or settled lately; what it asks of me is the request of its outcome. */
export type MessageRow = Row & {
  kind: 'message'
  group: InboxGroup | 'info' | 'done'
  message: MessageRecord
  outcome: MessageOutcome
  /** When I want to see it again, epoch ms; absent: it asks something, or I do not. */
  remindAt?: number
  sender: Who
  taskName: string
  /** The task whose end the message tells, and the headline of its result; absent: none. */
  ended?: TaskId
  headline?: string
}

/** What I sent and is not settled. */
export type WaitingRow = Row & {
  kind: 'waiting'
  group: 'waiting'
  message: MessageRecord
  outcomes: ({ who: Who } & Pick<MessageOutcome, 'state' | 'settledAt' | 'reassigned' | 'transferredTo'>)[]
  taskName: string
}

/** isSettled: its subject is settled; it no longer counts as new. */
export type NoticeRow = Row & {
  kind: 'notice'
  group: 'info'
  notice: NoticeRecord
  taskName: string
  isSettled: boolean
}

export type MeRow = MeTotals | RequestRow | MessageRow | WaitingRow | NoticeRow

/** What the chip of a task, a stage, an agent or a step says: the state as a person means it. */
export type Chip = 'idle' | 'running' | 'waiting' | 'blocked' | 'done' | 'redone' | 'failed'

/** What has to be ended in a task, also while the rest of it runs; or why it failed. */
export type Stuck = {
  kind: 'blocked' | 'waiting' | 'failed'
  /** What blocks it; null when it only waits, or failed. */
  why: BlockedCause | null
  on: Who[]
  since: number
  what: string
  /** The agent that is held, and the other task where it is; null: it is held in this one. */
  elsewhere: { who: Who; task: TaskId; taskName: string } | null
  /** A person can answer it. */
  request: RequestId | null
}

export type OverviewRow = Row &
  Pick<TaskRecord, 'name' | 'intention' | 'base' | 'state' | 'createdAt' | 'endedAt'> & {
    kind: 'task'
    task: TaskId
    chip: Chip
    paused: boolean
    manager: Who
    members: Who[]
    requestedBy: Who | null
    /** It is the demo task; known until it has ended. */
    demo: boolean
    /** The one that runs; of a task that is over the last one. `of`: without those that another one replaced. */
    stage: { id: StageId; number: number; of: number; intention: string; chip: Chip } | null
    stuck: Stuck | null
    /** Needs me, in this task. */
    mine: number
    /** With what it cost to set up. */
    tokens: number | null
    promptTokens?: number | null
    /** Of promptTokens, those that model servers had in their caches. */
    cachedTokens?: number | null
    costUsd: number | null
    /** Of it, what was paid in the thread in which the task was asked for; null: nothing. */
    setUp: Spent | null
  }

export type OverviewTotals = Totals & {
  tasks: number
  running: number
  waiting: number
  failed: number
}

/** A team member at a glance: an agent or a person. */
export type AgentRow = Row & {
  kind: 'agent'
  agent: AgentId
  who: Who
  state: WorkingState
  chip: Chip
  /** Paused by whom, why, since when. */
  paused: { by: Who; reason: string; at: number } | null
  /** The step that it runs, or in which it is stopped. intention: the step's name on screens */
  now: { task: TaskId; taskName: string; step: StepId; executor: string; intention: string } | null
  /** Whom it waits for, over all tasks. */
  waitsFor: Who[]
  /** Since when it has been as the chip says; null when that is not known. */
  since: number | null
  /** Steps that it has still to run; of a person: requests that are put to them. */
  queue: number
  /** Tasks that are not over, without the base task. */
  tasks: { id: TaskId; name: string }[]
  tokens: number | null
  costUsd: number | null
}

export type AgentsTotals = Totals & {
  agents: number
  people: number
  waiting: number
  blocked: number
}

export type TreeRow = Row & {
  kind: 'stage' | 'agent' | 'step' | 'older'
  /** The row it hangs under; null at the top. */
  parent: string | null
  level: number
  name: string
  /** Raw engine value. */
  state: ExecutionState | PartState | StepState | WorkingState
  chip: Chip
  who: Who | null
  executor: string | null
  stepType: 'skill' | 'tool' | null
  /** Whom it waits for, and since when. */
  waitsFor: Who[]
  waitingSince: number | null
  reason: string | null
  startedAt: number | null
  endedAt: number | null
  tokens: number | null
  costUsd: number | null
  /** Descendants that are stuck, beside the own state. */
  counts: { waiting: number; failed: number; steps: number }
  stage: StageId | null
  agent: AgentId | null
  step: StepId | null
  byHand: boolean
  /** Number of the try, 1 for the first. */
  attempt: number
  /** Of a stage: its place in the plan, from 1. */
  number?: number
  /** The last entry that changed it. */
  seq: number
  /** Kind 'older' only: the view that holds up to 100 of the rows left out; counts.steps says how many there are. */
  more: `tree:${string}` | null
}

/** archived: steps that have left the world, so that no row or page of the tree holds them; 0 for those who see only some steps. */
export type TreeTotals = Totals & {
  steps: number
  errors: number
  waits: number
  archived: number
}

/** Of a step: a call of its model, epoch ms. first: of its first words; null: there were none, or it is not known. */
export type TimelineCall = { from: number; first: number | null; to: number; isFailed: boolean }
/** to null: it goes on. onPath: its end began the next on the critical path. */
export type TimelineWait = { from: number; to: number | null; on: Who[]; onPath: boolean }

/** What one member did at a time, or a question that was put to a person. */
export type TimelineBar = Row & {
  kind: 'step' | 'request'
  lane: AgentId
  name: string
  chip: Chip
  /** Epoch ms; null: not yet. */
  from: number | null
  to: number | null
  calls: readonly TimelineCall[]
  waits: readonly TimelineWait[]
  reason: string | null
  /** Its end began the next on the critical path, or it ended the task. */
  onPath: boolean
  /** 'request' has none. */
  step: StepId | null
  executor: string | null
  stepType: 'skill' | 'tool' | null
  byHand: boolean
  /** Number of the try, 1 for the first. */
  attempt: number
  /** Only of 'request'. */
  request: RequestId | null
}

/** A member of a task on the time axis. The newest of its bars are rows of the view; pages have those before. */
export type TimelineLane = Row & {
  kind: 'lane'
  agent: AgentId
  who: Who
  chip: Chip
  /** Of its first bar. */
  from: number | null
  /** Of its last bar; null: one goes on, or there is none. */
  to: number | null
  /** All that this view and its pages hold, and how many of the first ones are in pages alone. */
  bars: number
  before: number
  /** A digit for each column of the totals: of its time 0 to 9 ninths were worked, by bars that have ended; trailing zeros are cut. */
  busy: string
  /** The bar that runs. */
  running: string | null
  /** Whom it waits for, since when, and why an operator has to act. */
  waitsFor: Who[]
  waitingSince: number | null
  cause: BlockedCause | null
}

export type TimelineTotals = Totals & {
  /** Where the axis begins, epoch ms, and where it ends; null: now. */
  from: number
  to: number | null
  /** The time of one column of `busy`, ms. */
  columnMs: number
  /** Of the task, in this view and its pages; those that left the world. */
  steps: number
  archived: number
  /** The critical path: its time, of it what was waited for people, the longest first. */
  pathMs: number
  pathWaits: { who: Who; ms: number }[]
}

/** One wait and what it blocks. Its id is the waiting id of its lock, else the id of its request (POST /api/waits/release). */
export type WaitRow = Row &
  Omit<OpenWait, 'id' | 'who' | 'on' | 'stage' | 'thread' | 'circle'> & {
    kind: 'wait'
    /** The agent that waits; the task where the task itself asked. */
    who: Who
    /** One receiver; all who may decide, for a confirmation. */
    forWhom: Who[]
    taskName: string
    stage: { id: StageId; number: number; name: string } | null
    /** The question, cut for a list. */
    what: string
    /** The same, where the program itself says it. */
    said?: RequestRecord['said']
    /** Waits of one circle share it. */
    circle: string | null
    /** Stages that cannot end meanwhile, also of other tasks. */
    holdsUp: { stages: { task: TaskId; taskName: string; stage: StageId; number: number }[]; agents: Who[] }
  }

export type WaitsTotals = Totals & { waits: number; blocked: number; circles: number }

/** A person or agent with whom I have a talk, or may begin one. */
export type DirectRow = Row & {
  kind: 'direct'
  agent: AgentId
  who: Who
  /** null: it has not begun. */
  talk: TaskId | null
  /** Of what they sent me: not seen yet. */
  unread: number
  /** The newest message between us, cut for a list; null: none yet. */
  last: { text: string; at: number; isMine: boolean } | null
}

/** A talk of two others, for who sees all tasks: that it exists. at: of its last message, epoch ms; null: there is none */
export type OthersTalkRow = Row & {
  kind: 'othersTalk'
  task: TaskId
  members: Who[]
  messages: number
  createdAt: number
  at: number | null
}

export type DirectTotals = Totals & { unread: number }

export type AnyRow =
  | RecordRow
  | MeRow
  | DirectRow
  | OthersTalkRow
  | DirectTotals
  | OverviewRow
  | OverviewTotals
  | AgentRow
  | AgentsTotals
  | WaitRow
  | WaitsTotals
  | TreeRow
  | TreeTotals
  | TimelineLane
  | TimelineBar
  | TimelineTotals
export type RowId = string

import type { AgentId, StageId, TaskId, TemplateId, ThreadId } from '../ids'
import type { Changed } from '../records/values'
import type { ToolRule } from '../steps/toolRuleRecords'
import type { Pause } from '../team/records'

export type ExecutionState = 'init' | 'running' | 'finished' | 'failed'

export type PartState = 'idle' | 'working' | 'finished' | 'failed'

/** A figure or name that a result states. source: a path, an address, or a step or message, as it was written; null: none */
export type ResultFact = { label: string; value: string; source: string | null }

/** What the manager wrote about a result beside its free text. leftOut: what was left out or is uncertain */
export type StructuredResult = { headline: string | null; facts: readonly ResultFact[]; leftOut: readonly string[] }

export type Rating = 'up' | 'down'

/** What a person thinks of the result. sentence: '' without one; at: epoch ms */
export type TaskRating = { by: AgentId; rating: Rating; sentence: string; at: number }

/** A rating as it stays known when its task has left the world. */
export type KeptRating = TaskRating & { task: TaskId; taskName: string }

/** sha: null if the file was too large to be read, or is gone; bytes: null: it is gone */
export type StartFile = { path: string; sha: string | null; bytes: number | null }

/**
 * What a task begins with that changes the result of another.
 *
 * name      of the other task
 * passage   of its result; '': all of it
 * comment   what is to be changed, in the asker's words
 * files     that the other task left, in their versions when this one began
 */
export type TaskStart = { name: string; passage: string; comment: string; files: readonly StartFile[] }

/**
 * From where the record of a task came that another system exported; it is in no journal of ours.
 *
 * archive   the id under which the file is kept
 * file      its name
 * by        the name of who opened it; at: epoch ms
 * exported  by whom and when it was made, as the file says
 */
export type OpenedFrom = {
  archive: string
  file: string
  by: string
  at: number
  exported: { by: string; at: number }
}

export type TaskRecord = {
  id: TaskId
  name: string
  intention: string
  /** Who judges its stages and its end; null: nobody, in a talk. */
  manager: AgentId | null
  group: AgentId[]
  /** Removed members, and the last entry that each may read. */
  former: Record<AgentId, number>
  base: boolean
  state: ExecutionState
  summary: string | null
  /** Absent: it ended with a free text alone. */
  result?: StructuredResult
  /** One of each person, the newest last; absent: none. */
  ratings?: readonly TaskRating[]
  stageOrder: StageId[]
  requestedBy: AgentId | null
  /** The person whose work led to it, where an agent made it without a request; absent: nobody's. */
  madeFor?: AgentId
  requestedIn: { task: TaskId; thread: ThreadId } | null
  /** The task whose result it changes, and what it begins with; absent: none. Views have no start. */
  changeOf?: TaskId
  start?: TaskStart
  /** The tasks that change its result, the newest last; absent: none. */
  changedBy?: readonly TaskId[]
  /** The template of the request; absent: none. */
  fromTemplate?: TemplateId
  /** People decide about its plans before they begin. */
  reviewPlans?: true
  paused: Pause | null
  /** A conversation with another system: archived without having ended. */
  conversation?: true
  /** A conversation of the two members of its group, who alone read it. It has no manager, no stages, and does not end. */
  talk?: true
  /** Opened from a file, only to be read; absent: a task of this team. No event sets it. */
  opened?: OpenedFrom
  /** One per tool; absent: none. */
  toolRules?: readonly ToolRule[]
  createdAt: number
  endedAt: number | null
  changedAt: Changed
}

export type InfoLine = { agent: AgentId; role: string; stage: StageId | null; content: string; at: number; seq: number }
/** As in an event, which has author and time. */
export type SharedLine = Omit<InfoLine, 'agent' | 'at' | 'seq'>

export type StageRecord = {
  id: StageId
  task: TaskId
  /** Absent: it is named by the beginning of its goal. */
  name?: string
  /** Its goal. */
  intention: string
  allocation: Record<AgentId, string>
  /** Per part, the members whose parts must be finished before it starts. */
  needs?: Record<AgentId, AgentId[]>
  state: ExecutionState
  parts: Record<AgentId, PartState>
  /** Why each failed part failed. */
  partReasons: Record<AgentId, string>
  summaries: Record<AgentId, string>
  retryOf: StageId | null
  replacedBy: StageId | null
  reason: string | null
  /** The manager was asked to judge. */
  judging: boolean
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  changedAt: Changed
}

/** A stage to add. */
export type NewStage = Pick<StageRecord, 'name' | 'intention' | 'allocation' | 'needs'>

/** An erased task. by: who erased it; at: epoch ms; seq: of its `task.erased`; from: its first entry; to: the last that is emptied */
export type ErasedRecord = { by: AgentId; at: number; seq: number; from: number; to: number }

/**
 * Steps.
 *
 *   step.added                step.started                        step.finished
 *   step.added ─────► init ─────────────────► running ───────────────────────────► finished
 *                      ▲ │ ▲                    │ │ step.failed, step.interrupted
 *      its instruction │ │ │ step.requeued:     │ └───────────────────────────────► failed
 *      is written      │ ▼ │ its node is gone   │ step.held: a person must confirm     ▲
 *                    pending ◄──────────────────┘                                     │ step.cancelled, from any of the three
 *                        └── step.approved: it runs with what was confirmed           ┘
 */

import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, ThreadId, WaitingId } from '../ids'
import type { BodyRef, Changed, Json } from '../records/values'
import type { FailureCause } from './failureCause'

export type StepState = 'init' | 'pending' | 'running' | 'finished' | 'failed'

/** A tool step's call. Arguments of any size are a body; lists show its `preview`. */
export type ToolInstruction =
  | { kind: 'get_description' }
  | { kind: 'none'; reason: string }
  | {
      kind: 'call'
      target: 'tool' | 'resource' | 'prompt'
      name: string
      arguments: BodyRef
      /** After its success the tool run ends. */
      last?: true
    }

/** The result of a step. `text` is complete up to 400 characters, else `body` has the complete text. */
export type StepResult = {
  kind: 'text' | 'json' | 'tool' | 'description' | 'none'
  text: string
  body: BodyRef | null
  /** Created ids and refusals, for later steps. */
  made: Json
}

/** For a reply step: whom it answers, and the waiting id that it returns. */
export type Answers = { message: MessageId; to: AgentId; waiting: WaitingId | null; stage: StageId | null }

/** A stored prompt: the body that lists its turns (server/skills/prompt/turnList.ts). */
export type PromptRef = {
  sha: string
  bytes: number
  /** The last entry of the journal that it shows: the agent's next prompt says what came since. Absent: no later prompt continues it. */
  seq?: number
  /** The oldest blocks of its history that were not shown whole, and the first step of that history. Absent: none. */
  cut?: { first: StepId; blocks: number }
}

/** The record of a model call: costs, times, references. Unknown numbers are null, never 0. */
export type ModelCall = {
  id: string
  attempt: number
  model: string
  modelVersion: string | null
  /** The fingerprint of the model server's configuration; absent: none. */
  fingerprint?: string
  prompt: PromptRef
  answer: BodyRef | null
  /** The functions that the answer called: JSON, a list of { id, name, arguments }. Absent: none. */
  calls?: BodyRef
  /** The answer was asked for as one JSON object, and is one. */
  isObject?: true
  /** The model's reasoning, if its server returned it separately. It is in no later prompt. */
  reasoning?: BodyRef
  outcome: 'taken' | 'repaired' | 'failed' | 'cut' | 'cancelled'
  error: string | null
  promptTokens: number | null
  completionTokens: number | null
  estimated: boolean
  costUsd: number | null
  /** Part of promptTokens: from the server's cache. */
  cachedTokens?: number | null
  /** Part of completionTokens: reasoning. */
  reasoningTokens?: number | null
  /** Estimated tokens of the prompt that were left out because the model's context is too small. */
  leftOutTokens?: number
  /** Waiting time before sending, because concurrent calls are limited. Not in the two times below. */
  waitedMs?: number
  firstTokenMs: number | null
  totalMs: number
  at: number
}

/** A wait that a step began: for the answer of a member, or (on null) of those who were asked to confirm its call. */
export type StepWait = {
  id: WaitingId
  on: AgentId | null
  request: RequestId | null
  at: number
  /** When it was over; null: it goes on. */
  until: number | null
}

/**
 * A request of a tool server during one of its calls.
 *
 * asks    a form to fill in, a page to open, or text of the agent's model
 * schema  of the form, from the server; url of the page; body: the complete input for the model
 */
export type ToolQuestion = {
  server: string
  tool: string
  asks: 'form' | 'url' | 'sampling'
  schema: Json
  url: string | null
  body: BodyRef | null
}

/**
 * What the tool server of a call needs from people before it answers: they are asked one question after the other.
 *
 * state     of the server, sent back as it is with the answers
 * request   null: not asked yet
 */
export type StepInput = {
  state: BodyRef | null
  questions: { key: string; message: string; tool: ToolQuestion; request: RequestId | null }[]
}

export type StepRecord = {
  id: StepId
  /** Its number among all steps of its task. */
  number: number
  task: TaskId
  stage: StageId | null
  agent: AgentId
  thread: ThreadId | null
  intention: string
  type: 'skill' | 'tool'
  executor: string
  state: StepState
  text: string
  instruction: ToolInstruction | null
  result: StepResult | null
  /** The reason of the failure. */
  reason: string | null
  /** Of a failure, where it is known. */
  failureCause?: FailureCause
  /** Its cause: a message, another step, or the start of a stage. */
  cause: { message: MessageId | null; step: StepId | null }
  answers: Answers | null
  /** instruction_generation and its tool step refer to each other. */
  boundTo: StepId | null
  retryOf: StepId | null
  /** Its answer, which the step that planned it wrote ahead (server/skills/writtenAhead.ts); absent: none. */
  ahead?: BodyRef
  /** The step that wrote this call and others; one tool_decision follows when all have ended. */
  batch?: StepId
  attempt: { number: number; node: string; epoch: number } | null
  /** The open request that it waits for: about its call or a question of its tool server, or about its plan. */
  held: RequestId | null
  /** Absent: its server has asked for nothing. */
  input?: StepInput
  /** Who approved the call, and whether the arguments were edited. allowed: by a standing rule of the task (true) or of the agent, without a review. */
  approvedBy: { by: AgentId; edited: boolean; digest: string; allowed?: true | 'agent' } | null
  /** Who had it done again with other arguments than those of the step that it repeats; absent: nobody. */
  editedBy?: AgentId
  byHand: boolean
  /** The reflection that is added when a list becomes empty. */
  last: boolean
  /** A reply that runs although its agent is locked: it opens a circle, or answers a person's question. */
  bypassesLock?: true
  /** A person wants it done first: it runs although its agent is paused. */
  prioritized?: true
  calls: ModelCall[]
  /** Absent: none. */
  waits?: StepWait[]
  /** Why earlier answers were returned to the model. */
  repairs: string[]
  retired: boolean
  createdAt: number
  createdSeq: number
  startedAt: number | null
  startedSeq: number | null
  endedAt: number | null
  endedSeq: number | null
  changedAt: Changed
}

/** A started tool call: its key is the step's id and an index. */
export type EffectRecord = { key: string; step: StepId; task: TaskId; agent: AgentId; startedAt: number; node: string }

/** An agent's steps in one task, in creation order. */
export type OwnSteps = Record<StepId, StepRecord>

/** Steps of one agent in one stage that have left the world, as sums. Unknown numbers are null; times are epoch ms. */
export type EvictedLane = {
  stage: StageId | null
  agent: AgentId
  steps: number
  /** In and out. */
  tokens: number | null
  promptTokens: number | null
  /** Of promptTokens. */
  cachedTokens: number | null
  costUsd: number | null
  /** The first start and the last end. */
  startedAt: number | null
  endedAt: number | null
}

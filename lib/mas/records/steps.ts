import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, ThreadId, WaitingId } from '../ids'
import type { BodyRef, Json } from './values'

export type StepState = 'init' | 'pending' | 'running' | 'finished' | 'failed'

/** A tool step's concrete call. Arguments of any size are a body; `preview` of it is what lists show. */
export type ToolInstruction =
  | { kind: 'get_description' }
  | { kind: 'none'; reason: string }
  | {
      kind: 'call'
      target: 'tool' | 'resource' | 'prompt'
      name: string
      arguments: BodyRef
      /** Once it has succeeded, nothing more is to be done with the tool. */
      last?: true
    }

/** What a step came to. `text` is whole up to 400 characters, else `body` holds the whole. */
export type StepResult = {
  kind: 'text' | 'json' | 'tool' | 'description' | 'none'
  text: string
  body: BodyRef | null
  /** Ids made and refusals, so that later steps can use them. */
  made: Json
}

/** What it handed back: whom a reply step answers, and the waiting id it returns. */
export type Answers = { message: MessageId; to: AgentId; waiting: WaitingId | null; stage: StageId | null }

export type PromptRef = {
  /** The body that names the parts shared with other prompts of the agent and skill; without it `sections` are everything. */
  frame?: { sha: string; bytes: number }
  /**
   * Parts in prompt order, `name/part` where a section has several. A preview is the whole text or empty: lists never show
   * them. The body of a history is not its text but the head of a chain of items (server/skills/prompt). `assistant`: an
   * answer that was shown back to the model.
   */
  sections: { name: string; role: 'system' | 'user' | 'assistant'; body: BodyRef }[]
}

/** One call of a model, as it is kept: costs, times, references. Unknown numbers are null, never 0. */
export type ModelCall = {
  id: string
  attempt: number
  model: string
  modelVersion: string | null
  /** What the model server calls its own configuration; absent: it said nothing. */
  fingerprint?: string
  prompt: PromptRef
  answer: BodyRef | null
  /** The model's reasoning, where its server gave it apart from the answer. No later prompt holds it. */
  reasoning?: BodyRef
  outcome: 'taken' | 'repaired' | 'failed' | 'cut' | 'cancelled'
  error: string | null
  promptTokens: number | null
  completionTokens: number | null
  estimated: boolean
  costUsd: number | null
  /** Of promptTokens, those that the server had in its cache. */
  cachedTokens?: number | null
  /** Of completionTokens, those that the model reasoned with. */
  reasoningTokens?: number | null
  /** Estimated tokens of the prompt that were left out because the model's context is too small for it. */
  leftOutTokens?: number
  /** Before it left: calls at once to one endpoint are limited. Not in the two times below. */
  waitedMs?: number
  firstTokenMs: number | null
  totalMs: number
  at: number
}

export type StepRecord = {
  id: StepId
  /** Its place among all steps of its task; absent in steps of before steps had numbers. */
  number?: number
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
  /** Why it failed, in words. */
  reason: string | null
  /** What brought it about: a message, another step, or the start of a stage. */
  cause: { message: MessageId | null; step: StepId | null }
  answers: Answers | null
  /** instruction_generation and its tool step name each other. */
  boundTo: StepId | null
  retryOf: StepId | null
  /** The step that wrote this call and others beside it; one decision follows when all of them are over. */
  batch?: StepId
  attempt: { number: number; node: string; epoch: number } | null
  /** The open confirmation that holds it. */
  held: RequestId | null
  /** Who approved the call, and whether the arguments were edited. allowed: by a rule of the task, without looking at it. */
  approvedBy: { by: AgentId; edited: boolean; digest: string; allowed?: true } | null
  byHand: boolean
  /** The one reflection that a list gets when it runs empty. */
  last: boolean
  /** A reply that runs although its agent is locked: it opens a circle, or tells a person what they asked back. */
  passes?: true
  /** A person wants it done first: it runs although its agent is paused. */
  hurried?: true
  calls: ModelCall[]
  /** Why earlier answers of the model were shown back to it. */
  repairs: string[]
  retired: boolean
  createdAt: number
  createdSeq: number
  startedAt: number | null
  startedSeq: number | null
  endedAt: number | null
  endedSeq: number | null
}

/** A call to the outside that has begun: its key is the step's id and an index. */
export type EffectRecord = { key: string; step: StepId; task: TaskId; agent: AgentId; startedAt: number; node: string }

/** An agent's steps in one task, in two maps: see ownSteps.ts. */
export type OwnSteps = { past: Record<StepId, StepRecord>; recent: Record<StepId, StepRecord> }

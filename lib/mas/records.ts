/** The records of the world: what the journal's entries add up to. */

import type { CheckpointRecord } from './checkpointRecords'
import type {
  AgentId,
  AttemptId,
  ConversationId,
  HandOverId,
  MessageId,
  PeerId,
  RequestId,
  SenderId,
  StageId,
  StepId,
  TaskId,
  ThreadId,
  WaitingId,
} from './ids'
import type { ConversationRecord, DeliveryRecord, EnvelopeRecord, OutsideIdentity, PeerRecord } from './outsideRecords'

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A text or file kept outside the world by its SHA-256; preview is its first 400 characters at most. */
export type BodyRef = { sha: string; bytes: number; preview: string; mime: string }

export type ExecutionState = 'init' | 'running' | 'finished' | 'failed'
export type StepState = 'init' | 'pending' | 'running' | 'finished' | 'failed'
export type PartState = 'idle' | 'working' | 'finished' | 'failed'
export type WorkingState = 'idle' | 'working' | 'waiting'
export type Access = 'participant' | 'operator' | 'developer' | 'none'
export type Language = 'en' | 'zh'

export const SKILLS = [
  'planning',
  'reflection',
  'summary',
  'instruction_generation',
  'think',
  'quick_think',
  'send_message',
  'process_message',
  'task_manager',
  'agent_manager',
  'ask_info',
  'tool_decision',
  'decision',
] as const
export type SkillName = (typeof SKILLS)[number]

export const isSkill = (name: string): name is SkillName => (SKILLS as readonly string[]).includes(name)

/** A pause: who paused, why, since when (epoch ms). */
export type Pause = { by: AgentId; reason: string; at: number }

export type TeamRecord = {
  name: string
  language: Language
  limits: Limits
  /** Agents that agent_manager may instantiate, by configured id. */
  startable: AgentConfig[]
  /** Guides of the tool servers that are configured, by server name. */
  toolGuides: Record<string, string>
  /** What each skill is for; absent in entries from before it was kept. */
  skillGuides?: Record<SkillName, string>
  /** Names of the models that are configured; absent in entries from before they were kept. */
  models?: string[]
  /** True while no model but the rehearsal is configured. */
  rehearsal: boolean
}

export type Limits = {
  stepsPerPart: number
  reflectionsPerPart: number
  talkInARow: number
  /** Absent or null: as much as it takes. Money in USD. */
  tokensPerTask?: number | null
  costPerTask?: number | null
  costPerDay?: number | null
}

export type LimitKind = 'steps' | 'reflections' | 'talk' | 'taskTokens' | 'taskCost' | 'dayCost'

/** An unknown price is null, never 0. */
export type Spent = { tokens: number; costUsd: number | null }

/** What a task has cost, and what a limit has stopped in it. Keys are those of selectors/limits. */
export type BudgetRecord = {
  tokens: number
  costUsd: number
  /** What the thread in which the task was asked for has cost, beside it; absent: no thread led to it, or nothing was paid there. */
  setUp?: Spent
  /** Messages of agents since the last tool result, change of state or word of a person. */
  talk: number
  /** What people allowed beyond the limits, by key and limit. */
  allowed: Record<string, number>
  /** null: no limit has stopped anything. */
  stops: Record<string, { request: RequestId; limit: LimitKind; of: AgentId | null }> | null
  /** Limits of which 80 % were told. */
  warned: string[]
}

export type AgentConfig = {
  id: AgentId
  configId: string
  kind: 'llm' | 'human' | 'outside'
  name: string
  role: string
  profile: string
  groups: string[]
  manager: boolean
  mayWait: boolean
  model: string
  skills: string[]
  tools: string[]
  access: Access
  /** Only of kind outside: whose agent it is. */
  outside?: OutsideIdentity
}

export type AgentRecord = Omit<AgentConfig, 'configId'> & {
  /** The id in the configuration file, null when it was made at run time. */
  configId: string | null
  paused: Pause | null
  removed: boolean
  createdAt: number
}

export type MemoryNote = { key: string; text: string; task: TaskId | null; at: number }

export type StepRef = { task: TaskId; step: StepId }

/** Why a lock ended. */
export type LockOutcome = 'answered' | 'released' | 'expired' | 'failed' | 'ended'

/** One waiting id that an agent's step lock holds. */
export type LockRecord = {
  id: WaitingId
  kind: 'message' | 'confirm'
  task: TaskId
  stage: StageId | null
  step: StepId
  /** The one waited for; null when several may decide (a confirmation). */
  on: AgentId | null
  message: MessageId | null
  request: RequestId | null
  at: number
  /** When the asker takes it as expired, epoch ms; absent: never. */
  due?: number
}

/** What an agent does and will do: its to-do queue in list order, what runs, what it waits for. */
export type WorkRecord = {
  todo: StepRef[]
  running: StepRef | null
  locks: LockRecord[]
}

export type TaskRecord = {
  id: TaskId
  name: string
  intention: string
  manager: AgentId
  group: AgentId[]
  /** Members that were removed earlier, and the last entry they may read. */
  former: Record<AgentId, number>
  base: boolean
  state: ExecutionState
  summary: string | null
  stageOrder: StageId[]
  requestedBy: AgentId | null
  requestedIn: { task: TaskId; thread: ThreadId } | null
  paused: Pause | null
  /** Labelled load, never shown as work. */
  load: boolean
  /** It is a conversation with another system: it rests without having ended. */
  conversation?: true
  createdAt: number
  endedAt: number | null
}

export type InfoLine = { agent: AgentId; role: string; stage: StageId | null; content: string; at: number }

export type StageRecord = {
  id: StageId
  task: TaskId
  intention: string
  allocation: Record<AgentId, string>
  state: ExecutionState
  parts: Record<AgentId, PartState>
  /** Why a part failed. */
  partReasons: Record<AgentId, string>
  summaries: Record<AgentId, string>
  retryOf: StageId | null
  replacedBy: StageId | null
  reason: string | null
  /** The notice that asks the manager to judge went out. */
  judging: boolean
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

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
  /**
   * The body that names the parts which this prompt shares with others of its agent and skill, and where the sections
   * stand between them. Without one, `sections` are all there is.
   */
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
  /** What a person decided about the call: who, and whether the arguments were edited. */
  approvedBy: { by: AgentId; edited: boolean; digest: string } | null
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

/** An order to the receiver's runtime, set by the system only. */
export type Instruction =
  | { type: 'start_stage'; stage: StageId }
  | { type: 'finish_stage'; stage: StageId; failed: boolean }
  | { type: 'finish_task' }
  /** The receiver is in the task, or has a part in that stage of it, from now on. */
  | { type: 'update_working_memory'; stage: StageId | null }
  | { type: 'judge_stage'; stage: StageId }
  | { type: 'judge_task' }

/** alt: what a picture shows, in the sender's words. */
export type Attachment = { name: string; body: BodyRef; savedAs: string | null; alt?: string }

export const MESSAGE_TYPES = ['fyi', 'action', 'urgent'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/**
 * A message that was said elsewhere: whoever sends it here only brought it.
 *
 * role, name  who said it there
 * body        the message as it came, JSON
 * citations   what its text is founded on, by the ids of its anchors
 */
export type ImportedRecord = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  name: string | null
  body: BodyRef
  citations?: Json
}

export type MessageRecord = {
  id: MessageId
  task: TaskId
  sender: SenderId
  receivers: AgentId[]
  text: string
  stage: StageId | null
  needReply: boolean
  /** One waiting id per receiver, in the same order. */
  waiting: WaitingId[] | null
  returnWaiting: WaitingId | null
  instruction: Instruction | null
  /** Messages that one act sent share it: one bubble, one set of receipts. */
  dispatch: string
  thread: ThreadId | null
  answersRequest: RequestId | null
  /** The open request that a person asks something back about. */
  asksBack?: RequestId
  /** Past it, what is not settled counts as expired; epoch ms, absent: never. */
  due?: number
  replyTo: MessageId | null
  attachments: Attachment[]
  /** A person picked the receivers by name or group. */
  mention: boolean
  fromStep: StepId | null
  /** It starts nothing and asks nobody. */
  imported?: ImportedRecord
  at: number
  seq: number
}

export type ReceiptState =
  | 'queued'
  | 'delivered'
  | 'shown'
  | 'acknowledged'
  | 'done'
  | 'answered'
  | 'released'
  | 'expired'
  | 'failed'
  | 'superseded'

/**
 * A dated line beside a receipt. remindLater: they want to be asked again at `until` (epoch ms). raisedAgain: it rings
 * anew, because it was acknowledged at `until` and not answered since.
 */
export type ReceiptNote = {
  kind: 'reminded' | 'remindLater' | 'raisedAgain'
  by: AgentId
  at: number
  until: number | null
}

/** What an attempt is about: a message as one of its receivers has it, or a request. */
export type AttemptAbout = { message: MessageId; receiver: AgentId } | { request: RequestId }

/**
 * By what somebody is told.
 *
 * page, desktop          a sound in an open page, its desktop notice
 * push, webhook, email   the person's own channels, outside of the page
 * next                   the next of their role group is told instead
 * none                   nothing could be done; the outcome says why
 */
export type NoticeChannel = 'page' | 'desktop' | 'push' | 'webhook' | 'email' | 'next' | 'none'

/**
 * began    written before it is sent; the result is to come
 * sent     handed over; whether anybody saw it is the receipt's to say
 * unknown  the program stopped while it was being sent
 * held     do not disturb, until `until` (null: until they end it)
 * missing  the person has no channel of their own
 */
export type AttemptOutcome = 'began' | 'sent' | 'failed' | 'unknown' | 'held' | 'missing'

/** One notification attempt, kept beside the receipt. Times are epoch ms. */
export type AttemptRecord = {
  id: AttemptId
  person: AgentId
  channel: NoticeChannel
  /** rings: an Urgent not acknowledged; open: open for long. */
  because: 'rings' | 'open'
  /** The how-manieth time of its ladder, from 1; 0 in an open page. */
  rung: number
  outcome: AttemptOutcome
  at: number
  endedAt: number | null
  /** Why it failed. */
  note: string | null
  until: number | null
  /** The node that sends it. */
  node: string | null
}

/** One of those who were asked wants another to take it over. */
export type TransferRecord = {
  id: HandOverId
  from: AgentId
  to: AgentId
  sentence: string
  at: number
  /** `to` was asked before, and stays so whatever they say. */
  wasAsked: boolean
}

/** The state of one message for one receiver. Times are epoch ms. */
export type ReceiptRecord = {
  message: MessageId
  task: TaskId
  receiver: AgentId
  state: ReceiptState
  deliveredAt: number | null
  shownAt: number | null
  acknowledgedAt: number | null
  settledAt: number | null
  /** Who settled it when that was not the receiver, and why. */
  note: string | null
  notes?: readonly ReceiptNote[]
  /** The receiver's own time to be asked again, epoch ms. */
  remindAt?: number | null
  /** When it began to alert again, epoch ms. */
  raisedAt?: number
  attempts?: readonly AttemptRecord[]
  /** Offered to somebody who has not said whether they take it; the same on both receipts. */
  handing?: TransferRecord | null
  /** They took it: it is theirs now, and what they make of it settles this receipt too. */
  handedTo?: AgentId | null
  /** It was not sent to this person, but put to them because of another one. */
  passed?: PassedTransfer
}

/** `from` handed it over, or could not be reached. */
export type PassedTransfer = { from: AgentId; by: 'handOver' | 'escalation'; at: number }

export type RequestKind = 'answer' | 'part' | 'confirm' | 'limit' | 'judge' | 'tool'
export type RequestState = 'open' | 'claimed' | 'answered' | 'released' | 'expired' | 'superseded'
export type Decision = 'answer' | 'approve' | 'approve_edited' | 'refuse' | 'done' | 'cannot'

export type RequestAnswer = {
  by: AgentId
  /** The one answered for, when an operator answered for someone else. */
  for: AgentId | null
  decision: Decision
  text: string
  arguments: BodyRef | null
  at: number
  seq: number
}

/**
 * What a tool server asks while one of its calls runs.
 *
 * asks    a form to fill in, a page to open, words of the agent's model
 * schema  of the form, as its server wrote it; url of the page; body: what would be sent to the model, whole
 */
export type ToolQuestion = {
  server: string
  tool: string
  asks: 'form' | 'url' | 'sampling'
  schema: Json
  url: string | null
  body: BodyRef | null
}

/** What a question rests on, with the name it had then: a tool call, a step of a skill, or a message and its sender. */
export type Evidence =
  | { kind: StepRecord['type']; id: StepId; name: string }
  | { kind: 'message'; id: MessageId; name: string; at: number }

/** A question to people: the one record behind chat card, inbox row, strip, dialog and notice. */
export type RequestRecord = {
  id: RequestId
  task: TaskId
  number: number
  kind: RequestKind
  asked: AgentId[]
  asker: SenderId
  urgent: boolean
  message: MessageId | null
  step: StepId | null
  stage: StageId | null
  lock: WaitingId | null
  thread: ThreadId | null
  question: string
  choices: string[]
  /** What a confirmation shows: exactly what would run. */
  call: { server: string; tool: string; arguments: BodyRef; digest: string; changes: string } | null
  /** Only in a request of kind tool. */
  tool?: ToolQuestion
  /** Absent: nothing was found, or it was asked before this was kept. */
  evidence?: readonly Evidence[]
  /** What the request was about when it was asked; another value now means that things changed. */
  fingerprint: string
  state: RequestState
  claimed: { by: AgentId; at: number; until: number } | null
  answer: RequestAnswer | null
  endReason: string | null
  /** Past it, it counts as expired; epoch ms, absent: never. */
  due?: number
  /** Who wants to be asked again, and when (epoch ms). */
  snoozed?: Readonly<Record<AgentId, number>>
  handing?: TransferRecord | null
  /** Those who were asked before and handed it on. */
  handed?: readonly AgentId[]
  /** The draft of one of them, for the next who answers. */
  begun?: { by: AgentId; text: string; at: number }
  /** Those who are asked too because `from` could not be reached. */
  escalated?: readonly { from: AgentId; to: AgentId; at: number }[]
  /** When it began to alert again, epoch ms. */
  raisedAt?: number
  /** Where no receipt is that would hold them. */
  attempts?: readonly AttemptRecord[]
  openedAt: number
  openedSeq: number
  endedAt: number | null
}

export type NoticeKind =
  | 'reply_needed'
  | 'not_reached'
  | 'stage_started'
  | 'stage_finished'
  | 'stage_failed'
  | 'task_started'
  | 'task_finished'
  | 'task_failed'

/** Give a notice to one person. */
export type NoticeRecord = {
  id: string
  kind: NoticeKind
  task: TaskId
  stage: StageId | null
  message: MessageId | null
  /** Names at the time, for the sentence. */
  words: Record<string, string>
  at: number
  seq: number
}

/** A call to the outside that has begun: its key is the step's id and an index. */
export type EffectRecord = { key: string; step: StepId; task: TaskId; agent: AgentId; startedAt: number; node: string }

type ByTask<T> = Record<TaskId, T>
type ByAgent<T> = Record<AgentId, T>
type ByPeer<T> = Record<PeerId, T>

/** An agent's steps in one task, in two maps: see ownSteps.ts. */
export type OwnSteps = { past: Record<StepId, StepRecord>; recent: Record<StepId, StepRecord> }

export type World = {
  /** The last entry that it holds. */
  seq: number
  at: number
  epoch: number
  /** Nodes that run now, by name. */
  nodes: Record<string, { startedAt: number; epoch: number }>
  team: TeamRecord
  baseTask: TaskId | null
  agents: ByAgent<AgentRecord>
  work: ByAgent<WorkRecord>
  memory: ByAgent<MemoryNote[]>
  notices: ByAgent<NoticeRecord[]>
  tasks: ByTask<TaskRecord>
  stages: ByTask<Record<StageId, StageRecord>>
  steps: ByTask<ByAgent<OwnSteps>>
  messages: ByTask<Record<MessageId, MessageRecord>>
  receipts: ByTask<ByAgent<Record<MessageId, ReceiptRecord>>>
  requests: ByTask<Record<RequestId, RequestRecord>>
  /** How many requests a task has had: the number of its newest. */
  requestCounts: ByTask<number>
  /** How many steps a task has had: the number of its newest. */
  stepCounts: ByTask<number>
  info: ByTask<InfoLine[]>
  effects: ByTask<Record<string, EffectRecord>>
  budgets: ByTask<BudgetRecord>
  /** Messages on their way to other systems, by message and receiver. */
  outbox: ByTask<Record<string, DeliveryRecord>>
  peers: Record<PeerId, PeerRecord>
  conversations: ByPeer<Record<ConversationId, ConversationRecord>>
  /** The newest envelopes of each peer, oldest first. */
  exchange: ByPeer<EnvelopeRecord[]>
  /** The newest of each agent, the last reported last. */
  checkpoints: ByAgent<CheckpointRecord[]>
  /** What the newest day with a cost has cost, all tasks together; the day by UTC. */
  spent: { day: string; costUsd: number }
}

export const DEFAULT_LIMITS: Limits = { stepsPerPart: 60, reflectionsPerPart: 5, talkInARow: 12 }

export const emptyWorld: World = {
  seq: 0,
  at: 0,
  epoch: 0,
  nodes: {},
  team: { name: '', language: 'en', limits: DEFAULT_LIMITS, startable: [], toolGuides: {}, rehearsal: true },
  baseTask: null,
  agents: {},
  work: {},
  memory: {},
  notices: {},
  tasks: {},
  stages: {},
  steps: {},
  messages: {},
  receipts: {},
  requests: {},
  requestCounts: {},
  stepCounts: {},
  info: {},
  effects: {},
  budgets: {},
  outbox: {},
  peers: {},
  conversations: {},
  exchange: {},
  checkpoints: {},
  spent: { day: '', costUsd: 0 },
}

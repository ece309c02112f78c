/** The events of the journal. Every event names its owners, so an entry alone shows which views it concerns. */

import type { TaskPiece } from './archive/branches'
import type { TaskErased } from './archive/erasedRecords'
import type {
  AgentId,
  AttemptId,
  HandOverId,
  MessageId,
  RequestId,
  ScheduleId,
  SenderId,
  StageId,
  StepId,
  TaskId,
  TemplateId,
  ThreadId,
  WaitingId,
} from './ids'
import type { OutsideShapes } from './outside/events'
import type {
  Access,
  AgentConfig,
  AttemptOutcome,
  AttemptRecord,
  BodyRef,
  DeliveryState,
  ExecutionState,
  FileChange,
  LimitKind,
  LockOutcome,
  LockRecord,
  MemoryNote,
  MessageRecord,
  ModelCall,
  NoticeRecord,
  NumberedRequest,
  PartState,
  Rating,
  RequestAnswer,
  RequestState,
  ScheduleRecord,
  SharedLine,
  StageRecord,
  StepRecord,
  StepResult,
  StructuredResult,
  TaskRecord,
  TeamRecord,
  TemplateField,
  ToolInstruction,
  ToolRule,
} from './records'
import type { SetupEntry, SetupVerdict } from './setup/setupRecords'

/** The owners of what an event is about. */
export type OfStep = { task: TaskId; agent: AgentId; step: StepId }
export type OfDelivery = { task: TaskId; message: MessageId; agent: AgentId }
type OfRequest = { task: TaskId; request: RequestId }
type OfStage = { task: TaskId; stage: StageId }
type OfPart = OfStage & { agent: AgentId }

type Shapes = OutsideShapes & {
  'node.started': { node: string; epoch: number }
  'node.left': { node: string }
  /** Replaces an entry that was lost by damage: one for each of the entries first..last. */
  'sequencer.took': { epoch: number; node: string }
  'config.applied': { team: TeamRecord }
  /** The configuration file was read, and its value has changed. */
  'setup.read': { entry: SetupEntry; verdict: Exclude<SetupVerdict, 'same'> }
  /** An operator created, changed or removed a part of the configuration in the page. */
  'setup.changed': { entry: SetupEntry; by: AgentId }
  'human.accessChanged': { agent: AgentId; access: Access }

  'task.added': { task: TaskId } & Pick<
    TaskRecord,
    | ('name' | 'intention' | 'manager' | 'group' | 'base' | 'requestedBy' | 'requestedIn' | 'madeFor' | 'conversation')
    | ('changeOf' | 'start' | 'fromTemplate')
  >
  'task.started': { task: TaskId }
  'task.participantsChanged': { task: TaskId; added: AgentId[]; removed: AgentId[] }
  'task.managerChanged': { task: TaskId; agent: AgentId }
  /** An operator set how calls of a tool are handled in this task; rule null: as in the configuration. */
  'task.toolRuled': { task: TaskId; rule: ToolRule['rule'] | null } & Pick<
    ToolRule,
    'server' | 'tool' | 'overAlways' | 'by'
  >
  'task.renamed': { task: TaskId; name: string }
  'task.paused': { task: TaskId; by: AgentId; reason: string }
  'task.resumed': { task: TaskId; by: AgentId }
  'task.finished': {
    task: TaskId
    state: Extract<ExecutionState, 'finished' | 'failed'>
    summary: string
    result?: StructuredResult
  }
  /** The person who asked for an ended task, or an operator, rates its result; a later rating of theirs replaces it. */
  'task.rated': { task: TaskId; agent: AgentId; rating: Rating; sentence: string }
  /** The task `by` began, which changes its result. It may be archived. */
  'task.changeBegun': { task: TaskId; by: TaskId }
  /** An inactive task left the world completely. `agents`: those with steps in it. */
  'task.archived': { task: TaskId; agents: AgentId[] }
  /** An archived conversation continues: its newest records are restored. `agents`: those with steps in it. */
  'task.woken': { task: TaskId; agents: AgentId[]; piece: TaskPiece }
  'task.erased': TaskErased
  /** In place of an erased entry. by: the number of the `task.erased` */
  'entry.erased': { by: number }
  /** An inactive thread of the base task: its messages, requests and steps left the world. */
  'thread.retired': { task: TaskId; thread: ThreadId; agents: AgentId[] }
  /** Old records of an open task left the world. Deliveries go with their messages. */
  'records.evicted': { task: TaskId; steps: Record<AgentId, StepId[]>; messages: MessageId[]; requests: RequestId[] }

  /** after: the stage before it; null: at the end. */
  'stage.added': Pick<StageRecord, 'task' | 'name' | 'intention' | 'allocation' | 'needs' | 'retryOf'> & {
    stage: StageId
    after: StageId | null
  }
  /** The name, the goal, or both changed. name absent: it is named by its goal. */
  'stage.renamed': OfStage & { name?: string; intention: string }
  'stage.started': OfStage
  'stage.agentStateChanged': OfPart & { state: PartState; reason: string | null }
  'stage.completionSubmitted': OfPart & { summary: string }
  /** A person took another's part over. */
  'stage.partHanded': OfPart & { to: AgentId }
  'stage.judging': OfStage
  /** reason: why it failed. replacedBy: the stage that is tried instead */
  'stage.finished': OfStage & {
    state: Extract<ExecutionState, 'finished' | 'failed'>
    reason: string | null
    replacedBy: StageId | null
  }

  'agent.created': { agent: AgentId; config: AgentConfig; runtime: boolean }
  'agent.changed': { agent: AgentId; config: AgentConfig }
  'agent.paused': { agent: AgentId; by: AgentId; reason: string }
  'agent.resumed': { agent: AgentId; by: AgentId }
  'agent.removed': { agent: AgentId }
  'memory.added': { agent: AgentId; note: Omit<MemoryNote, 'at' | 'seq'> }
  'memory.removed': { agent: AgentId; key: string }
  'lock.added': { agent: AgentId; task: TaskId; lock: Omit<LockRecord, 'at' | 'task'> }
  /** This reply of the agent runs although the agent is locked: it opens a circle, or answers a person's question. */
  'lock.bypassed': OfStep & { waiting: WaitingId }
  /** on, since: of the lock. on null: several could decide */
  'lock.released': OfStep & {
    waiting: WaitingId
    outcome: LockOutcome
    by: SenderId | null
    on: AgentId | null
    since: number
  }

  /** position: among the steps that are not yet run: after those inserted for the same reason; absent: at the end */
  'step.added': StepSeed & { position?: number }
  'step.started': OfStep & { node: string; epoch: number; attempt: number }
  /** editedBy: the person who changed the arguments of the call that the step repeats; absent: nobody */
  'step.instructed': OfStep & { instruction: ToolInstruction; editedBy?: AgentId }
  'step.held': OfStep & { request: RequestId }
  /** The call was confirmed: the step may run, with these arguments. */
  'step.approved': OfStep & {
    by: AgentId
    edited: boolean
    digest: string
    arguments: BodyRef | null
    /** This call was not reviewed: `by` had allowed the tool for the task. */
    allowed?: true
  }
  /** line: the shared info line of its end, for all of the task */
  'step.finished': OfStep & { result: StepResult; repairs: string[]; line?: SharedLine }
  'step.failed': OfStep & { reason: string; result: StepResult | null; repairs: string[]; line?: SharedLine }
  'step.cancelled': OfStep & { by: AgentId | null; reason: string }
  /** Its node is gone; it returns to the head of the list and runs again. */
  'step.requeued': OfStep
  /** Its node is gone, and a repeat could do harm: it fails for that reason. */
  'step.interrupted': OfStep & { reason: string }
  /** A person wants it done first, although its agent is paused. */
  'step.prioritized': OfStep
  'step.moved': OfStep & { stage: StageId | null }
  'step.retired': { task: TaskId; agent: AgentId; steps: StepId[] }

  'message.sent': Omit<MessageRecord, 'id' | 'type' | 'at' | 'seq'> & {
    message: MessageId
    kind: MessageRecord['type']
  }
  /** A delivery changed its state. queued: its task or its receiver is paused, or another system has not taken it */
  'message.delivery': OfDelivery & { state: DeliveryState; note: string | null }
  /** What is asked by messages of one act: a request without a number for each person, whose question is the text of the message. */
  'message.asked': {
    task: TaskId
    thread: ThreadId | null
    asker: SenderId
    asks: { request: RequestId; person: AgentId; message: MessageId }[]
  }
  /** The person wants to see this message or request again at that time (epoch ms); null: the time has come. */
  'reminder.set': { task: TaskId; agent: AgentId; until: number | null } & (
    | { message: MessageId }
    | { request: RequestId }
  )

  'request.opened': OfRequest & {
    seed: Omit<
      NumberedRequest,
      | ('id' | 'task' | 'state' | 'claimed' | 'answer' | 'endReason')
      | ('openedAt' | 'openedSeq' | 'endedAt' | 'changedAt')
    >
  }
  /** Acknowledged; until then they answer it too, and others are told so; null: only acknowledged. */
  'request.claimed': OfRequest & { agent: AgentId; until: number | null }
  /** The people who are asked were reminded by this person. */
  'request.reminded': OfRequest & { by: AgentId; agents: AgentId[] }
  /** A person who was asked offers it to another; until that is settled both are asked. */
  'request.transferOffered': OfRequest & {
    handOver: HandOverId
    from: AgentId
    to: AgentId
    sentence: string
    /** Their draft of an answer. */
    draft?: string
  }
  'request.transferSettled': OfRequest & { handOver: HandOverId; accepted: boolean }
  /** The person who was asked could not be reached: the next member of their role group is asked too. */
  'request.escalated': OfRequest & { from: AgentId; to: AgentId }
  /** undone: acknowledged, or done, was taken back; raised: it was claimed and is not answered, so it alerts again */
  'request.reopened': OfRequest & { because: 'undone' | 'raised' }
  'request.answered': OfRequest & { answer: Omit<RequestAnswer, 'at' | 'seq'> }
  /** It is over without an answer. by: who released it */
  'request.ended': OfRequest & {
    state: Extract<RequestState, 'released' | 'expired' | 'superseded'>
    by: AgentId | null
    reason: string | null
  }

  /** A person is notified; for a channel outside the page this is stored before sending. */
  'notice.attempted': {
    task: TaskId
    request: RequestId
    attempt: Omit<AttemptRecord, 'at' | 'endedAt'>
  }
  'notice.attemptEnded': {
    task: TaskId
    request: RequestId
    attempt: AttemptId
    outcome: Extract<AttemptOutcome, 'sent' | 'failed' | 'unknown'>
    note: string | null
  }
  'notice.given': { task: TaskId; agent: AgentId; notice: Omit<NoticeRecord, 'at' | 'seq' | 'task'> }

  /** 80 % of a limit are used; `limit` includes its value, so that a higher one is reported again. */
  'budget.warned': { task: TaskId; limit: string }
  /** The work is stopped until people allow more: `of` the agent or person whose limit it is, null: the task or the day. */
  'budget.reached': {
    task: TaskId
    key: string
    of: AgentId | null
    limit: LimitKind
    height: number
    request: RequestId
  }
  /** The work is no longer stopped. allowed: what people allowed beyond the limit; null: nothing */
  'budget.lifted': {
    task: TaskId
    key: string
    of: AgentId | null
    allowed: { limit: LimitKind; more: number } | null
  }

  'effect.started': OfStep & { key: string; node: string }
  'effect.finished': OfStep & { key: string }
  /** An outcome that arrived after the end of its step: recorded, without effect. */
  'effect.lateOutcome': OfStep & { attempt: number; what: string }
  /**
   * Files of the workspace that changed during a tool call. more: number of changes that are not listed; complete: false if the
   * workspace was too large and only files named in the call were compared; keep: number of versions of a file in the world
   */
  'files.changed': OfStep & {
    thread: ThreadId | null
    changes: FileChange[]
    more: number
    complete: boolean
    keep: number
  }
  /** triedBy: a person tried the model of the step with a prompt of their own: the call is paid, and is none of the step's */
  'model.called': OfStep & { call: ModelCall; triedBy?: AgentId }
  /** New, or a new version. */
  'template.saved': { template: TemplateId; agent: AgentId; name: string; text: string; fields: TemplateField[] }
  'template.removed': { template: TemplateId }
  /** New, changed, or resumed; agent: the person in whose name it sends requests. */
  'schedule.saved': { schedule: ScheduleId; agent: AgentId } & Pick<
    ScheduleRecord,
    'name' | 'text' | 'attachments' | 'template' | 'cron' | 'timeZone' | 'next'
  >
  /** by null: it stopped automatically, for that reason. */
  'schedule.paused': { schedule: ScheduleId; by: AgentId | null; reason: string }
  'schedule.resumed': { schedule: ScheduleId; next: number | null }
  'schedule.removed': { schedule: ScheduleId }
  /** It sent the request `message` at a due time; next: the next time, epoch ms. */
  'schedule.asked': { schedule: ScheduleId; due: number; message: MessageId; next: number | null }
  'operator.acted': { task: TaskId | null; agent: AgentId; act: string; on: string; reason: string }
}

/** A planned step. */
export type StepSeed = { step: StepId; kind: StepRecord['type'] } & Pick<
  StepRecord,
  | 'task'
  | 'agent'
  | 'number'
  | 'stage'
  | 'thread'
  | 'intention'
  | 'executor'
  | 'text'
  | 'cause'
  | 'answers'
  | 'batch'
  | 'ahead'
> &
  Pick<StepRecord, 'boundTo' | 'retryOf' | 'byHand' | 'last'>

export type EventType = keyof Shapes
export type EventOf<Type extends EventType> = { type: Type; v: 1 } & Shapes[Type]
export type MasEvent = { [Type in EventType]: EventOf<Type> }[EventType]
export type EventShape<Type extends EventType> = Shapes[Type]

/** One entry of the journal. `at` is epoch ms and never decreases; `cause` is the id of the command. */
export type Entry = { seq: number; at: number; by: string; cause: string; event: MasEvent }

/** Make an event; the only place that writes its version. */
export function event<Type extends EventType>(type: Type, shape: Shapes[Type]): MasEvent {
  const fact: EventOf<Type> = { type, v: 1, ...shape }
  // The compiler cannot see that EventOf<Type> is one member of the union for every Type.
  return fact as MasEvent
}

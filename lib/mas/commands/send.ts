/**
 * Messages: sending and delivering are one decision.
 *
 * Owns: the message itself, what each receiver makes of it on arrival, requests that it opens.
 * Not here: who may send (people: personSends.ts, agents: sync.ts).
 */

import {
  type AgentId,
  type MessageId,
  type RequestId,
  type SenderId,
  type StageId,
  type StepId,
  SYSTEM_TASK,
  type TaskId,
  type ThreadId,
  type WaitingId,
} from '../ids'
import { stepsIn } from '../ownSteps'
import type { Attachment, ImportedRecord, Instruction, NoticeKind } from '../records'
import { isPresent, selectName, selectStep } from '../selectors/agents'
import type { DecisionContext } from './draft'
import { findLock, releaseLock } from './locks'
import { goesOutside } from './outbox'
import { openRequest } from './requests'
import { addStep, insertReply, type StepHome } from './steps'

export type NewMessage = {
  task: TaskId
  sender: SenderId
  receivers: AgentId[]
  text: string
  stage: StageId | null
  thread: ThreadId | null
  needReply: boolean
  waiting: WaitingId[] | null
  returnWaiting: WaitingId | null
  instruction: Instruction | null
  dispatch?: string
  answersRequest?: RequestId | null
  replyTo?: MessageId | null
  attachments?: Attachment[]
  mention?: boolean
  fromStep?: StepId | null
  choices?: string[]
  /** The open request that it asks something back about. */
  asksBack?: RequestId
  /** When what is not settled of it counts as expired, epoch ms. */
  due?: number
  /** It was said elsewhere. */
  imported?: ImportedRecord
  /** Begin a thread of the base task with this message. */
  beginsThread?: boolean
}

/** Send and deliver. Receivers were checked by the caller. */
export function deliver(draft: DecisionContext, message: NewMessage): MessageId {
  const id = draft.id<MessageId>()
  const thread = message.beginsThread ? id : message.thread
  draft.emit('message.sent', {
    task: message.task,
    message: id,
    sender: message.sender,
    receivers: message.receivers,
    text: message.text,
    stage: message.stage,
    needReply: message.needReply,
    waiting: message.waiting,
    returnWaiting: message.returnWaiting,
    instruction: message.instruction,
    dispatch: message.dispatch ?? id,
    thread,
    answersRequest: message.answersRequest ?? null,
    replyTo: message.replyTo ?? null,
    attachments: message.attachments ?? [],
    mention: message.mention ?? false,
    fromStep: message.fromStep ?? null,
    ...(message.asksBack === undefined ? {} : { asksBack: message.asksBack }),
    ...(message.due === undefined ? {} : { due: message.due }),
    ...(message.imported === undefined ? {} : { imported: message.imported }),
  })
  message.receivers.forEach((receiver, index) => {
    const waiting = message.waiting?.[index] ?? null
    if (draft.world.agents[receiver]?.kind === 'human')
      humanReceives(draft, id, receiver, waiting, { ...message, thread })
    else if (isHeldBack(draft, message, receiver)) holdBack(draft, id, receiver, message)
    else if (draft.world.agents[receiver]?.kind === 'outside') goesOutside(draft, id, receiver, { ...message, thread })
    else agentReceives(draft, id, receiver, waiting, { ...message, thread })
  })
  return id
}

/**
 * What people and agents say to an agent waits while it or the task is paused. People are told at once, and what the task
 * itself says arrives: neither begins anything that a pause is to stop.
 */
const isHeldBack = (draft: DecisionContext, { task, sender }: NewMessage, receiver: AgentId): boolean =>
  sender !== SYSTEM_TASK &&
  ((draft.world.tasks[task]?.paused ?? null) !== null || (draft.world.agents[receiver]?.paused ?? null) !== null)

/** It stands in the queue; a waiting id that it brings is back all the same, so that no answer is waited for twice. */
function holdBack(draft: DecisionContext, id: MessageId, agent: AgentId, { task, sender, returnWaiting }: NewMessage): void {
  draft.emit('message.held', { task, message: id, agent })
  const held = returnWaiting === null ? null : findLock(draft, returnWaiting)
  if (held?.agent === agent) releaseLock(draft, held, 'answered', sender === SYSTEM_TASK ? null : sender)
}

/** A message that waited in the queue is taken in now. */
export function deliverHeld(draft: DecisionContext, task: TaskId, id: MessageId, agent: AgentId): void {
  const message = draft.world.messages[task]?.[id]
  if (!message) return
  if (draft.world.agents[agent]?.kind === 'outside') {
    goesOutside(draft, id, agent, message)
    return
  }
  draft.emit('message.receipt', { task, message: id, agent, state: 'delivered', note: null })
  const asked = message.replyTo === null ? null : (draft.world.messages[task]?.[message.replyTo]?.fromStep ?? null)
  const asking = asked === null ? null : selectStep(draft.world, task, agent, asked)
  const waiting = message.waiting?.[message.receivers.indexOf(agent)] ?? null
  // What comes back belongs where the agent waited.
  const stage = message.returnWaiting === null ? message.stage : (asking?.stage ?? message.stage)
  agentReceives(draft, id, agent, waiting, { ...message, stage })
}

type SystemMessage = Pick<
  NewMessage,
  'task' | 'receivers' | 'text' | 'stage' | 'thread' | 'instruction' | 'returnWaiting' | 'replyTo'
>

/** A message of the task itself: needs no membership, is never replied to. */
export function deliverSystem(draft: DecisionContext, message: SystemMessage): MessageId | null {
  const receivers = message.receivers.filter((agent) => isPresent(draft.world, agent))
  if (receivers.length === 0) return null
  return deliver(draft, { ...message, receivers, sender: SYSTEM_TASK, needReply: false, waiting: null })
}

function agentReceives(
  draft: DecisionContext,
  id: MessageId,
  agent: AgentId,
  waiting: WaitingId | null,
  message: NewMessage,
): void {
  const held = message.returnWaiting === null ? null : findLock(draft, message.returnWaiting)
  const releases = held !== null && held.agent === agent
  // What comes back belongs where the agent waits, whatever stage the question was said to be about.
  const about = releases && held.lock.task === message.task ? held.lock.stage : message.stage
  const home: StepHome = {
    task: message.task,
    stage: openStage(draft, message.task, about),
    thread: message.thread,
    agent,
  }
  if (held && releases) releaseLock(draft, held, 'answered', message.sender === SYSTEM_TASK ? null : message.sender)

  const cause = { message: id, step: message.fromStep ?? null }
  const who = message.sender === SYSTEM_TASK ? draft.say('theTask') : selectName(draft.world, message.sender)
  if (message.needReply && message.sender !== SYSTEM_TASK) {
    const wish = {
      intention: draft.say('reply', { who }),
      text: message.text,
      kind: 'skill' as const,
      executor: 'send_message',
      cause,
      answers: { message: id, to: message.sender, waiting, stage: message.stage },
    }
    if (waiting === null) {
      addStep(draft, home, wish)
      return
    }
    const step = insertReply(draft, home, wish)
    // It is asked something back while it waits for the answer: without this reply there will be none.
    if (message.asksBack !== undefined) draft.emit('lock.bypassed', { task: message.task, agent, step, waiting })
    return
  }
  if (message.instruction) {
    obey(draft, id, home, message.instruction, message.text)
    return
  }
  const wish = {
    intention: draft.say('takeIn', { who }),
    text: message.text,
    kind: 'skill' as const,
    executor: 'process_message',
    cause,
  }
  if (releases || message.returnWaiting !== null) insertReply(draft, home, wish)
  else addStep(draft, home, wish)
}

/** What is said about a stage that is over is taken in outside of it. */
function openStage(draft: DecisionContext, task: TaskId, stage: StageId | null): StageId | null {
  const state = stage === null ? null : draft.world.stages[task]?.[stage]?.state
  return state === 'finished' || state === 'failed' ? null : stage
}

/** What an agent's runtime does with an instruction; only the system sets one. */
function obey(draft: DecisionContext, id: MessageId, home: StepHome, instruction: Instruction, text: string): void {
  const cause = { message: id, step: null }
  switch (instruction.type) {
    case 'start_stage': {
      const stage = draft.world.stages[home.task]?.[instruction.stage]
      const own = stage?.allocation[home.agent]
      if (!stage || own === undefined) return
      addStep(draft, home, {
        intention: draft.say('plan'),
        text: draft.say('planGoal', { stage: stage.intention, own }),
        kind: 'skill',
        executor: 'planning',
        cause,
      })
      return
    }
    case 'finish_stage':
      retireSteps(draft, home, (stage) => stage === instruction.stage)
      draft.emit('message.receipt', { task: home.task, message: id, agent: home.agent, state: 'done', note: null })
      return
    case 'finish_task':
      retireSteps(draft, home, () => true)
      draft.emit('message.receipt', { task: home.task, message: id, agent: home.agent, state: 'done', note: null })
      return
    case 'judge_stage':
    case 'judge_task':
      addStep(draft, home, { intention: draft.say('judge'), text, kind: 'skill', executor: 'task_manager', cause })
      return
    default:
      instruction satisfies never
  }
}

/** Steps leave the live list; they stay readable in history. */
export function retireSteps(
  draft: DecisionContext,
  home: Pick<StepHome, 'task' | 'agent'>,
  fits: (stage: StageId | null) => boolean,
): void {
  const over = stepsIn(draft.world.steps[home.task]?.[home.agent]).filter(
    (step) => !step.retired && fits(step.stage) && (step.state === 'finished' || step.state === 'failed'),
  )
  if (over.length === 0) return
  draft.emit('step.retired', { task: home.task, agent: home.agent, steps: over.map((step) => step.id) })
}

function humanReceives(
  draft: DecisionContext,
  id: MessageId,
  person: AgentId,
  waiting: WaitingId | null,
  message: NewMessage,
): void {
  const { task, stage, instruction } = message
  if (instruction) {
    noticeInstruction(draft, id, person, message, instruction)
    return
  }
  if (!message.needReply) return
  notice(draft, person, 'reply_needed', { task, stage, message: id }, { who: selectName(draft.world, message.sender) })
  // A person's own Action or Urgent is followed by its receipts; what an agent asks opens a request.
  if (message.sender === SYSTEM_TASK || draft.world.agents[message.sender]?.kind === 'human') return
  openRequest(draft, {
    task,
    kind: 'answer',
    asked: [person],
    asker: message.sender,
    urgent: waiting !== null,
    message: id,
    step: message.fromStep ?? null,
    stage,
    lock: waiting,
    thread: message.thread,
    question: message.text,
    choices: message.choices ?? [],
    call: null,
    ...(message.due === undefined ? {} : { due: message.due }),
  })
}

function noticeInstruction(
  draft: DecisionContext,
  id: MessageId,
  person: AgentId,
  message: NewMessage,
  instruction: Instruction,
): void {
  const { task, stage } = message
  switch (instruction.type) {
    case 'start_stage': {
      const record = draft.world.stages[task]?.[instruction.stage]
      const goal = record?.allocation[person]
      if (!record || goal === undefined) return
      notice(
        draft,
        person,
        'stage_started',
        { task, stage: instruction.stage, message: id },
        { goal: record.intention },
      )
      openRequest(draft, {
        task,
        kind: 'part',
        asked: [person],
        asker: SYSTEM_TASK,
        urgent: false,
        message: id,
        step: null,
        stage: instruction.stage,
        lock: null,
        thread: null,
        question: goal,
        choices: [],
        call: null,
      })
      return
    }
    case 'finish_stage':
      notice(draft, person, instruction.failed ? 'stage_failed' : 'stage_finished', { task, stage, message: id }, {})
      return
    case 'finish_task': {
      const failed = draft.world.tasks[task]?.state === 'failed'
      notice(draft, person, failed ? 'task_failed' : 'task_finished', { task, stage: null, message: id }, {})
      return
    }
    case 'judge_stage':
    case 'judge_task':
      openRequest(draft, {
        task,
        kind: 'judge',
        asked: [person],
        asker: SYSTEM_TASK,
        urgent: false,
        message: id,
        step: null,
        stage,
        lock: null,
        thread: null,
        question: message.text,
        choices: [],
        call: null,
      })
      return
    default:
      instruction satisfies never
  }
}

/** A global message to one person. */
export function notice(
  draft: DecisionContext,
  person: AgentId,
  kind: NoticeKind,
  about: { task: TaskId; stage: StageId | null; message: MessageId | null },
  words: Record<string, string>,
): void {
  const taskName = draft.world.tasks[about.task]?.name ?? ''
  draft.emit('notice.given', {
    task: about.task,
    agent: person,
    notice: {
      id: draft.id<MessageId>(),
      kind,
      stage: about.stage,
      message: about.message,
      words: { task: taskName, ...words },
    },
  })
}

/** Messages: sending and delivering are one decision. */

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
import type { DecisionContext } from './decisionContext'
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
export function deliver(context: DecisionContext, message: NewMessage): MessageId {
  const id = context.id<MessageId>()
  const thread = message.beginsThread ? id : message.thread
  context.emit('message.sent', {
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
    if (context.world.agents[receiver]?.kind === 'human')
      humanReceives(context, id, receiver, waiting, { ...message, thread })
    else if (isHeldBack(context, message, receiver)) holdBack(context, id, receiver, message)
    else if (context.world.agents[receiver]?.kind === 'outside')
      goesOutside(context, id, receiver, { ...message, thread })
    else agentReceives(context, id, receiver, waiting, { ...message, thread })
  })
  return id
}

/**
 * What people and agents say to an agent waits while it or the task is paused. People are told at once, and what the task
 * itself says arrives: neither begins anything that a pause is to stop.
 */
const isHeldBack = (context: DecisionContext, { task, sender }: NewMessage, receiver: AgentId): boolean =>
  sender !== SYSTEM_TASK &&
  ((context.world.tasks[task]?.paused ?? null) !== null || (context.world.agents[receiver]?.paused ?? null) !== null)

/** It stands in the queue; a waiting id that it brings is back all the same, so that no answer is waited for twice. */
function holdBack(
  context: DecisionContext,
  id: MessageId,
  agent: AgentId,
  { task, sender, returnWaiting }: NewMessage,
): void {
  context.emit('message.held', { task, message: id, agent })
  const held = returnWaiting === null ? null : findLock(context, returnWaiting)
  if (held?.agent === agent) releaseLock(context, held, 'answered', sender === SYSTEM_TASK ? null : sender)
}

/** A message that waited in the queue is taken in now. */
export function deliverHeld(context: DecisionContext, task: TaskId, id: MessageId, agent: AgentId): void {
  const message = context.world.messages[task]?.[id]
  if (!message) return
  if (context.world.agents[agent]?.kind === 'outside') {
    goesOutside(context, id, agent, message)
    return
  }
  context.emit('message.receipt', { task, message: id, agent, state: 'delivered', note: null })
  const asked = message.replyTo === null ? null : (context.world.messages[task]?.[message.replyTo]?.fromStep ?? null)
  const asking = asked === null ? null : selectStep(context.world, task, agent, asked)
  const waiting = message.waiting?.[message.receivers.indexOf(agent)] ?? null
  // What comes back belongs where the agent waited.
  const stage = message.returnWaiting === null ? message.stage : (asking?.stage ?? message.stage)
  agentReceives(context, id, agent, waiting, { ...message, stage })
}

type SystemMessage = Pick<
  NewMessage,
  'task' | 'receivers' | 'text' | 'stage' | 'thread' | 'instruction' | 'returnWaiting' | 'replyTo'
>

/** A message of the task itself: needs no membership, is never replied to. */
export function deliverSystem(context: DecisionContext, message: SystemMessage): MessageId | null {
  const receivers = message.receivers.filter((agent) => isPresent(context.world, agent))
  if (receivers.length === 0) return null
  return deliver(context, { ...message, receivers, sender: SYSTEM_TASK, needReply: false, waiting: null })
}

function agentReceives(
  context: DecisionContext,
  id: MessageId,
  agent: AgentId,
  waiting: WaitingId | null,
  message: NewMessage,
): void {
  const held = message.returnWaiting === null ? null : findLock(context, message.returnWaiting)
  const releases = held !== null && held.agent === agent
  // What comes back belongs where the agent waits, whatever stage the question was said to be about.
  const about = releases && held.lock.task === message.task ? held.lock.stage : message.stage
  const home: StepHome = {
    task: message.task,
    stage: openStage(context, message.task, about),
    thread: message.thread,
    agent,
  }
  if (held && releases) releaseLock(context, held, 'answered', message.sender === SYSTEM_TASK ? null : message.sender)

  const cause = { message: id, step: message.fromStep ?? null }
  const who = message.sender === SYSTEM_TASK ? context.say('theTask') : selectName(context.world, message.sender)
  if (message.needReply && message.sender !== SYSTEM_TASK) {
    const command = {
      intention: context.say('reply', { who }),
      text: message.text,
      kind: 'skill' as const,
      executor: 'send_message',
      cause,
      answers: { message: id, to: message.sender, waiting, stage: message.stage },
    }
    if (waiting === null) {
      addStep(context, home, command)
      return
    }
    const step = insertReply(context, home, command)
    // It is asked something back while it waits for the answer: without this reply there will be none.
    if (message.asksBack !== undefined) context.emit('lock.bypassed', { task: message.task, agent, step, waiting })
    return
  }
  if (message.instruction) {
    obey(context, id, home, message.instruction, message.text)
    return
  }
  const command = {
    intention: context.say('takeIn', { who }),
    text: message.text,
    kind: 'skill' as const,
    executor: 'process_message',
    cause,
  }
  if (releases || message.returnWaiting !== null) insertReply(context, home, command)
  else addStep(context, home, command)
}

/** What is said about a stage that is over is taken in outside of it. */
function openStage(context: DecisionContext, task: TaskId, stage: StageId | null): StageId | null {
  const state = stage === null ? null : context.world.stages[task]?.[stage]?.state
  return state === 'finished' || state === 'failed' ? null : stage
}

/** What an agent's runtime does with an instruction; only the system sets one. */
function obey(context: DecisionContext, id: MessageId, home: StepHome, instruction: Instruction, text: string): void {
  const cause = { message: id, step: null }
  switch (instruction.type) {
    case 'start_stage': {
      const stage = context.world.stages[home.task]?.[instruction.stage]
      const own = stage?.allocation[home.agent]
      if (!stage || own === undefined) return
      addStep(context, home, {
        intention: context.say('plan'),
        text: context.say('planGoal', { stage: stage.intention, own }),
        kind: 'skill',
        executor: 'planning',
        cause,
      })
      return
    }
    case 'finish_stage':
      retireSteps(context, home, (stage) => stage === instruction.stage)
      context.emit('message.receipt', { task: home.task, message: id, agent: home.agent, state: 'done', note: null })
      return
    case 'finish_task':
      retireSteps(context, home, () => true)
      context.emit('message.receipt', { task: home.task, message: id, agent: home.agent, state: 'done', note: null })
      return
    case 'judge_stage':
    case 'judge_task':
      addStep(context, home, { intention: context.say('judge'), text, kind: 'skill', executor: 'task_manager', cause })
      return
    default:
      instruction satisfies never
  }
}

/** Steps leave the live list; they stay readable in history. */
export function retireSteps(
  context: DecisionContext,
  home: Pick<StepHome, 'task' | 'agent'>,
  fits: (stage: StageId | null) => boolean,
): void {
  const over = stepsIn(context.world.steps[home.task]?.[home.agent]).filter(
    (step) => !step.retired && fits(step.stage) && (step.state === 'finished' || step.state === 'failed'),
  )
  if (over.length === 0) return
  context.emit('step.retired', { task: home.task, agent: home.agent, steps: over.map((step) => step.id) })
}

function humanReceives(
  context: DecisionContext,
  id: MessageId,
  person: AgentId,
  waiting: WaitingId | null,
  message: NewMessage,
): void {
  const { task, stage, instruction } = message
  if (instruction) {
    noticeInstruction(context, id, person, message, instruction)
    return
  }
  if (!message.needReply) return
  notice(
    context,
    person,
    'reply_needed',
    { task, stage, message: id },
    { who: selectName(context.world, message.sender) },
  )
  // A person's own Action or Urgent is followed by its receipts; what an agent asks opens a request.
  if (message.sender === SYSTEM_TASK || context.world.agents[message.sender]?.kind === 'human') return
  openRequest(context, {
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
  context: DecisionContext,
  id: MessageId,
  person: AgentId,
  message: NewMessage,
  instruction: Instruction,
): void {
  const { task, stage } = message
  switch (instruction.type) {
    case 'start_stage': {
      const record = context.world.stages[task]?.[instruction.stage]
      const goal = record?.allocation[person]
      if (!record || goal === undefined) return
      notice(
        context,
        person,
        'stage_started',
        { task, stage: instruction.stage, message: id },
        { goal: record.intention },
      )
      openRequest(context, {
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
      notice(context, person, instruction.failed ? 'stage_failed' : 'stage_finished', { task, stage, message: id }, {})
      return
    case 'finish_task': {
      const failed = context.world.tasks[task]?.state === 'failed'
      notice(context, person, failed ? 'task_failed' : 'task_finished', { task, stage: null, message: id }, {})
      return
    }
    case 'judge_stage':
    case 'judge_task':
      openRequest(context, {
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
  context: DecisionContext,
  person: AgentId,
  kind: NoticeKind,
  about: { task: TaskId; stage: StageId | null; message: MessageId | null },
  words: Record<string, string>,
): void {
  const taskName = context.world.tasks[about.task]?.name ?? ''
  context.emit('notice.given', {
    task: about.task,
    agent: person,
    notice: {
      id: context.id<MessageId>(),
      kind,
      stage: about.stage,
      message: about.message,
      words: { task: taskName, ...words },
    },
  })
}

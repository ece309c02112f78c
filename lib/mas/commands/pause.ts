/**
 * Pausing agents and tasks, and letting them go on.
 *
 * Owns: the five commands, and delivering what waited. Not here: which step is passed over (selectors/agents), what is held
 * back (send.ts). A step that runs when its agent or task is paused comes to its own end first.
 */

import { Fault } from '@/lib/faults'
import type { AgentId, MessageId, TaskId } from '../ids'
import type { AgentRecord, Json, ReceiptRecord, TaskRecord } from '../records'
import { isTaskOver, selectName, selectStep } from '../selectors/agents'
import { directedTask, mustOperate, optionalReason, reasonOf, recordAct } from './act'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { askWhatIsDue } from './judge'
import { deliverHeld } from './send'
import { startNext } from './stages'

/** The agent that may be paused: people decide themselves when they rest. To one outside nothing is sent meanwhile. */
function pausable(draft: DecisionContext, id: AgentId): AgentRecord {
  const agent = draft.world.agents[id]
  if (!agent || agent.removed) throw new Fault('NOT_FOUND', { what: 'agent', id })
  if (agent.kind === 'human') throw new Fault('BAD_INPUT', { why: `${agent.name} is a person and cannot be paused.` })
  return agent
}

/** The tasks in whose chat it is told: those that go on and that the agent is in. */
export const liveTasksOf = (draft: DecisionContext, agent: AgentId): TaskId[] =>
  Object.values(draft.world.tasks)
    .filter((task: TaskRecord) => !task.base && !task.load && !isTaskOver(task) && task.group.includes(agent))
    .map((task: TaskRecord) => task.id)

export function pauseAgent(draft: DecisionContext, person: AgentId, wish: CommandOf<'pauseAgent'>): Json {
  mustOperate(draft, person, 'pause an agent')
  const reason = reasonOf(wish.reason)
  const agent = pausable(draft, wish.agent)
  if (agent.paused) throw new Fault('ALREADY_SO', { what: `${agent.name} is paused` })
  draft.emit('agent.paused', { agent: agent.id, by: person, reason })
  const says = draft.say('actPaused', { who: selectName(draft.world, person), what: agent.name })
  recordAct(draft, person, liveTasksOf(draft, agent.id), { act: 'pauseAgent', on: agent.id, reason, says })
  return { agent: agent.id, paused: true }
}

/**
 * The agent reads this message next, and nothing else: it ends the step that runs, takes the message in, and rests until
 * it is let go on. So a person can steer it before it does more.
 *
 * faults  NOT_ALLOWED, NOT_FOUND, ALREADY_SO (it is read, or its task is paused)
 */
export function readNow(draft: DecisionContext, person: AgentId, wish: CommandOf<'readNow'>): Json {
  mustOperate(draft, person, 'pause an agent')
  const reason = reasonOf(wish.reason)
  const agent = pausable(draft, wish.agent)
  const task = taskOf(draft, wish.message, agent.id)
  if (task.paused) throw new Fault('ALREADY_SO', { what: `${task.name} is paused` })
  if (draft.world.receipts[task.id]?.[agent.id]?.[wish.message]?.state === 'queued') {
    deliverHeld(draft, task.id, wish.message, agent.id)
  }
  const ref = (draft.world.work[agent.id]?.todo ?? []).find(
    (one) => selectStep(draft.world, one.task, agent.id, one.step)?.cause.message === wish.message,
  )
  if (!ref) throw new Fault('ALREADY_SO', { what: `${agent.name} has read it` })
  if (!agent.paused) draft.emit('agent.paused', { agent: agent.id, by: person, reason })
  draft.emit('step.hurried', { ...ref, agent: agent.id })
  const says = draft.say('actReadNow', { who: selectName(draft.world, person), what: agent.name })
  recordAct(draft, person, liveTasksOf(draft, agent.id), { act: 'readNow', on: agent.id, reason, says })
  return { agent: agent.id, paused: true }
}

function taskOf(draft: DecisionContext, message: MessageId, receiver: AgentId): TaskRecord {
  const found = Object.values(draft.world.messages).flatMap((all) =>
    Object.hasOwn(all, message) ? (all[message] ?? []) : [],
  )[0]
  const owner = found && draft.world.tasks[found.task]
  if (owner && draft.world.receipts[owner.id]?.[receiver]?.[message]) return owner
  throw new Fault('NOT_FOUND', { what: 'message', id: message })
}

export function resumeAgent(draft: DecisionContext, person: AgentId, wish: CommandOf<'resumeAgent'>): Json {
  mustOperate(draft, person, 'let an agent go on')
  const reason = optionalReason(wish.reason)
  const agent = pausable(draft, wish.agent)
  if (!agent.paused) throw new Fault('ALREADY_SO', { what: `${agent.name} is not paused` })
  draft.emit('agent.resumed', { agent: agent.id, by: person })
  const says = draft.say('actResumed', { who: selectName(draft.world, person), what: agent.name })
  recordAct(draft, person, liveTasksOf(draft, agent.id), { act: 'resumeAgent', on: agent.id, reason, says })
  for (const task of Object.keys(draft.world.tasks) as TaskId[]) {
    if (!draft.world.tasks[task]?.paused) deliverQueue(draft, task, [agent.id])
  }
  return { agent: agent.id, paused: false }
}

export function pauseTask(draft: DecisionContext, person: AgentId, wish: CommandOf<'pauseTask'>): Json {
  const task = directedTask(draft, person, wish.task)
  const reason = reasonOf(wish.reason)
  if (task.paused) throw new Fault('ALREADY_SO', { what: `${task.name} is paused` })
  draft.emit('task.paused', { task: task.id, by: person, reason })
  const says = draft.say('actPaused', { who: selectName(draft.world, person), what: draft.say('theWholeTask') })
  recordAct(draft, person, [task.id], { act: 'pauseTask', on: task.id, reason, says })
  return { task: task.id, paused: true }
}

export function resumeTask(draft: DecisionContext, person: AgentId, wish: CommandOf<'resumeTask'>): Json {
  const task = directedTask(draft, person, wish.task)
  const reason = optionalReason(wish.reason)
  if (!task.paused) throw new Fault('ALREADY_SO', { what: `${task.name} is not paused` })
  draft.emit('task.resumed', { task: task.id, by: person })
  const says = draft.say('actResumed', { who: selectName(draft.world, person), what: draft.say('theWholeTask') })
  recordAct(draft, person, [task.id], { act: 'resumeTask', on: task.id, reason, says })
  const present = task.group.filter((agent) => !draft.world.agents[agent]?.paused)
  deliverQueue(draft, task.id, present)
  startNext(draft, task.id)
  askWhatIsDue(draft, task.id)
  return { task: task.id, paused: false }
}

/** What waited for them in that task, in the order in which it was sent. */
function deliverQueue(draft: DecisionContext, task: TaskId, agents: readonly AgentId[]): void {
  const messages = draft.world.messages[task] ?? {}
  const waiting = agents.flatMap((agent) =>
    Object.values(draft.world.receipts[task]?.[agent] ?? {})
      .filter((receipt: ReceiptRecord) => receipt.state === 'queued')
      .map((receipt: ReceiptRecord) => ({ agent, message: receipt.message })),
  )
  const seqOf = (id: MessageId): number => messages[id]?.seq ?? 0
  for (const { agent, message } of waiting.sort((a, b) => seqOf(a.message) - seqOf(b.message))) {
    deliverHeld(draft, task, message, agent)
  }
}

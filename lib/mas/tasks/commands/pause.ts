/** Pausing and resuming agents and tasks. A step that runs when its agent or task is paused finishes first. */

import { Fault } from '@/lib/faults'
import { directedTask, mustOperate, optionalReason, reasonOf, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { seenMessage } from '../../commands/visible'
import type { AgentId, MessageId, TaskId } from '../../ids'
import { isAsked } from '../../members/traits'
import { deliverHeld } from '../../messages/commands/deliver'
import { tellRequester } from '../../outside/commands/outsideWork'
import type { AgentRecord, DeliveryRecord, Json, TaskRecord } from '../../records'
import { askWhatIsDue } from '../../stages/commands/judge'
import { startNext } from '../../stages/commands/stages'
import { isTaskOver } from '../../statuses'
import { selectStep } from '../../team/agents'

/** The agent that may be paused: people decide themselves when they rest. To one outside nothing is sent meanwhile. */
function pausable(context: DecisionContext, id: AgentId): AgentRecord {
  const agent = context.world.agents[id]
  if (!agent || agent.removed) throw new Fault('NOT_FOUND', { what: 'agent', id })
  if (isAsked(context.world, id))
    throw new Fault('BAD_INPUT', { why: `${agent.name} is a person and cannot be paused.` })
  return agent
}

/** The open tasks of the agent, in whose chats it is reported. */
export const liveTasksOf = (context: DecisionContext, agent: AgentId): TaskId[] =>
  Object.values(context.world.tasks)
    .filter((task: TaskRecord) => !task.base && !isTaskOver(task) && task.group.includes(agent))
    .map((task: TaskRecord) => task.id)

/** Pauses an agent. Throws NOT_ALLOWED, REASON_MISSING, TOO_LARGE, NOT_FOUND, BAD_INPUT for a person, ALREADY_SO. */
export function pauseAgent(context: DecisionContext, person: AgentId, command: CommandOf<'pauseAgent'>): Json {
  mustOperate(context, person, 'pause an agent')
  const reason = reasonOf(command.reason)
  const agent = pausable(context, command.agent)
  if (agent.paused) throw new Fault('ALREADY_SO', { what: `${agent.name} is paused` })
  context.emit('agent.paused', { agent: agent.id, by: person, reason })
  const says = context.said('actPaused', { who: context.name(person), what: agent.name })
  recordAct(context, person, liveTasksOf(context, agent.id), { act: 'pauseAgent', on: agent.id, reason, says })
  return { agent: agent.id, paused: true }
}

/** Pauses an agent and has it process this message first. Throws NOT_ALLOWED, NOT_FOUND, ALREADY_SO. */
export function readNow(context: DecisionContext, person: AgentId, command: CommandOf<'readNow'>): Json {
  mustOperate(context, person, 'pause an agent')
  const reason = reasonOf(command.reason)
  const agent = pausable(context, command.agent)
  const task = taskOf(context, person, command.message, agent.id)
  if (task.paused) throw new Fault('ALREADY_SO', { what: `${task.name} is paused` })
  if (context.world.deliveries[task.id]?.[agent.id]?.[command.message]?.state === 'queued') {
    deliverHeld(context, task.id, command.message, agent.id)
  }
  const ref = (context.world.work[agent.id]?.todo ?? []).find(
    (one) => selectStep(context.world, one.task, agent.id, one.step)?.cause.message === command.message,
  )
  if (!ref) throw new Fault('ALREADY_SO', { what: `${agent.name} has read it` })
  if (!agent.paused) context.emit('agent.paused', { agent: agent.id, by: person, reason })
  context.emit('step.prioritized', { ...ref, agent: agent.id })
  const says = context.said('actReadNow', { who: context.name(person), what: agent.name })
  recordAct(context, person, liveTasksOf(context, agent.id), { act: 'readNow', on: agent.id, reason, says })
  return { agent: agent.id, paused: true }
}

function taskOf(context: DecisionContext, person: AgentId, id: MessageId, receiver: AgentId): TaskRecord {
  const owner = context.world.tasks[seenMessage(context, person, id).task]
  if (owner && context.world.deliveries[owner.id]?.[receiver]?.[id]) return owner
  throw new Fault('NOT_FOUND', { what: 'message', id })
}

/** What was held for it arrives. Throws NOT_ALLOWED, TOO_LARGE, NOT_FOUND, BAD_INPUT, ALREADY_SO. */
export function resumeAgent(context: DecisionContext, person: AgentId, command: CommandOf<'resumeAgent'>): Json {
  mustOperate(context, person, 'let an agent go on')
  const reason = optionalReason(command.reason)
  const agent = pausable(context, command.agent)
  if (!agent.paused) throw new Fault('ALREADY_SO', { what: `${agent.name} is not paused` })
  context.emit('agent.resumed', { agent: agent.id, by: person })
  const says = context.said('actResumed', { who: context.name(person), what: agent.name })
  recordAct(context, person, liveTasksOf(context, agent.id), { act: 'resumeAgent', on: agent.id, reason, says })
  for (const task of Object.keys(context.world.tasks) as TaskId[]) {
    if (!context.world.tasks[task]?.paused) deliverQueue(context, task, [agent.id])
  }
  return { agent: agent.id, paused: false }
}

/** Throws what directedTask throws, REASON_MISSING, TOO_LARGE, ALREADY_SO. */
export function pauseTask(context: DecisionContext, person: AgentId, command: CommandOf<'pauseTask'>): Json {
  const task = directedTask(context, person, command.task)
  const reason = reasonOf(command.reason)
  if (task.paused) throw new Fault('ALREADY_SO', { what: `${task.name} is paused` })
  context.emit('task.paused', { task: task.id, by: person, reason })
  const says = context.said('actPaused', { who: context.name(person), what: context.said('theWholeTask') })
  recordAct(context, person, [task.id], { act: 'pauseTask', on: task.id, reason, says })
  tellRequester(context, task, context.said('workPaused', { name: task.name }))
  return { task: task.id, paused: true }
}

/** What was held arrives, and its next stage starts. Throws what directedTask throws, TOO_LARGE, ALREADY_SO. */
export function resumeTask(context: DecisionContext, person: AgentId, command: CommandOf<'resumeTask'>): Json {
  const task = directedTask(context, person, command.task)
  const reason = optionalReason(command.reason)
  if (!task.paused) throw new Fault('ALREADY_SO', { what: `${task.name} is not paused` })
  context.emit('task.resumed', { task: task.id, by: person })
  const says = context.said('actResumed', {
    who: context.name(person),
    what: context.said('theWholeTask'),
  })
  recordAct(context, person, [task.id], { act: 'resumeTask', on: task.id, reason, says })
  tellRequester(context, task, context.said('workResumed', { name: task.name }))
  const { requestedBy } = task
  const present = [
    ...task.group,
    ...(requestedBy === null || task.group.includes(requestedBy) ? [] : [requestedBy]),
  ].filter((agent) => !context.world.agents[agent]?.paused)
  deliverQueue(context, task.id, present)
  startNext(context, task.id)
  askWhatIsDue(context, task.id)
  return { task: task.id, paused: false }
}

/** What waited for them in that task, in the order in which it was sent. */
function deliverQueue(context: DecisionContext, task: TaskId, agents: readonly AgentId[]): void {
  const messages = context.world.messages[task] ?? {}
  const waiting = agents.flatMap((agent) =>
    Object.values(context.world.deliveries[task]?.[agent] ?? {})
      .filter((delivery: DeliveryRecord) => delivery.state === 'queued')
      .map((delivery: DeliveryRecord) => ({ agent, message: delivery.message })),
  )
  const seqOf = (id: MessageId): number => messages[id]?.seq ?? 0
  for (const { agent, message } of waiting.sort((a, b) => seqOf(a.message) - seqOf(b.message))) {
    deliverHeld(context, task, message, agent)
  }
}

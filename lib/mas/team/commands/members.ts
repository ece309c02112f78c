/** A member leaves a task; an agent leaves the team. */

import { openRequestsOf, returnHanded } from '../../asks/commands/handOver'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, TaskId } from '../../ids'
import { isElsewhere } from '../../members/traits'
import { closeConversation } from '../../outside/commands/conversations'
import { selectConversationsOf } from '../../outside/outside'
import type { AgentRecord, DeliveryRecord, StageRecord, TaskRecord } from '../../records'
import { afterStep, checkStage, endPart } from '../../stages/commands/parts'
import { isStepOver, isTaskOver } from '../../statuses'
import { cancelStep, endOf } from '../../steps/commands/endings'
import { stepsIn } from '../../steps/ownSteps'
import { stopSchedules } from '../../tasks/commands/schedules'
import { failLock, supersede } from '../../waits/commands/withoutAnswer'

/** Ends everything of the member in the task: its part fails, its steps, locks and requests end, what it was asked returns. */
export function endMembership(context: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  const stages: StageRecord[] = Object.values(context.world.stages[task] ?? {})
  const owner = context.world.tasks[task]
  // A talk stays with the one who is left, and nobody else becomes a member of it.
  if (owner?.group.includes(agent) && !owner.talk) {
    context.emit('task.participantsChanged', { task, added: [], removed: [agent] })
  }
  for (const one of selectConversationsOf(context.world, task))
    if (one.agent === agent) closeConversation(context, one, reason)
  for (const stage of stages) endPart(context, task, stage.id, agent, { failed: reason })
  endOf(context, { kind: 'member', task, agent }, reason)
  returnHanded(context, task, agent, reason)
  for (const request of openRequestsOf(context.world, task, agent)) supersede(context, request, reason)
  endReplies(context, task, agent, reason)
  endQueue(context, task, agent, reason)
  if (isElsewhere(context.world, agent)) endWaits(context, task, agent, reason)
  for (const stage of stages) checkStage(context, task, stage.id)
}

/** They are not in the team any more. A person loses access, and with it all sessions, at once. */
export function leaveTeamNow(context: DecisionContext, { id, name, access }: AgentRecord): void {
  if (access !== 'none') context.emit('human.accessChanged', { agent: id, access: 'none' })
  removeAgent(context, id, context.say('leftTeam', { name }))
}

/** Remove an agent or person from the team and from every open task. */
export function removeAgent(context: DecisionContext, agent: AgentId, reason: string): void {
  stopSchedules(context, agent)
  context.emit('agent.removed', { agent })
  const tasks = Object.values(context.world.tasks).filter((task: TaskRecord) => !isTaskOver(task))
  for (const task of tasks) {
    const takesPart = task.group.includes(agent) || context.world.steps[task.id]?.[agent] !== undefined
    if (takesPart) endMembership(context, task.id, agent, reason)
  }
}

function endReplies(context: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  for (const own of Object.values(context.world.steps[task] ?? {})) {
    for (const step of stepsIn(own)) {
      if (step.answers?.to !== agent || isStepOver(step)) continue
      cancelStep(context, step, null, reason)
      afterStep(context, step)
    }
  }
}

/** An outside agent's reply has no step here, so the locks on it are failed here. */
function endWaits(context: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  for (const { locks } of Object.values(context.world.work)) {
    for (const lock of locks) if (lock.task === task && lock.on === agent) failLock(context, lock.id, agent, reason)
  }
}

function endQueue(context: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  const deliveries: DeliveryRecord[] = Object.values(context.world.deliveries[task]?.[agent] ?? {})
  for (const { message: id, state } of deliveries) {
    const message = context.world.messages[task]?.[id]
    if (state !== 'queued' || !message) continue
    context.delivery(task, id, agent, 'failed', reason)
    const waiting = message.waiting?.[message.receivers.indexOf(agent)]
    if (waiting !== undefined) failLock(context, waiting, agent, reason)
  }
}

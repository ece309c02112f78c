/** What people do with tasks, stages and members: the decisions of the manager's skills, with a reason. */

import { Fault } from '@/lib/faults'
import { giveAsked } from '../../asks/commands/handOver'
import { directedStage, directedTask, mustOperate, reasonOf, recordAct, stageOfDirected } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { presentAgent } from '../../commands/visible'
import type { AgentId, StageId } from '../../ids'
import { isAsked, runsSteps } from '../../members/traits'
import { selectWorkCarried } from '../../outside/outsideWork'
import type { Json, TaskRecord } from '../../records'
import { askForPlan, handOverJudging, settleJudging } from '../../stages/commands/judge'
import { addStages, finishStage, retryStage, startNext, whyNoRetry } from '../../stages/commands/stages'
import { selectStagePlace } from '../../stages/plan'
import { isTaskOver } from '../../statuses'
import { mayUse } from '../../steps/commands/addStep'
import { endMembership, removeAgent } from '../../team/commands/members'
import { addParticipants, addTask } from './addTask'
import { checkStages } from './checkStages'
import { finishTask } from './finishTask'
import { liveTasksOf } from './pause'

/** Can this member judge a task? A person can; an agent needs the skill for it. Throws BAD_INPUT. */
function mustManage(context: DecisionContext, id: AgentId): void {
  const agent = presentAgent(context, id)
  if (!isAsked(context.world, id) && !mayUse(agent, 'skill', 'task_manager')) {
    throw new Fault('BAD_INPUT', { why: `${agent.name} lacks the skill task_manager.` })
  }
}

function mustNotBeBase(task: TaskRecord): void {
  if (task.base) throw new Fault('BASE_TASK_STAYS')
}

/** out: the task. Throws NOT_ALLOWED, REASON_MISSING, TOO_LARGE, BAD_INPUT, and RECEIVER_UNKNOWN, RECEIVER_GONE. */
export function makeTask(context: DecisionContext, person: AgentId, input: CommandOf<'makeTask'>): Json {
  mustOperate(context, person, 'make a task by form')
  const reason = reasonOf(input.reason)
  if (input.name.trim() === '' || input.intention.trim() === '') {
    throw new Fault('BAD_INPUT', { why: 'A task needs a name and a goal.' })
  }
  for (const id of input.members) presentAgent(context, id)
  mustManage(context, input.manager)
  checkStages(context, input.stages)
  const { name, intention, manager, members } = input
  const task = addTask(context, { name, intention, manager, members, requestedBy: person })
  recordAct(context, person, [task], {
    act: 'makeTask',
    on: task,
    reason,
    says: context.said('actMadeTask', { who: context.name(person), name }),
  })
  const record = context.world.tasks[task]
  if (!record) return { task }
  if (input.stages.length === 0) {
    askForPlan(context, record)
    return { task, stages: [] }
  }
  const stages = addStages(context, record, input.stages, null)
  startNext(context, task)
  return { task, stages }
}

/** out: the stages. Throws what directedTask throws, BASE_TASK_STAYS, REASON_MISSING, TOO_LARGE, BAD_INPUT. */
export function addStagesByPerson(context: DecisionContext, person: AgentId, input: CommandOf<'addStages'>): Json {
  const task = directedTask(context, person, input.task)
  mustNotBeBase(task)
  const reason = reasonOf(input.reason)
  if (input.stages.length === 0) throw new Fault('BAD_INPUT', { why: context.say('noStages') })
  checkStages(context, input.stages)
  const who = context.name(person)
  const says = context.said('actAddedStages', { who, goals: input.stages.map((stage) => stage.intention).join('; ') })
  recordAct(context, person, [task.id], { act: 'addStages', on: task.id, reason, says })
  settleJudging(context, task, person, context.textOf(says), 'task')
  const stages: StageId[] = addStages(context, task, input.stages, null)
  const started = startNext(context, task.id)
  return { stages, started }
}

/** Throws what directedStage throws, REASON_MISSING, TOO_LARGE. */
export function finishStageByPerson(context: DecisionContext, person: AgentId, input: CommandOf<'finishStage'>): Json {
  const { task, stage } = directedStage(context, person, input.stage)
  const reason = reasonOf(input.reason)
  const says = context.said('actFinishedStage', {
    who: context.name(person),
    n: selectStagePlace(context.world, task.id, stage.id).number,
  })
  recordAct(context, person, [task.id], { act: 'finishStage', on: stage.id, reason, says })
  settleJudging(context, task, person, context.textOf(says), 'all')
  finishStage(context, task, stage, null)
  return { stage: stage.id, state: 'finished' }
}

/** out: the new stages. Throws STAGE_NOT_RUNNING, ALREADY_SO, REASON_MISSING, TOO_LARGE, BAD_INPUT, NOT_FOUND. */
export function retryStageByPerson(context: DecisionContext, person: AgentId, input: CommandOf<'retryStage'>): Json {
  const { task, stage } = stageOfDirected(context, person, input.stage)
  const whyNot = whyNoRetry(context, stage)
  if (whyNot === 'notBegun') throw new Fault('STAGE_NOT_RUNNING')
  if (whyNot === 'isRetried') throw new Fault('ALREADY_SO', { what: context.say('retriedAlready') })
  const reason = reasonOf(input.reason)
  checkStages(context, [input.better])
  const who = context.name(person)
  const says = context.said('actRetriedStage', {
    who,
    n: selectStagePlace(context.world, task.id, stage.id).number,
    goal: input.better.intention,
  })
  recordAct(context, person, [task.id], { act: 'retryStage', on: stage.id, reason, says })
  // Another stage may run, and is still to be judged.
  settleJudging(context, task, person, context.textOf(says), stage.state === 'running' ? 'all' : 'task')
  const { made, leftOut } = retryStage(context, task, stage, [input.better], null, reason)
  return { stage: made[0] ?? null, leftOut }
}

/** Throws what directedTask throws, BASE_TASK_STAYS, WORK_GOES_ON, REASON_MISSING, TOO_LARGE. */
export function finishTaskByPerson(context: DecisionContext, person: AgentId, input: CommandOf<'finishTask'>): Json {
  const task = directedTask(context, person, input.task)
  mustNotBeBase(task)
  const [work] = selectWorkCarried(context.world, task.id)
  if (work !== undefined) throw new Fault('WORK_GOES_ON', { task: work.name })
  const reason = reasonOf(input.reason)
  const says = context.said('actFinishedTask', { who: context.name(person), failed: input.state === 'failed' })
  recordAct(context, person, [task.id], { act: 'finishTask', on: task.id, reason, says })
  settleJudging(context, task, person, context.textOf(says), 'all')
  finishTask(context, task, { state: input.state, summary: input.summary.trim() === '' ? reason : input.summary }, null)
  return { task: task.id, state: input.state }
}

/** Throws NOT_FOUND, RECEIVER_GONE, and BAD_INPUT for one that the configuration names, or that still manages a task. */
export function removeAgentByPerson(context: DecisionContext, person: AgentId, input: CommandOf<'removeAgent'>): Json {
  mustOperate(context, person, 'remove an agent')
  const reason = reasonOf(input.reason)
  const agent = context.world.agents[input.agent]
  if (!agent) throw new Fault('NOT_FOUND', { what: 'agent', id: input.agent })
  if (agent.removed) throw new Fault('RECEIVER_GONE', { name: agent.name })
  if (!runsSteps(context.world, agent.id) || agent.configId !== null)
    throw new Fault('BAD_INPUT', { why: context.say('takeOutOfFile', { name: agent.name }) })
  const managed = Object.values(context.world.tasks).find(
    (task: TaskRecord) => task.manager === agent.id && !isTaskOver(task),
  )
  if (managed)
    throw new Fault('BAD_INPUT', { why: context.say('stillManages', { name: agent.name, task: managed.name }) })
  const says = context.said('actRemovedAgent', { who: context.name(person), name: agent.name })
  recordAct(context, person, liveTasksOf(context, agent.id), { act: 'removeAgent', on: agent.id, reason, says })
  removeAgent(
    context,
    agent.id,
    context.say('because', { act: context.say('leftTeam', { name: agent.name }), why: reason }),
  )
  return { agent: agent.id, removed: true }
}

/** Adds and removes members. Throws BASE_TASK_STAYS, REASON_MISSING, TOO_LARGE, NOT_A_MEMBER, BAD_INPUT, ALREADY_SO. */
export function changeParticipants(
  context: DecisionContext,
  person: AgentId,
  input: CommandOf<'changeParticipants'>,
): Json {
  const task = directedTask(context, person, input.task)
  mustNotBeBase(task)
  const reason = reasonOf(input.reason)
  for (const id of input.add) presentAgent(context, id)
  const leaving = [...new Set(input.remove)]
  for (const id of leaving) {
    if (!task.group.includes(id)) throw new Fault('NOT_A_MEMBER', { name: context.name(id), task: task.name })
    if (id === task.manager)
      throw new Fault('BAD_INPUT', {
        why: `${context.name(id)} manages the task. Make someone else the manager first.`,
      })
    if (input.add.includes(id))
      throw new Fault('BAD_INPUT', { why: `${context.name(id)} cannot be added and removed at once.` })
  }
  const to = input.handTo ?? null
  if (to !== null && leaving.includes(to)) throw new Fault('RECEIVER_GONE', { name: context.name(to) })
  const who = context.name(person)
  const added = addParticipants(context, task.id, [...new Set(input.add)])
  if (added.length === 0 && leaving.length === 0) {
    throw new Fault('ALREADY_SO', { what: `they are in the task ${task.name}` })
  }
  if (added.length > 0) {
    const says = context.said('actAdded', { who, names: context.nameList(added) })
    recordAct(context, person, [task.id], { act: 'addParticipants', on: added.join(' '), reason, says })
  }
  if (leaving.length > 0) {
    const says = context.said('actRemoved', { who, names: context.nameList(leaving) })
    recordAct(context, person, [task.id], { act: 'removeParticipants', on: leaving.join(' '), reason, says })
    for (const from of leaving) {
      const sentence = context.say('leftTask', { name: context.name(from), why: reason })
      if (to !== null) giveAsked(context, { task: task.id, from, to, sentence })
      endMembership(context, task.id, from, sentence)
    }
  }
  return { added, removed: leaving }
}

/** Throws what directedTask throws, BASE_TASK_STAYS, REASON_MISSING, TOO_LARGE, ALREADY_SO, and why this agent cannot manage. */
export function changeManager(context: DecisionContext, person: AgentId, input: CommandOf<'changeManager'>): Json {
  const task = directedTask(context, person, input.task)
  mustNotBeBase(task)
  const reason = reasonOf(input.reason)
  if (task.manager === input.agent)
    throw new Fault('ALREADY_SO', { what: `${context.name(input.agent)} is the manager` })
  mustManage(context, input.agent)
  const says = context.said('actManager', { who: context.name(person), name: context.name(input.agent) })
  recordAct(context, person, [task.id], { act: 'changeManager', on: input.agent, reason, says })
  addParticipants(context, task.id, [input.agent])
  context.emit('task.managerChanged', { task: task.id, agent: input.agent })
  handOverJudging(context, task, context.textOf(says))
  return { manager: input.agent }
}

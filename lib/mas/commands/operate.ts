/**
 * What people do with tasks, stages and their members: the same decisions as the manager's skills take, with a reason.
 *
 * Owns: the table of these commands, acts on tasks, stages and members. Not here: pausing (pause.ts), steps (operateSteps.ts),
 * who may and the record (act.ts), what the acts set going (stages.ts, tasks.ts, members.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, StageId } from '../ids'
import type { Json, TaskRecord } from '../records'
import { isTaskOver, selectName } from '../selectors/agents'
import { directedStage, directedTask, mustOperate, reasonOf, recordAct, stageOfDirected } from './act'
import type { Command, CommandOf, StageSpec } from './command'
import type { DecisionContext } from './draft'
import { askForPlan, handOverJudging, settleJudging } from './judge'
import { endMembership, removeAgent } from './members'
import { cancelByPerson, retryByPerson } from './operateSteps'
import { liveTasksOf, pauseAgent, pauseTask, readNow, resumeAgent, resumeTask } from './pause'
import { addStages, finishStage, retryStage, startNext, whyNoRetry } from './stages'
import { mayUse } from './steps'
import { addParticipants, addTask, finishTask } from './tasks'

const OPERATOR_COMMANDS = [
  'pauseAgent',
  'readNow',
  'resumeAgent',
  'removeAgent',
  'pauseTask',
  'resumeTask',
  'cancelStep',
  'retryStep',
  'makeTask',
  'addStages',
  'finishStage',
  'retryStage',
  'finishTask',
  'changeParticipants',
  'changeManager',
] as const
type OperatorCommand = Extract<Command, { type: (typeof OPERATOR_COMMANDS)[number] }>

export const isOperatorCommand = (command: Command): command is OperatorCommand =>
  OPERATOR_COMMANDS.some((type) => type === command.type)

/** Do what the person wishes, or throw the Fault that says why not. */
export function operate(draft: DecisionContext, person: AgentId, command: OperatorCommand): Json {
  switch (command.type) {
    case 'readNow':
      return readNow(draft, person, command)
    case 'pauseAgent':
      return pauseAgent(draft, person, command)
    case 'resumeAgent':
      return resumeAgent(draft, person, command)
    case 'removeAgent':
      return removeAgentByPerson(draft, person, command)
    case 'pauseTask':
      return pauseTask(draft, person, command)
    case 'resumeTask':
      return resumeTask(draft, person, command)
    case 'cancelStep':
      return cancelByPerson(draft, person, command)
    case 'retryStep':
      return retryByPerson(draft, person, command)
    case 'makeTask':
      return makeTask(draft, person, command)
    case 'addStages':
      return addStagesByPerson(draft, person, command)
    case 'finishStage':
      return finishStageByPerson(draft, person, command)
    case 'retryStage':
      return retryStageByPerson(draft, person, command)
    case 'finishTask':
      return finishTaskByPerson(draft, person, command)
    case 'changeParticipants':
      return changeParticipants(draft, person, command)
    case 'changeManager':
      return changeManager(draft, person, command)
    default:
      return command satisfies never
  }
}

const nameOf = (draft: DecisionContext, id: AgentId): string => selectName(draft.world, id)
const namesOf = (draft: DecisionContext, ids: readonly AgentId[]): string => draft.names(ids)

/** Throws RECEIVER_UNKNOWN, RECEIVER_GONE for the first who is not there. */
function mustBePresent(draft: DecisionContext, ids: readonly AgentId[]): void {
  for (const id of ids) {
    const agent = draft.world.agents[id]
    if (!agent) throw new Fault('RECEIVER_UNKNOWN', { id })
    if (agent.removed) throw new Fault('RECEIVER_GONE', { name: agent.name })
  }
}

function checkStages(draft: DecisionContext, stages: readonly StageSpec[]): void {
  for (const { intention, allocation } of stages) {
    const agents = Object.keys(allocation) as AgentId[]
    if (intention.trim() === '') throw new Fault('BAD_INPUT', { why: 'A stage needs a goal.' })
    if (agents.length === 0) throw new Fault('BAD_INPUT', { why: draft.say('emptyAllocation') })
    mustBePresent(draft, agents)
  }
}

/** Can this member judge a task? A person can; an agent needs the skill for it. Throws BAD_INPUT. */
function mustManage(draft: DecisionContext, id: AgentId): void {
  mustBePresent(draft, [id])
  const agent = draft.world.agents[id]
  if (agent && agent.kind !== 'human' && !mayUse(agent, 'skill', 'task_manager')) {
    throw new Fault('BAD_INPUT', { why: `${agent.name} lacks the skill task_manager.` })
  }
}

function mustNotBeBase(task: TaskRecord): void {
  if (task.base) throw new Fault('BASE_TASK_STAYS')
}

function makeTask(draft: DecisionContext, person: AgentId, wish: CommandOf<'makeTask'>): Json {
  mustOperate(draft, person, 'make a task by form')
  const reason = reasonOf(wish.reason)
  if (wish.name.trim() === '' || wish.intention.trim() === '') {
    throw new Fault('BAD_INPUT', { why: 'A task needs a name and a goal.' })
  }
  mustBePresent(draft, wish.members)
  mustManage(draft, wish.manager)
  checkStages(draft, wish.stages)
  const { name, intention, manager, members } = wish
  const task = addTask(draft, { name, intention, manager, members, requestedBy: person, requestedIn: null })
  recordAct(draft, person, [task], {
    act: 'makeTask',
    on: task,
    reason,
    says: draft.say('actMadeTask', { who: nameOf(draft, person), name }),
  })
  const record = draft.world.tasks[task]
  if (!record) return { task }
  if (wish.stages.length === 0) {
    askForPlan(draft, record)
    return { task, stages: [] }
  }
  const stages = addStages(draft, record, wish.stages, null)
  startNext(draft, task)
  return { task, stages }
}

function addStagesByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'addStages'>): Json {
  const task = directedTask(draft, person, wish.task)
  mustNotBeBase(task)
  const reason = reasonOf(wish.reason)
  if (wish.stages.length === 0) throw new Fault('BAD_INPUT', { why: draft.say('noStages') })
  checkStages(draft, wish.stages)
  const who = nameOf(draft, person)
  const says = draft.say('actAddedStages', { who, goals: wish.stages.map((stage) => stage.intention).join('; ') })
  recordAct(draft, person, [task.id], { act: 'addStages', on: task.id, reason, says })
  settleJudging(draft, task, person, says, 'task')
  const stages: StageId[] = addStages(draft, task, wish.stages, null)
  const started = startNext(draft, task.id)
  return { stages, started }
}

const numberOf = (task: TaskRecord, stage: StageId): number => task.stageOrder.indexOf(stage) + 1

function finishStageByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'finishStage'>): Json {
  const { task, stage } = directedStage(draft, person, wish.stage)
  const reason = reasonOf(wish.reason)
  const says = draft.say('actFinishedStage', { who: nameOf(draft, person), n: numberOf(task, stage.id) })
  recordAct(draft, person, [task.id], { act: 'finishStage', on: stage.id, reason, says })
  settleJudging(draft, task, person, says, 'all')
  finishStage(draft, task, stage, null)
  return { stage: stage.id, state: 'finished' }
}

function retryStageByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'retryStage'>): Json {
  const { task, stage } = stageOfDirected(draft, person, wish.stage)
  const whyNot = whyNoRetry(draft, stage)
  if (whyNot === 'notBegun') throw new Fault('STAGE_NOT_RUNNING')
  if (whyNot === 'isRetried') throw new Fault('ALREADY_SO', { what: draft.say('retriedAlready') })
  const reason = reasonOf(wish.reason)
  checkStages(draft, [wish.better])
  const who = nameOf(draft, person)
  const says = draft.say('actRetriedStage', { who, n: numberOf(task, stage.id), goal: wish.better.intention })
  recordAct(draft, person, [task.id], { act: 'retryStage', on: stage.id, reason, says })
  // Another stage may run, and is still to be judged.
  settleJudging(draft, task, person, says, stage.state === 'running' ? 'all' : 'task')
  const { stage: made, leftOut } = retryStage(draft, task, stage, wish.better, null, reason)
  return { stage: made, leftOut }
}

function finishTaskByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'finishTask'>): Json {
  const task = directedTask(draft, person, wish.task)
  mustNotBeBase(task)
  const reason = reasonOf(wish.reason)
  const says = draft.say('actFinishedTask', { who: nameOf(draft, person), failed: wish.state === 'failed' })
  recordAct(draft, person, [task.id], { act: 'finishTask', on: task.id, reason, says })
  settleJudging(draft, task, person, says, 'all')
  finishTask(draft, task, wish.state, wish.summary.trim() === '' ? reason : wish.summary, null)
  return { task: task.id, state: wish.state }
}

/** Throws NOT_FOUND, RECEIVER_GONE, and BAD_INPUT for one that the configuration names, or that still manages a task. */
function removeAgentByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'removeAgent'>): Json {
  mustOperate(draft, person, 'remove an agent')
  const reason = reasonOf(wish.reason)
  const agent = draft.world.agents[wish.agent]
  if (!agent) throw new Fault('NOT_FOUND', { what: 'agent', id: wish.agent })
  if (agent.removed) throw new Fault('RECEIVER_GONE', { name: agent.name })
  if (agent.kind !== 'llm' || agent.configId !== null)
    throw new Fault('BAD_INPUT', { why: draft.say('takeOutOfFile', { name: agent.name }) })
  const managed = Object.values(draft.world.tasks).find(
    (task: TaskRecord) => task.manager === agent.id && !isTaskOver(task),
  )
  if (managed)
    throw new Fault('BAD_INPUT', { why: draft.say('stillManages', { name: agent.name, task: managed.name }) })
  const says = draft.say('actRemovedAgent', { who: nameOf(draft, person), name: agent.name })
  recordAct(draft, person, liveTasksOf(draft, agent.id), { act: 'removeAgent', on: agent.id, reason, says })
  removeAgent(draft, agent.id, draft.say('because', { act: draft.say('leftTeam', { name: agent.name }), why: reason }))
  return { agent: agent.id, removed: true }
}

/** People of the base task come and go with the configuration; its manager too. */
function changeParticipants(draft: DecisionContext, person: AgentId, wish: CommandOf<'changeParticipants'>): Json {
  const task = directedTask(draft, person, wish.task)
  mustNotBeBase(task)
  const reason = reasonOf(wish.reason)
  mustBePresent(draft, wish.add)
  const leaving = [...new Set(wish.remove)]
  for (const id of leaving) {
    if (!task.group.includes(id)) throw new Fault('NOT_A_MEMBER', { name: nameOf(draft, id), task: task.name })
    if (id === task.manager)
      throw new Fault('BAD_INPUT', {
        why: `${nameOf(draft, id)} manages the task. Make someone else the manager first.`,
      })
    if (wish.add.includes(id))
      throw new Fault('BAD_INPUT', { why: `${nameOf(draft, id)} cannot be added and removed at once.` })
  }
  const who = nameOf(draft, person)
  const added = addParticipants(draft, task.id, [...new Set(wish.add)])
  if (added.length === 0 && leaving.length === 0) {
    throw new Fault('ALREADY_SO', { what: `they are in the task ${task.name}` })
  }
  if (added.length > 0) {
    const says = draft.say('actAdded', { who, names: namesOf(draft, added) })
    recordAct(draft, person, [task.id], { act: 'addParticipants', on: added.join(' '), reason, says })
  }
  if (leaving.length > 0) {
    const says = draft.say('actRemoved', { who, names: namesOf(draft, leaving) })
    recordAct(draft, person, [task.id], { act: 'removeParticipants', on: leaving.join(' '), reason, says })
    for (const id of leaving)
      endMembership(draft, task.id, id, draft.say('leftTask', { name: nameOf(draft, id), why: reason }))
  }
  return { added, removed: leaving }
}

function changeManager(draft: DecisionContext, person: AgentId, wish: CommandOf<'changeManager'>): Json {
  const task = directedTask(draft, person, wish.task)
  mustNotBeBase(task)
  const reason = reasonOf(wish.reason)
  if (task.manager === wish.agent)
    throw new Fault('ALREADY_SO', { what: `${nameOf(draft, wish.agent)} is the manager` })
  mustManage(draft, wish.agent)
  const says = draft.say('actManager', { who: nameOf(draft, person), name: nameOf(draft, wish.agent) })
  recordAct(draft, person, [task.id], { act: 'changeManager', on: wish.agent, reason, says })
  addParticipants(draft, task.id, [wish.agent])
  draft.emit('task.managerChanged', { task: task.id, agent: wish.agent })
  handOverJudging(draft, task, says)
  return { manager: wish.agent }
}

/** Common to all acts of people on tasks: permission, reason, record, and the line in the chat. */
import { Fault } from '@/lib/faults'
import { type AgentId, type StageId, SYSTEM_TASK, type TaskId } from '../ids'
import { deliver } from '../messages/commands/deliver'
import type { StageRecord, TaskRecord } from '../records'
import type { Said } from '../said'
import { isStageOver, isTaskOver } from '../statuses'
import { isOperator } from '../team/agents'
import type { DecisionContext } from './decisionContext'
import { mustFit } from './texts'
import { seenStage, seenTask } from './visible'

export const REASON_CHARACTERS = 1_000

/** The reason as it is recorded. Throws REASON_MISSING, TOO_LARGE. */
export function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason === '') throw new Fault('REASON_MISSING')
  return optionalReason(reason)
}

/** A reason that may be left out. Throws TOO_LARGE. */
export function optionalReason(text: string): string {
  const reason = text.trim()
  mustFit('The reason', reason.length, REASON_CHARACTERS)
  return reason
}

/** A task that this person may direct: its manager, or an operator. Throws NOT_FOUND, TALK_FOR_TWO, NOT_MANAGER, TASK_OVER. */
export function directedTask(context: DecisionContext, person: AgentId, id: TaskId): TaskRecord {
  const task = seenTask(context, person, id)
  if (task.talk) throw new Fault('TALK_FOR_TWO')
  if (task.manager !== person && !isOperator(context.world, person)) {
    throw new Fault('NOT_MANAGER', { name: context.name(person), task: task.name })
  }
  if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
  return task
}

type StageOfTask = { task: TaskRecord; stage: StageRecord }

/** A running stage of a task that this person may direct. Throws also STAGE_OVER, STAGE_NOT_RUNNING, BASE_TASK_STAYS. */
export function directedStage(context: DecisionContext, person: AgentId, id: StageId): StageOfTask {
  const found = stageOfDirected(context, person, id)
  if (isStageOver(found.stage)) throw new Fault('STAGE_OVER')
  if (found.stage.state !== 'running') throw new Fault('STAGE_NOT_RUNNING')
  return found
}

/** Any stage of a task that this person may direct. Throws NOT_FOUND, BASE_TASK_STAYS, and what directedTask throws. */
export function stageOfDirected(context: DecisionContext, person: AgentId, id: StageId): StageOfTask {
  const stage = seenStage(context, person, id)
  const task = directedTask(context, person, stage.task)
  if (task.base) throw new Fault('BASE_TASK_STAYS')
  return { task, stage }
}

/** Throws NOT_ALLOWED unless the person is an operator. */
export function mustOperate(context: DecisionContext, person: AgentId, what: string): void {
  if (!isOperator(context.world, person)) throw new Fault('NOT_ALLOWED', { what })
}

/** Names of acts in `operator.acted`. */
export const OPERATOR_ACTS = [
  'addParticipants',
  'addStages',
  'allowMore',
  'answerFor',
  'cancelStep',
  'changeManager',
  'finishStage',
  'finishTask',
  'handOver',
  'leaveTeam',
  'makeTask',
  'pauseAgent',
  'pauseTask',
  'readNow',
  'refuseMore',
  'releaseWait',
  'removeAgent',
  'removeParticipants',
  'removeTemplate',
  'renameStage',
  'renameTask',
  'resumeAgent',
  'resumeTask',
  'retryStage',
  'retryStep',
  'ruleTool',
  'runTool',
  'saveTemplate',
  'takeOver',
] as const
export type OperatorActName = (typeof OPERATOR_ACTS)[number]

/** What was done, on what, and why, as the record keeps it. */
type OperatorAct = { act: OperatorActName; on: string; reason: string; says: Said }

/** Record who did what and why, with a line in the chat of each task. */
export function recordAct(context: DecisionContext, person: AgentId, tasks: readonly TaskId[], act: OperatorAct): void {
  const [task = null] = tasks
  const { says, ...done } = act
  context.emit('operator.acted', { task: tasks.length === 1 ? task : null, agent: person, ...done })
  const text = act.reason === '' ? says : context.said('because', { act: says, why: act.reason })
  for (const each of tasks) tellChat(context, each, text)
}

/** Add a line of the task itself to its chat: without receivers, so that no agent spends a step on it. */
export function tellChat(context: DecisionContext, task: TaskId, text: Said, stage: StageId | null = null): void {
  deliver(context, {
    task,
    sender: SYSTEM_TASK,
    receivers: [],
    text,
    stage,
  })
}

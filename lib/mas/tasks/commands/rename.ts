/** People give tasks and stages other names. */
import { Fault } from '@/lib/faults'
import { recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { singleLine } from '../../commands/texts'
import { seenStage, seenTask } from '../../commands/visible'
import type { AgentId, TaskId } from '../../ids'
import type { Json, TaskRecord } from '../../records'
import { selectStagePlace } from '../../stages/plan'
import { isStageOver, isTaskOver } from '../../statuses'
import { isOperator } from '../../team/agents'
import { stageName } from '../taskTitle'

export const NAME_CHARACTERS = 200

/** A task of any state, but not the base task. Throws NOT_FOUND, NOT_ALLOWED, BAD_INPUT, TOO_LARGE, ALREADY_SO. */
export function renameTask(context: DecisionContext, person: AgentId, input: CommandOf<'renameTask'>): Json {
  const task = namedBy(context, person, input.task)
  const name = singleLine(context, input.name, NAME_CHARACTERS)
  if (name === task.name) throw new Fault('ALREADY_SO', { what: `the task is called ${name}` })
  const who = context.name(person)
  const says = context.said('actRenamedTask', { who, was: task.name, name })
  context.emit('task.renamed', { task: task.id, name })
  recordAct(context, person, [task.id], { act: 'renameTask', on: task.id, reason: '', says })
  return { task: task.id, name }
}

/** A stage that is not over, and its goal where one is given: what it was judged by stays. Throws also TASK_OVER, STAGE_OVER. */
export function renameStage(context: DecisionContext, person: AgentId, input: CommandOf<'renameStage'>): Json {
  const stage = seenStage(context, person, input.stage)
  const task = namedBy(context, person, stage.task)
  if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
  if (isStageOver(stage)) throw new Fault('STAGE_OVER')
  const name = singleLine(context, input.name, NAME_CHARACTERS)
  const given = input.intention?.trim()
  if (given === '') throw new Fault('BAD_INPUT', { why: 'A stage needs a goal.' })
  // The same text with other spaces at its ends is no other goal.
  const goal = given === undefined || given === stage.intention.trim() ? stage.intention : given
  const [isSameName, isSameGoal] = [name === stageName(stage), goal === stage.intention]
  if (isSameName && isSameGoal) throw new Fault('ALREADY_SO', { what: `the stage is called ${name}` })
  const who = context.name(person)
  const { number: n } = selectStagePlace(context.world, task.id, stage.id)
  const says = isSameGoal
    ? context.said('actRenamedStage', { who, n, name })
    : isSameName
      ? context.said('actChangedGoal', { who, n, goal })
      : context.said('actRenamedStageAndGoal', { who, n, name, goal })
  context.emit('stage.renamed', { task: task.id, stage: stage.id, name, intention: goal })
  recordAct(context, person, [task.id], { act: 'renameStage', on: stage.id, reason: '', says })
  return { stage: stage.id, name, intention: goal }
}

/** Its manager, the person who asked for it, and operators name a task. */
function namedBy(context: DecisionContext, person: AgentId, id: TaskId): TaskRecord {
  const task = seenTask(context, person, id)
  if (task.talk) throw new Fault('TALK_FOR_TWO')
  const mayName = [task.manager, task.requestedBy].includes(person) || isOperator(context.world, person)
  if (!mayName || task.base) throw new Fault('NOT_ALLOWED', { what: `rename the task ${task.name}` })
  return task
}

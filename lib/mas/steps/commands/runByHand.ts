/** A person runs a tool: a step of their own in a task and stage, run by the engine like any other. */
import { Fault } from '@/lib/faults'
import { optionalReason, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { ownTask } from '../../commands/visible'
import type { AgentId, StageId, StepId } from '../../ids'
import type { TaskRecord } from '../../records'
import { selectRunningStage } from '../../stages/plan'
import { isStageOver } from '../../statuses'
import { isOperator } from '../../team/agents'
import { addByHand, mayUse } from './addStep'

/**
 * out     the step: it runs when no other of theirs does
 * faults  NOT_FOUND, NOT_A_MEMBER, TASK_OVER, TASK_PAUSED, STAGE_OVER, STAGE_NOT_RUNNING, STAGE_MISSING, NOT_YOUR_TOOL
 * source  docs/rules R37
 */
export function runToolByHand(
  context: DecisionContext,
  person: AgentId,
  command: CommandOf<'runTool'>,
): { step: StepId } {
  const task = taskFor(context, person, command)
  const stage = stageFor(context, person, task, command.stage)
  const own = context.world.agents[person]
  if (!own || !mayUse(own, 'tool', command.server)) throw new Fault('NOT_YOUR_TOOL', { server: command.server })
  const call = `${command.server}.${command.tool}`
  const step = addByHand(
    context,
    { task: task.id, stage, thread: null, agent: person },
    { intention: call, text: '', kind: 'tool', executor: command.server },
    { kind: 'call', target: 'tool', name: command.tool, arguments: command.arguments },
  )
  if (command.confirmed === null) return { step }
  const digest = command.arguments.sha
  context.emit('step.approved', {
    task: task.id,
    agent: person,
    step,
    by: person,
    edited: false,
    digest,
    arguments: null,
  })
  const says = context.said('actRanTool', { who: context.name(person), call })
  recordAct(context, person, [task.id], {
    act: 'runTool',
    on: step,
    reason: optionalReason(command.confirmed.reason),
    says,
  })
  return { step }
}

/** Members run tools in their tasks, operators in any. A pause begins nothing, so nothing is queued for the day it ends. */
function taskFor(context: DecisionContext, person: AgentId, command: CommandOf<'runTool'>): TaskRecord {
  const task = ownTask(context, person, command.task, isOperator(context.world, person))
  if (task.talk) throw new Fault('TALK_FOR_TWO')
  if (task.paused !== null) {
    throw new Fault('TASK_PAUSED', { task: task.name, by: context.name(task.paused.by) })
  }
  return task
}

/** A call belongs to the running stage; only operators may leave it out. The base task has no work in stages. */
function stageFor(
  context: DecisionContext,
  person: AgentId,
  task: TaskRecord,
  command: StageId | null,
): StageId | null {
  if (task.base) return null
  const stages = context.world.stages[task.id] ?? {}
  if (command === null) {
    if (selectRunningStage(context.world, task.id) && !isOperator(context.world, person))
      throw new Fault('STAGE_MISSING')
    return null
  }
  const stage = stages[command]
  if (!stage) throw new Fault('NOT_FOUND', { what: 'stage', id: command })
  if (isStageOver(stage)) throw new Fault('STAGE_OVER')
  if (stage.state !== 'running') throw new Fault('STAGE_NOT_RUNNING')
  return command
}

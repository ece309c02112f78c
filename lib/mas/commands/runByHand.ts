/**
 * A person runs a tool by hand: a step of their own, in a task and stage, that the engine runs as it runs any other.
 *
 * Owns: who may run what and where, the record that it was confirmed. Not here: the call itself (server/engine/runTool), which
 * calls have to be confirmed (server/tools), cancelling (operateSteps.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, StageId, StepId } from '../ids'
import type { TaskRecord } from '../records'
import { isMember, isOperator, isTaskOver, selectName } from '../selectors/agents'
import { optionalReason, recordAct } from './act'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { seenTask } from './seen'
import { addByHand, mayUse } from './steps'

/**
 * in      the person; the call, its arguments as a body
 * out     the step: it runs when no other of theirs does
 * faults  NOT_FOUND, NOT_A_MEMBER, TASK_OVER, TASK_PAUSED, STAGE_OVER, STAGE_NOT_RUNNING, STAGE_MISSING, NOT_YOUR_TOOL
 * source  docs/rules.md R37
 */
export function runToolByHand(draft: DecisionContext, person: AgentId, wish: CommandOf<'runTool'>): { step: StepId } {
  const task = taskFor(draft, person, wish)
  const stage = stageFor(draft, person, task, wish.stage)
  const own = draft.world.agents[person]
  if (!own || !mayUse(own, 'tool', wish.server)) throw new Fault('NOT_YOUR_TOOL', { server: wish.server })
  const call = `${wish.server}.${wish.tool}`
  const step = addByHand(
    draft,
    { task: task.id, stage, thread: null, agent: person },
    { intention: call, text: '', kind: 'tool', executor: wish.server },
    { kind: 'call', target: 'tool', name: wish.tool, arguments: wish.arguments },
  )
  if (wish.confirmed === null) return { step }
  const digest = wish.arguments.sha
  draft.emit('step.approved', {
    task: task.id,
    agent: person,
    step,
    by: person,
    edited: false,
    digest,
    arguments: null,
  })
  const says = draft.say('actRanTool', { who: selectName(draft.world, person), call })
  recordAct(draft, person, [task.id], { act: 'runTool', on: step, reason: optionalReason(wish.confirmed.reason), says })
  return { step }
}

/** Members run tools in their tasks, operators in any. A pause begins nothing, so nothing is queued for the day it ends. */
function taskFor(draft: DecisionContext, person: AgentId, wish: CommandOf<'runTool'>): TaskRecord {
  const task = seenTask(draft, person, wish.task)
  if (!isMember(draft.world, task.id, person) && !isOperator(draft.world, person)) {
    throw new Fault('NOT_A_MEMBER', { name: selectName(draft.world, person), task: task.name })
  }
  if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
  if (task.paused !== null) {
    throw new Fault('TASK_PAUSED', { task: task.name, by: selectName(draft.world, task.paused.by) })
  }
  return task
}

/** What is done for a stage belongs to it; only an operator does something beside the one that runs. The base task has no work in stages. */
function stageFor(draft: DecisionContext, person: AgentId, task: TaskRecord, wish: StageId | null): StageId | null {
  if (task.base) return null
  const stages = draft.world.stages[task.id] ?? {}
  if (wish === null) {
    const isRunning = Object.values(stages).some((stage) => stage.state === 'running')
    if (isRunning && !isOperator(draft.world, person)) throw new Fault('STAGE_MISSING')
    return null
  }
  const stage = stages[wish]
  if (!stage) throw new Fault('NOT_FOUND', { what: 'stage', id: wish })
  if (stage.state === 'finished' || stage.state === 'failed') throw new Fault('STAGE_OVER')
  if (stage.state !== 'running') throw new Fault('STAGE_NOT_RUNNING')
  return wish
}

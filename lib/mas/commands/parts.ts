/**
 * An agent's part of a stage: when it is over, and what follows for the stage.
 *
 * Owns: the end of a part, the list that runs empty, limits of a part, the notice to the judge.
 */

import type { AgentId, StageId, TaskId } from '../ids'
import { stepsIn } from '../ownSteps'
import type { PartState, StageRecord, StepRecord } from '../records'
import { isPresent, isStepOver } from '../selectors/agents'
import { isStopped } from '../selectors/limits'
import { selectAskedOutside } from '../selectors/outside'
import type { DecisionContext } from './draft'
import { endOf } from './endings'
import { askToJudgeStage } from './judge'
import { planOn } from './loadSteps'
import { addStep } from './steps'

export const isPartOver = (state: PartState | undefined): boolean => state === 'finished' || state === 'failed'

/** Submitted with a summary, or failed with a reason. A part that is over stays as it is. */
export function endPart(
  draft: DecisionContext,
  task: TaskId,
  stage: StageId,
  agent: AgentId,
  end: { summary: string } | { failed: string },
): void {
  const record = draft.world.stages[task]?.[stage]
  if (record?.state !== 'running' || record.parts[agent] === undefined || isPartOver(record.parts[agent])) return
  if ('summary' in end) {
    draft.emit('stage.completionSubmitted', { task, stage, agent, summary: end.summary })
    draft.emit('stage.agentStateChanged', { task, stage, agent, state: 'finished', reason: null })
  } else {
    draft.emit('stage.agentStateChanged', { task, stage, agent, state: 'failed', reason: end.failed })
    endOf(draft, { kind: 'part', task, stage, agent }, draft.say('thePart'))
  }
  checkStage(draft, task, stage)
}

/** A step of this agent is over: is its list empty, has it reached a limit, can the stage move on? */
export function afterStep(draft: DecisionContext, step: StepRecord): void {
  const { task, stage, agent } = step
  // A person's part goes on until they say that it is done.
  if (stage === null || step.byHand) return
  const record = draft.world.stages[task]?.[stage]
  const owner = draft.world.tasks[task]
  if (record?.state !== 'running' || owner?.base) return
  if (record.parts[agent] === undefined || isPartOver(record.parts[agent])) {
    checkStage(draft, task, stage)
    return
  }
  if (owner?.load) {
    const isEmpty = draft.world.work[agent]?.todo.length === 0
    if (isEmpty && !planOn(draft, step)) endPart(draft, task, stage, agent, { summary: step.text })
    return
  }
  const own = stepsIn(draft.world.steps[task]?.[agent]).filter((one) => one.stage === stage)
  if (isStopped(draft.world, step)) return
  if (own.some((one) => !isStepOver(one)) || (draft.world.work[agent]?.locks.length ?? 0) > 0) return
  if (own.some((one) => one.last)) {
    endPart(draft, task, stage, agent, { failed: draft.say('emptyAfterReflection') })
    return
  }
  addStep(
    draft,
    { task, stage, thread: null, agent },
    { intention: 'reflection', text: draft.say('lastReflection'), kind: 'skill', executor: 'reflection', last: true },
  )
}

/** When every part is over, or one failed or has nobody and nothing else can move, the manager is asked to judge; once per stage. */
export function checkStage(draft: DecisionContext, task: TaskId, stage: StageId): void {
  const record = draft.world.stages[task]?.[stage]
  const owner = draft.world.tasks[task]
  if (!record || !owner || owner.base || record.state !== 'running' || record.judging) return
  const parts = Object.entries(record.parts) as [AgentId, PartState][]
  const isOver = parts.every(([, state]) => isPartOver(state))
  const isStranded =
    parts.some(([agent, state]) => state === 'failed' || !isPresent(draft.world, agent)) &&
    parts.every(([agent, state]) => isPartOver(state) || !canMove(draft, record, agent))
  if (!isOver && !isStranded) return
  if (owner.load) {
    // Nobody judges what only counts.
    draft.emit('stage.finished', { task, stage })
    draft.emit('task.finished', { task, state: 'finished', summary: owner.name })
    return
  }
  draft.emit('stage.judging', { task, stage })
  askToJudgeStage(draft, owner, stage)
}

function canMove(draft: DecisionContext, stage: StageRecord, agent: AgentId): boolean {
  const record = draft.world.agents[agent]
  if (!record || record.removed) return false
  if (record.kind === 'human') return true
  if (record.kind === 'outside')
    return selectAskedOutside(draft.world, stage.task, agent).some((message) => message.stage === stage.id)
  const work = draft.world.work[agent]
  return (
    (work?.locks.length ?? 0) > 0 ||
    isStopped(draft.world, { task: stage.task, stage: stage.id, thread: null, agent }) ||
    stepsIn(draft.world.steps[stage.task]?.[agent]).some((step) => step.stage === stage.id && !isStepOver(step))
  )
}

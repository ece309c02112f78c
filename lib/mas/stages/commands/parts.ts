/** An agent's part of a stage: when it is over, and what follows for the stage. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, StageId, TaskId } from '../../ids'
import { isShareStopped } from '../../limits/limits'
import { memberOf } from '../../members'
import { deliverSystem } from '../../messages/commands/deliver'
import type { PartState, StageRecord, StepRecord, TaskRecord } from '../../records'
import { isPartOver, isPartReady, isStepOver } from '../../statuses'
import { addStep } from '../../steps/commands/addStep'
import { endOf } from '../../steps/commands/endings'
import { stepsIn } from '../../steps/ownSteps'
import { isPresent, selectStep } from '../../team/agents'
import { selectStagePlace } from '../plan'
import { askToJudgeStage } from './judge'

/** Submitted with a summary, or failed with a reason. A part that is over stays as it is. */
export function endPart(
  context: DecisionContext,
  task: TaskId,
  stage: StageId,
  agent: AgentId,
  end: { summary: string } | { failed: string },
): void {
  const record = context.world.stages[task]?.[stage]
  if (record?.state !== 'running' || record.parts[agent] === undefined || isPartOver(record.parts[agent])) return
  if ('summary' in end) {
    context.emit('stage.completionSubmitted', { task, stage, agent, summary: end.summary })
    context.emit('stage.agentStateChanged', { task, stage, agent, state: 'finished', reason: null })
  } else {
    context.emit('stage.agentStateChanged', { task, stage, agent, state: 'failed', reason: end.failed })
    endOf(context, { kind: 'part', task, stage, agent }, context.say('thePart'))
  }
  startNeeding(context, task, stage, agent)
  checkStage(context, task, stage)
}

/**
 * These members begin with their parts of a running stage. Those who are not in the task any more are left out.
 *
 * in      isLater: the stage has begun before, with others
 */
export function startParts(
  context: DecisionContext,
  task: TaskRecord,
  stage: StageRecord,
  agents: AgentId[],
  isLater = false,
): void {
  const { number: n, of } = selectStagePlace(context.world, task.id, stage.id)
  const goal = stage.intention
  deliverSystem(context, {
    task: task.id,
    receivers: agents.filter((agent) => task.group.includes(agent)),
    text: isLater ? context.said('partBegun', { n, goal }) : context.said('stageBegun', { n, of, goal }),
    stage: stage.id,
    instruction: { type: 'start_stage', stage: stage.id },
  })
}

/** Parts that needed this one's result, and now have all of theirs. */
function startNeeding(context: DecisionContext, task: TaskId, stage: StageId, done: AgentId): void {
  const record = context.world.stages[task]?.[stage]
  const owner = context.world.tasks[task]
  if (!record || !owner) return
  const ready = (Object.entries(record.needs ?? {}) as [AgentId, AgentId[]][]).flatMap(([agent, needed]) =>
    needed.includes(done) && isPartReady(record, agent) ? [agent] : [],
  )
  if (ready.length > 0) startParts(context, owner, record, ready, true)
}

/** A step of this agent is over: is its list empty, has it reached a limit, can the stage move on? */
export function afterStep(context: DecisionContext, step: StepRecord): void {
  const { task, stage, agent } = step
  // A person's part continues until they mark it as done.
  if (stage === null || step.byHand) return
  const record = context.world.stages[task]?.[stage]
  const owner = context.world.tasks[task]
  if (record?.state !== 'running' || owner?.base) return
  if (record.parts[agent] === undefined || isPartOver(record.parts[agent])) {
    checkStage(context, task, stage)
    return
  }
  const own = context.world.steps[task]?.[agent]
  if (isShareStopped(context.world, step) || (context.world.work[agent]?.locks.length ?? 0) > 0) return
  if (stepsIn(own).some((one) => one.stage === stage && !isStepOver(one))) return
  if (stepsIn(own).some((one) => one.stage === stage && one.last)) {
    endPart(context, task, stage, agent, { failed: context.say('emptyAfterReflection') })
    return
  }
  addStep(
    context,
    { task, stage, thread: null, agent },
    { intention: 'reflection', text: context.say('lastReflection'), kind: 'skill', executor: 'reflection', last: true },
  )
}

/** A step that was recorded as it was added had nothing to run; its answer may be the last thing that its part waited for. */
export function watchParts(context: DecisionContext): void {
  const added = new Set(context.events.flatMap((event) => (event.type === 'step.added' ? [event.step] : [])))
  for (const event of [...context.events]) {
    if (event.type !== 'step.finished' || !added.has(event.step)) continue
    const step = selectStep(context.world, event.task, event.agent, event.step)
    if (step) afterStep(context, step)
  }
}

/** When every part is over, or one failed or lacks its agent and no other can continue, the manager is asked to judge; once. */
export function checkStage(context: DecisionContext, task: TaskId, stage: StageId): void {
  const record = context.world.stages[task]?.[stage]
  const owner = context.world.tasks[task]
  if (!record || !owner || owner.base || record.state !== 'running' || record.judging) return
  const parts = Object.entries(record.parts) as [AgentId, PartState][]
  const isOver = parts.every(([, state]) => isPartOver(state))
  const isStranded =
    parts.some(([agent, state]) => state === 'failed' || !isPresent(context.world, agent)) &&
    parts.every(([agent, state]) => isPartOver(state) || !canMove(context, record, agent))
  if (!isOver && !isStranded) return
  context.emit('stage.judging', { task, stage })
  askToJudgeStage(context, owner, stage)
}

/** The result of this part can still come. */
const canMoveYet = (context: DecisionContext, stage: StageRecord, agent: AgentId): boolean =>
  !isPartOver(stage.parts[agent]) && canMove(context, stage, agent)

function canMove(context: DecisionContext, stage: StageRecord, agent: AgentId): boolean {
  const record = context.world.agents[agent]
  if (!record || record.removed) return false
  if (!isPartReady(stage, agent)) return (stage.needs?.[agent] ?? []).some((one) => canMoveYet(context, stage, one))
  return memberOf(record).partMoves(context.world, agent, stage)
}

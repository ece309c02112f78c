/** Questions about judging: who decides how a task continues, and whether they can. */

import { isNumbered } from '../asks/requests'
import type { AgentId, StepId } from '../ids'
import { memberOf } from '../members'
import { isAsked, runsSteps } from '../members/traits'
import { needsReply } from '../messages/records'
import type { AgentRecord, DeliveryRecord, RequestRecord, StageRecord, StepRecord, TaskRecord, World } from '../records'
import { isOpen, isSettled, isStepOver, isTaskOver } from '../statuses'
import { stepsIn } from '../steps/ownSteps'
import { mayAct } from '../team/agents'
import { selectRunningStage } from './plan'

/** Why a task has no judge. `why` is what its last step to judge said, null where there is nothing to say. */
export type Unjudged = {
  cause: 'failed' | 'paused' | 'gone' | 'noModel'
  who: AgentId
  why: string | null
  step: StepId | null
}

/** Whether this step must judge, also if it runs again after a lookup. */
export function isJudging(world: World, step: StepRecord): boolean {
  const notice = step.cause.message === null ? null : world.messages[step.task]?.[step.cause.message]
  const type = notice?.instruction?.type
  return type === 'judge_stage' || type === 'judge_task'
}

export const lastEnded = (steps: readonly StepRecord[]): StepRecord | null =>
  steps.reduce<StepRecord | null>(
    (latest, step) => ((step.endedSeq ?? 0) >= (latest?.endedSeq ?? 0) ? step : latest),
    null,
  )

/** People who may act for everyone. */
export const selectOperators = (world: World): AgentId[] =>
  Object.values(world.agents)
    .filter((agent: AgentRecord) => mayAct(agent) && agent.access === 'operator')
    .map((agent: AgentRecord) => agent.id)

/** Only the judgement of the running stage is missing, or no stage is left. */
export function isJudgementDue(world: World, task: TaskRecord): boolean {
  if (task.base || task.talk || task.paused || isTaskOver(task)) return false
  const running = selectRunningStage(world, task.id)
  if (running) return running.judging
  return Object.values<StageRecord>(world.stages[task.id] ?? {}).every(({ state }) => state !== 'init')
}

/** Why this task has no judge, or null: it is judged, or there is nothing to judge. */
export function selectUnjudged(world: World, task: TaskRecord): Unjudged | null {
  const { manager: judge } = task
  if (task.base || isTaskOver(task) || judge === null) return null
  const manager = world.agents[judge]
  const because = (cause: Unjudged['cause'], step: StepRecord | null = null): Unjudged => ({
    cause,
    who: judge,
    why: step?.reason ?? null,
    step: step?.id ?? null,
  })
  if (!manager || manager.removed) return because('gone')
  const cannot = memberOf(manager).whyNoJudge(world, manager)
  if (cannot !== null) return because(cannot)
  if (!runsSteps(world, manager.id) || !isJudgementDue(world, task)) return null
  if (manager.paused) return because('paused')
  return stoppedAt(world, task, judge, because)
}

/** The judge has no steps left in this task and waits for nothing, but has not judged. */
function stoppedAt(
  world: World,
  task: TaskRecord,
  judge: AgentId,
  because: (cause: 'failed', step: StepRecord) => Unjudged,
): Unjudged | null {
  const steps: StepRecord[] = stepsIn(world.steps[task.id]?.[judge])
  if (steps.some((step) => !isStepOver(step)) || awaits(world, task)) return null
  const stopped = lastEnded(steps.filter((step) => isJudging(world, step))) ?? notPlanned(world, task)
  return stopped === null ? null : because('failed', stopped)
}

/** The planning in the thread of the request failed: the task will get no stages. */
function notPlanned(world: World, { id, manager, requestedIn }: TaskRecord): StepRecord | null {
  if (requestedIn === null || manager === null || Object.keys(world.stages[id] ?? {}).length > 0) return null
  const thread: StepRecord[] = stepsIn(world.steps[requestedIn.task]?.[manager]).filter(
    (step) => step.thread === requestedIn.thread,
  )
  if (thread.some((step) => !isStepOver(step))) return null
  return thread.findLast((step) => step.executor === 'task_manager' && step.state === 'failed') ?? null
}

/** Whether a question of the manager is open. */
function awaits(world: World, { id, manager }: TaskRecord): boolean {
  const requests: RequestRecord[] = Object.values(world.requests[id] ?? {})
  if (requests.some((request) => isOpen(request) && isNumbered(request) && request.asker === manager)) return true
  const deliveries = Object.values(world.deliveries[id] ?? {}).flatMap((own) => Object.values(own))
  return deliveries.some((delivery: DeliveryRecord) => {
    if (isSettled(delivery.state)) return false
    if (delivery.receiver === manager && delivery.state === 'queued') return true
    const message = world.messages[id]?.[delivery.message]
    return message?.sender === manager && needsReply(message.type) && !isAsked(world, delivery.receiver)
  })
}

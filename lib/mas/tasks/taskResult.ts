/** The result of an ended task, from recorded facts only. */
import { plusKnown } from '@/lib/sumKnown'
import type { AgentId, StageId, StepId, TaskId } from '../ids'
import type { Spent, StepRecord, World } from '../records'
import { selectPlan } from '../stages/plan'
import type { FailureCause } from '../steps/failureCause'
import { stepsOfAll } from '../steps/ownSteps'
import { countAsked, recordOfSource } from './decisions'
import { stageName } from './taskTitle'

/**
 * Requested work that was not done.
 *
 * failed      a stage that ended as failed and was not replaced: its judge said why
 * notStarted  a stage that never ran
 * part        a member's part of a stage that failed: they said why
 */
type NotDone = {
  why: 'failed' | 'notStarted' | 'part'
  stage: StageId
  /** Its displayed name. */
  stageName: string
  intention: string
  agent: AgentId | null
  reason: string
}

/** out: null while the task is open, and when it is not known. calls: of models; null when steps have left the world */
export function selectTaskResult(world: World, id: TaskId) {
  const task = world.tasks[id]
  if (!task || (task.state !== 'finished' && task.state !== 'failed')) return null
  const held = stepsOfAll(world.steps[id])
  const steps = Math.max(world.stepCounts[id] ?? 0, held.length)
  const { tokens, costUsd } = selectTaskCost(world, id)
  return {
    state: task.state,
    headline: task.result?.headline ?? null,
    facts: (task.result?.facts ?? []).map((fact) => ({ ...fact, record: recordOfSource(world, id, fact.source) })),
    summary: task.summary,
    leftOut: [...(task.result?.leftOut ?? [])],
    ...countAsked(world, id),
    tookMs: task.endedAt === null ? null : task.endedAt - task.createdAt,
    steps,
    calls: held.length < steps ? null : held.reduce((sum, step) => sum + step.calls.length, 0),
    tokens,
    isEstimated: held.some(({ calls }) => calls.some((call) => call.estimated)),
    // Nothing was priced: what it cost is not known. What is free costs 0, as in the list of tasks.
    costUsd: costUsd !== 0 || held.some(({ calls }) => calls.some((call) => call.costUsd !== null)) ? costUsd : null,
    notDone: selectNotDone(world, id),
    failure: task.state === 'failed' ? lastFailure(held) : null,
  }
}

/**
 * The last step that failed for a known cause.
 *
 * model   whose answers or faults they were; null: of a tool
 * server  of the tool; null: of a skill
 */
type Failure = { step: StepId; agent: AgentId; cause: FailureCause; model: string | null; server: string | null }

function lastFailure(steps: readonly StepRecord[]): Failure | null {
  const failed = steps.filter((step) => step.state === 'failed' && step.failureCause !== undefined)
  const last = failed.sort((a, b) => (a.endedSeq ?? 0) - (b.endedSeq ?? 0)).at(-1)
  if (last?.failureCause === undefined) return null
  return {
    step: last.id,
    agent: last.agent,
    cause: last.failureCause,
    model: last.calls.at(-1)?.model ?? null,
    server: last.type === 'tool' ? last.executor : null,
  }
}

function selectNotDone(world: World, id: TaskId): NotDone[] {
  const stages = selectPlan(world, id)
  return stages.flatMap((stage): NotDone[] => {
    const { state, reason, replacedBy, parts, partReasons } = stage
    const what = { stage: stage.id, stageName: stageName(stage), intention: stage.intention }
    if (replacedBy !== null) return []
    if (state === 'init') return [{ why: 'notStarted', ...what, agent: null, reason: '' }]
    if (state === 'failed') return [{ why: 'failed', ...what, agent: null, reason: reason ?? '' }]
    const failed = (Object.keys(parts) as AgentId[]).filter((agent) => parts[agent] === 'failed')
    return failed.map((agent) => ({ why: 'part', ...what, agent, reason: partReasons[agent] ?? '' }))
  })
}

const NOTHING: Spent = { tokens: 0, costUsd: null }

/** A price that is not known adds nothing to one that is. */
export const sumSpent = (a: Spent, b: Spent): Spent => ({
  tokens: a.tokens + b.tokens,
  costUsd: plusKnown(a.costUsd, b.costUsd),
})

/** What was paid in the thread that led to the task; null: nothing. */
export const selectSetUp = (world: World, task: TaskId): Spent | null => world.budgets[task]?.setUp ?? null

/** All that counts against the limits of the task. */
export function selectTaskCost(world: World, task: TaskId): Spent {
  const { tokens = 0, costUsd = 0 } = world.budgets[task] ?? {}
  return sumSpent({ tokens, costUsd }, selectSetUp(world, task) ?? NOTHING)
}

/** Failed steps that still matter: those without a successful later try. */
import type { AgentId, StepId } from '@/lib/mas/ids'
import type { StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'

export const NO_FAILURES: ReadonlySet<StepId> = new Set()

/** Failed steps of one agent in one stage without a later try. A tool's next call of the ability is a try. */
export function lastFailures(steps: readonly StepRecord[]): ReadonlySet<StepId> {
  const failures = new Set<StepId>()
  const retried = new Set<StepId>()
  const tried = new Set<string>()
  for (const step of steps.toReversed()) {
    // What could not be written is the failure of its tool step.
    const isFailure = step.state === 'failed' && step.executor !== 'instruction_generation'
    if (isFailure && !retried.has(step.id) && !(step.type === 'tool' && tried.has(callOf(step)))) failures.add(step.id)
    if (step.retryOf !== null) retried.add(step.retryOf)
    if (step.type === 'tool' && step.startedAt !== null) tried.add(step.executor).add(callOf(step))
  }
  return failures.size === 0 ? NO_FAILURES : failures
}

/** A call that was never written counts as retried by any later call of its server. */
const callOf = ({ executor, instruction }: StepRecord): string =>
  instruction === null ? executor : `${executor}/${instruction.kind === 'call' ? instruction.name : instruction.kind}`

/** Which failures of an agent in a stage still matter: none where the stage or task was finished; no tool's once the part was submitted. */
export function failuresThatMatter(
  task: TaskRecord,
  stage: StageRecord | null,
  agent: AgentId,
): (step: Pick<StepRecord, 'type'>) => boolean {
  if (task.state === 'finished' || stage?.state === 'finished') return () => false
  return stage?.parts[agent] === 'finished' ? ({ type }) => type === 'skill' : () => true
}

/** An agent's failures that still matter. */
export function unsettledFailures(
  task: TaskRecord,
  stage: StageRecord | null,
  agent: AgentId,
  { steps, failures }: { steps: readonly StepRecord[]; failures: ReadonlySet<StepId> },
): ReadonlySet<StepId> {
  if (failures.size === 0) return NO_FAILURES
  const matters = failuresThatMatter(task, stage, agent)
  const left = steps.filter((step) => failures.has(step.id) && matters(step))
  if (left.length === failures.size) return failures
  return left.length === 0 ? NO_FAILURES : new Set(left.map(({ id }) => id))
}

/** A stage that failed, and another try of it has not. */
export function isTriedAgain(world: World, stage: StageRecord): boolean {
  if (stage.state !== 'failed') return false
  const stages: StageRecord[] = Object.values(world.stages[stage.task] ?? {})
  return stages.some((one) => (one.retryOf === stage.id || one.id === stage.replacedBy) && one.state !== 'failed')
}

/** Parts that failed, unless the stage was finished anyway, or is done again. */
export const failedPartsOf = (stage: StageRecord | null): number =>
  stage === null || stage.state === 'finished' || (stage.replacedBy ?? null) !== null
    ? 0
    : Object.values(stage.parts).filter((state) => state === 'failed').length

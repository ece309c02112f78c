/** An agent's steps in one task, in creation order. */
import type { AgentId, StepId } from '../ids'
import type { OwnSteps, StepRecord } from '../records'

export const stepIn = (own: OwnSteps | undefined, step: StepId): StepRecord | undefined => own?.[step]

/** The step that wrote this call, alone or with others; null if no step wrote it. */
export const batchOf = (step: Pick<StepRecord, 'batch' | 'boundTo'>): StepId | null => step.batch ?? step.boundTo

/** All of them, in creation order. */
export const stepsIn = (own: OwnSteps | undefined): StepRecord[] => Object.values(own ?? {})

/** Those of several agents, such as all in a task. */
export const stepsOfAll = (byAgent: Record<AgentId, OwnSteps> | undefined): StepRecord[] =>
  Object.values(byAgent ?? {}).flatMap((own) => stepsIn(own))

/** With changes of those of these steps that exist. */
export function withChangedSteps(
  own: OwnSteps,
  steps: readonly StepId[],
  change: (old: StepRecord) => StepRecord,
): OwnSteps {
  const next = { ...own }
  let isChanged = false
  for (const id of steps) {
    const old = own[id]
    if (old === undefined) continue
    next[id] = change(old)
    isChanged ||= next[id] !== old
  }
  return isChanged ? next : own
}

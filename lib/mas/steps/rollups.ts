/** Sums over steps, cached by branch, so that only changed branches are counted. */
import { memo } from '@/lib/memo'
import { plusKnown } from '@/lib/sumKnown'
import type { EvictedLane, OwnSteps, StepRecord, World } from '../records'
import { stepsIn } from './ownSteps'

/** Unknown costs are null, never 0. */
export type Rollup = {
  steps: number
  running: number
  /** In and out. */
  tokens: number | null
  promptTokens: number | null
  /** Of promptTokens. */
  cachedTokens: number | null
  costUsd: number | null
}

export const NO_ROLLUP: Rollup = {
  steps: 0,
  running: 0,
  tokens: null,
  promptTokens: null,
  cachedTokens: null,
  costUsd: null,
}

export function sumRollups(rollups: readonly Rollup[]): Rollup {
  const sum = { ...NO_ROLLUP }
  for (const one of rollups) {
    sum.steps += one.steps
    sum.running += one.running
    sum.tokens = plusKnown(sum.tokens, one.tokens)
    sum.promptTokens = plusKnown(sum.promptTokens, one.promptTokens)
    sum.cachedTokens = plusKnown(sum.cachedTokens, one.cachedTokens)
    sum.costUsd = plusKnown(sum.costUsd, one.costUsd)
  }
  return sum
}

const rollupOfStep = memo((step: StepRecord): Rollup => {
  const sum = { ...NO_ROLLUP, steps: 1 }
  for (const call of step.calls) {
    sum.tokens = plusKnown(sum.tokens, plusKnown(call.promptTokens, call.completionTokens))
    sum.promptTokens = plusKnown(sum.promptTokens, call.promptTokens)
    sum.cachedTokens = plusKnown(sum.cachedTokens, call.cachedTokens)
    sum.costUsd = plusKnown(sum.costUsd, call.costUsd)
  }
  if (step.state === 'running') sum.running = 1
  return sum
})

export const rollupOf = (steps: readonly StepRecord[]): Rollup => sumRollups(steps.map(rollupOfStep))

export const rollupOfAgent = memo((own: OwnSteps): Rollup => rollupOf(stepsIn(own)))

/** All steps of a task, of all its agents. */
export const rollupOfTask = memo(
  (agents: World['steps'][keyof World['steps']]): Rollup =>
    sumRollups(Object.values<OwnSteps>(agents).map(rollupOfAgent)),
)

/** Steps that have left the world: none of them runs. */
export const rollupOfEvicted = ({ steps, tokens, promptTokens, cachedTokens, costUsd }: EvictedLane): Rollup => ({
  ...{ steps, tokens, promptTokens, cachedTokens, costUsd },
  running: 0,
})

export const rollupOfAllEvicted = memo(
  (lanes: World['evicted'][keyof World['evicted']]): Rollup =>
    sumRollups(Object.values<EvictedLane>(lanes).map(rollupOfEvicted)),
)

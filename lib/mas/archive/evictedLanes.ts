/** Sums of the steps that leave the world, by agent and stage: the records go, what they came to stays. */
import { plusKnown } from '../../sumKnown'
import type { AgentId, StageId } from '../ids'
import type { EvictedLane, StepRecord } from '../records'
import { rollupOf } from '../steps/rollups'

export type EvictedLanes = Record<string, EvictedLane>

export const laneKey = (stage: StageId | null, agent: AgentId): string => `${stage ?? '-'}/${agent}`

/** The sums with these steps added. */
export function withEvicted(lanes: EvictedLanes, gone: readonly StepRecord[]): EvictedLanes {
  if (gone.length === 0) return lanes
  const next = { ...lanes }
  for (const step of gone) {
    const key = laneKey(step.stage, step.agent)
    next[key] = withStep(next[key], step)
  }
  return next
}

function withStep(lane: EvictedLane | undefined, step: StepRecord): EvictedLane {
  const { stage, agent, startedAt, endedAt } = step
  const { tokens, promptTokens, cachedTokens, costUsd } = rollupOf([step])
  return {
    stage,
    agent,
    steps: (lane?.steps ?? 0) + 1,
    tokens: plusKnown(lane?.tokens, tokens),
    promptTokens: plusKnown(lane?.promptTokens, promptTokens),
    cachedTokens: plusKnown(lane?.cachedTokens, cachedTokens),
    costUsd: plusKnown(lane?.costUsd, costUsd),
    startedAt: earliest(lane?.startedAt, startedAt),
    endedAt: latest(lane?.endedAt, endedAt),
  }
}

type Time = number | null | undefined
export const earliest = (a: Time, b: Time): number | null => pick(Math.min, a, b)
export const latest = (a: Time, b: Time): number | null => pick(Math.max, a, b)
const pick = (which: (a: number, b: number) => number, a: Time, b: Time): number | null =>
  a == null ? (b ?? null) : b == null ? a : which(a, b)

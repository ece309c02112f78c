/** A world as two that hold the same are compared: without what a view need not have seen, each agent's steps as one map. */
import type { FlatSteps } from '@/lib/mas/ownSteps'
import type { OwnSteps, World } from '@/lib/mas/records'

/** Equal worlds may differ in how steps are divided. */
export const flatSteps = ({ past, recent }: OwnSteps): FlatSteps => ({ ...past, ...recent })

const mapped = <Of, To>(map: Record<string, Of>, change: (of: Of) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(map).map(([key, of]) => [key, change(of)]))

/** Seq and time are of the last entry, which a view need not have seen. */
export const plainWorld = (world: World) => ({
  ...world,
  seq: 0,
  at: 0,
  steps: mapped(world.steps, (byAgent) => mapped(byAgent, flatSteps)),
})

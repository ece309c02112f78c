/** An agent's steps in one task, in creation order, in two maps: a change copies one of them, and ended steps move to the other. */
import { memo } from '@/lib/memo'
import type { AgentId, StepId } from './ids'
import type { OwnSteps, StepRecord } from './records'
import { withKey, withoutKeys } from './reduce/branch'
import { isStepOver } from './statuses'

/** An agent's steps as one map, as in events. */
export type FlatSteps = Record<StepId, StepRecord>

export const NO_STEPS: OwnSteps = { past: {}, recent: {} }

/** The number of steps at which the oldest are moved, and how many are moved: each move copies the whole second map. */
const RECENT_MOST = 48
const ASIDE_LEAST = 24

export const stepIn = (own: OwnSteps | undefined, step: StepId): StepRecord | undefined =>
  own?.recent[step] ?? own?.past[step]

/** The step that wrote this call, alone or with others; null if no step wrote it. */
export const batchOf = (step: Pick<StepRecord, 'batch' | 'boundTo'>): StepId | null => step.batch ?? step.boundTo

/** All of them, in creation order. */
export const stepsIn = (own: OwnSteps | undefined): StepRecord[] =>
  own === undefined ? [] : [...listOf(own.past), ...Object.values(own.recent)]

/** Those of several agents, such as all in a task. */
export const stepsOfAll = (byAgent: Record<AgentId, OwnSteps> | undefined): StepRecord[] =>
  Object.values(byAgent ?? {}).flatMap((own) => stepsIn(own))

/** The moved ones: the same list as long as none of them changes. */
export const pastStepsIn = (own: OwnSteps | undefined): readonly StepRecord[] =>
  own === undefined ? [] : listOf(own.past)

export const recentStepsIn = (own: OwnSteps | undefined): StepRecord[] =>
  own === undefined ? [] : Object.values(own.recent)

/** out: selects an agent's steps that pass, in creation order. in: passes: looks at the step alone; moved steps are asked once */
export function stepsThat(passes: (step: StepRecord) => boolean): (own: OwnSteps | undefined) => StepRecord[] {
  const ofPast = memo((past: readonly StepRecord[]) => past.filter(passes))
  return (own) => [...ofPast(pastStepsIn(own)), ...recentStepsIn(own).filter(passes)]
}

/** The second map is never changed in place, so its list is cached. */
const listOf = memo((past: FlatSteps): readonly StepRecord[] => Object.values(past))

export const countSteps = ({ past, recent }: OwnSteps): number => listOf(past).length + Object.keys(recent).length

/** With restored steps after the existing ones. */
export const withFlatSteps = ({ past, recent }: OwnSteps, back: FlatSteps): OwnSteps => ({
  past,
  recent: { ...recent, ...back },
})

/** With one more. */
export const withNewStep = (own: OwnSteps, step: StepRecord): OwnSteps =>
  setAside(put(own, 'recent', withKey(own.recent, step.id, step)))

function setAside(own: OwnSteps): OwnSteps {
  const all = Object.values(own.recent)
  if (all.length <= RECENT_MOST) return own
  const live = all.findIndex((step) => !isStepOver(step))
  const count = live === -1 ? all.length : live
  if (count < ASIDE_LEAST) return own
  const [over, rest] = [all.slice(0, count), all.slice(count)]
  return { past: { ...own.past, ...byId(over) }, recent: byId(rest) }
}

const put = withKey<keyof OwnSteps, FlatSteps>
const byId = (steps: readonly StepRecord[]): FlatSteps => Object.fromEntries(steps.map((step) => [step.id, step]))

/** With changes of those of these steps that exist. */
export function withChangedSteps(
  own: OwnSteps,
  steps: readonly StepId[],
  change: (old: StepRecord) => StepRecord,
): OwnSteps {
  let { past, recent } = own
  for (const id of steps) {
    const old = recent[id] ?? past[id]
    if (old === undefined) continue
    const next = change(old)
    if (next === old) continue
    if (recent[id] !== undefined) recent = withKey(recent, id, next)
    else {
      // A separate copy, never shared with the batch, because its lists are cached.
      if (past === own.past) past = { ...past }
      past[id] = next
    }
  }
  return put(put(own, 'past', past), 'recent', recent)
}

export function withoutSteps(own: OwnSteps, gone: readonly StepId[]): OwnSteps {
  const [past, recent] = [withoutKeys(own.past, gone), withoutKeys(own.recent, gone)]
  return past === own.past && recent === own.recent ? own : { past, recent }
}

/** Those that pass; the same object if all do. */
export function onlySteps(own: OwnSteps, passes: (step: StepRecord) => boolean): OwnSteps {
  const [past, recent] = [pastStepsIn(own).filter(passes), recentStepsIn(own).filter(passes)]
  return past.length + recent.length === countSteps(own) ? own : { past: byId(past), recent: byId(recent) }
}

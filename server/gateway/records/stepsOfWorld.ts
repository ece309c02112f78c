/** The steps of a task that a world holds as a whole, asked as the index of all steps is: of a moment, and of an opened archive. */

import type { StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { type TreeLane, treeLanesOf } from '@/server/monitor'
import type { IndexedStep, StepIndex, StepLane } from '@/server/store'

export const sameLane = (a: StepLane, b: StepLane): boolean => a.stage === b.stage && a.agent === b.agent
export const laneOf = ({ group, share }: TreeLane): StepLane => ({ stage: group.stage?.id ?? null, agent: share.agent })

/** What has neither begun nor ended has no place. */
const hasRun = ({ startedAt, endedAt }: StepRecord): boolean => startedAt !== null || endedAt !== null

/** in: world: nothing of that task has left it */
export function stepsOfWorld(world: World, { id: task }: TaskRecord): StepIndex {
  const record = world.tasks[task]
  const lanes = (record === undefined ? [] : treeLanesOf(world, record)).map((tree) => {
    const lane = laneOf(tree)
    const { steps, failures } = tree.share.lane
    const ran = steps.filter(hasRun)
    const indexed = (step: StepRecord, place: number | null): IndexedStep => ({
      ...lane,
      ...{ step: step.id, created: step.createdSeq, type: step.type, place, isFailed: failures.has(step.id) },
    })
    const failed = ran.flatMap((step, place) => (failures.has(step.id) ? [indexed(step, place)] : []))
    return { lane, ran, failed, failures, indexed }
  })
  const find = (lane: StepLane) => lanes.find((one) => sameLane(one.lane, lane))
  let newest: readonly StepRecord[] | null = null
  const newestFirst = (): readonly StepRecord[] => {
    newest ??= stepsOfAll(world.steps[task]).toSorted((a, b) => b.createdSeq - a.createdSeq)
    return newest
  }
  const withoutPlace = (step: StepRecord): IndexedStep | null => find(step)?.indexed(step, null) ?? null

  return {
    lanesOf: async () =>
      lanes.filter(({ ran }) => ran.length > 0).map(({ lane, ran, failed }) => ({ ...lane, ...countsOf(ran, failed) })),
    async stepsAt(_, lane, from, to) {
      const own = find(lane)
      return own?.ran.slice(from, to).map((step, at) => own.indexed(step, from + at)) ?? []
    },
    async failedIn(_, lane, side, limit) {
      const failed = find(lane)?.failed ?? []
      const at = ({ place }: IndexedStep): number => place ?? 0
      return 'after' in side
        ? failed.filter((step) => at(step) > side.after).slice(0, limit)
        : failed
            .filter((step) => at(step) < side.before)
            .reverse()
            .slice(0, limit)
    },
    failedOf: async (_, limit) =>
      lanes
        .flatMap(({ failed }) =>
          failed.map(({ stage, agent, type, place }) => ({ stage, agent, type, place: place ?? 0 })),
        )
        .slice(0, limit),
    async newestSteps(_, { agent, isFailed = false }, before, limit) {
      const fits = (step: StepRecord): boolean =>
        step.createdSeq < before &&
        (agent === undefined || step.agent === agent) &&
        (!isFailed || (find(step)?.failures.has(step.id) ?? false))
      return newestFirst()
        .filter(fits)
        .slice(0, limit)
        .flatMap((step) => withoutPlace(step) ?? [])
    },
    async stepsCreated(_, seqs) {
      const wanted = new Set(seqs)
      return newestFirst().flatMap((step) => (wanted.has(step.createdSeq) ? (withoutPlace(step) ?? []) : []))
    },
    async placeOf(id) {
      for (const { ran, indexed } of lanes) {
        const place = ran.findIndex((step) => step.id === id)
        const found = ran[place]
        if (found !== undefined) return indexed(found, place)
      }
      const step = newestFirst().find((one) => one.id === id)
      return step === undefined ? null : withoutPlace(step)
    },
  }
}

const countsOf = (ran: readonly unknown[], failed: readonly unknown[]) => ({ ran: ran.length, failed: failed.length })

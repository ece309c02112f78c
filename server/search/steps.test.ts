/** The index of steps beside the world: what people and agents decide, in any order. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import { emptyWorld, type StepRecord, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { memoryStore } from '@/test/memoryStore'
import { anyMoves, walk } from '@/test/worldHistories'
import { lastFailures } from '../monitor/rows/failures'
import type { Store } from '../store'
import { stepChangeOf } from './steps'

const began = (step: StepRecord): number => step.startedSeq ?? step.endedSeq ?? Number.POSITIVE_INFINITY

/** Each step of a world, as a line. */
function linesOf(world: World): string[] {
  const lanes = new Map<string, StepRecord[]>()
  for (const step of Object.values(world.steps).flatMap((own) => stepsOfAll(own))) {
    const lane = `${step.task} ${step.stage} ${step.agent}`
    lanes.set(lane, [...(lanes.get(lane) ?? []), step])
  }
  return [...lanes].flatMap(([lane, own]) => {
    const sorted = own.sort((a, b) => (began(a) === began(b) ? a.createdSeq - b.createdSeq : began(a) - began(b)))
    const failures = lastFailures(sorted)
    return sorted.map(
      (step, n) =>
        `${step.createdSeq} ${step.id} ${lane} ${began(step) === Number.POSITIVE_INFINITY ? null : n} ${failures.has(step.id)}`,
    )
  })
}

async function indexed(store: Store, entries: readonly Entry[]): Promise<void> {
  const { epoch, seq } = await store.journal.take('n')
  const events = entries.map(({ event }) => ({ ...event }))
  await store.journal.append(epoch, seq, [{ id: 'all', by: 'test', events }])
  const changes = entries.flatMap((entry) => stepChangeOf(entry) ?? [])
  await store.search.add(0, entries.length, [], [], changes)
}

it('[R550] [R551] whatever is decided, the index has each step with the place and the failure that it has among all of its lane', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(anyMoves(80), async (moves) => {
      const { entries } = walk(moves)
      // Only entries of steps: nothing is evicted or archived.
      const all = entries.filter(({ event }) => event.type.startsWith('step.'))
      const world = all.reduce(reduceEntry, emptyWorld)
      const store = memoryStore()
      await indexed(store, entries)
      const tasks = Object.keys(world.steps)
      const rows = await Promise.all(
        tasks.map(async (task) => {
          const steps = await store.steps.newestSteps(task, {}, Number.MAX_SAFE_INTEGER, 10_000)
          return steps.map(
            ({ created, step, stage, agent, place, isFailed }) =>
              `${created} ${step} ${task} ${stage} ${agent} ${place} ${isFailed}`,
          )
        }),
      )
      count += rows.flat().length
      expect(rows.flat().sort()).toEqual(linesOf(world).sort())
    }),
    { numRuns: 60, seed: 11 },
  )
  expect(count).toBeGreaterThan(500)
})

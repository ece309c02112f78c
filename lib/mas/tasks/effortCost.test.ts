/** What a task has cost: a price that is not known is told from none. */
import { describe, expect, it } from 'vitest'
import { sampleOf, sampleShapeOf } from '@/test/samples'
import { having, only, sampleWorld } from '@/test/sampleWorld'
import type { World } from '../records'
import { selectSetUp, selectTaskCost, sumSpent } from './taskResult'

describe('the sum of two costs', () => {
  const [free, unknown, priced] = [0, null, 2].map((costUsd) => ({ tokens: 5, costUsd }))
  it('is what is known of them', () => {
    if (!free || !unknown || !priced) throw new Error('there is no cost')
    expect(sumSpent(priced, priced)).toEqual({ tokens: 10, costUsd: 4 })
    expect(sumSpent(priced, unknown).costUsd).toBe(2)
    expect(sumSpent(unknown, priced).costUsd).toBe(2)
    expect(sumSpent(free, unknown).costUsd).toBe(0)
    expect(sumSpent(unknown, unknown).costUsd).toBeNull()
  })
})

it('what a task has cost has what was paid in the thread that led to it', () => {
  const { task } = sampleShapeOf('step.added')
  const world = having(sampleWorld, sampleOf('model.called'))
  const budget = { ...only(world.budgets), tokens: 3, costUsd: 1 }
  const { setUp: _, ...without } = budget
  const of = (one: typeof budget): World => ({ ...world, budgets: { [task]: one } })
  expect(selectTaskCost(of(without), task)).toEqual({ tokens: 3, costUsd: 1 })
  expect(selectTaskCost(of({ ...without, setUp: { tokens: 4, costUsd: 2 } }), task)).toEqual({ tokens: 7, costUsd: 3 })
  expect(selectSetUp(of(without), task)).toBeNull()
  expect(selectTaskCost({ ...world, budgets: {} }, task)).toEqual({ tokens: 0, costUsd: 0 })
})

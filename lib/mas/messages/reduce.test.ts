import { describe, expect, it } from 'vitest'
import type { AgentId } from '../ids'
import type { DeliveryState, MessageRecord } from '../records'
import { advanced, freshDelivery } from './reduce'

const fresh = freshDelivery({ id: 'm', task: 't' } as MessageRecord, 'ana' as AgentId, { at: 1, seq: 1 })
const timesAfter = (state: DeliveryState, old = fresh) => {
  const { deliveredAt, shownAt, acknowledgedAt, settledAt } = advanced(old, state, null, 9)
  return [deliveredAt, shownAt, acknowledgedAt, settledAt]
}

describe('the times of a delivery', () => {
  it('say of an answer and of what is done that it was seen by then', () => {
    expect(timesAfter('answered')).toEqual([1, 9, 9, 9])
    expect(timesAfter('done', advanced(fresh, 'shown', null, 5))).toEqual([1, 5, 9, 9])
  })

  it('say nothing of seeing where it ended without its receiver', () => {
    for (const state of ['released', 'expired', 'failed', 'superseded'] as const)
      expect(timesAfter(state), state).toEqual([1, null, null, 9])
    // Held back until its end, it never came.
    expect(timesAfter('expired', { ...fresh, state: 'queued', deliveredAt: null })).toEqual([null, null, null, 9])
  })
})

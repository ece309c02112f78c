import { describe, expect, it } from 'vitest'
import { nextItem } from './chosenItem'
import { me, messageRow as message, requestRow as request } from './test/openRows'

const NONE = { item: null, order: [] }
const at = 1_000

describe('the item that is open', () => {
  it('[R138] is at first the first one that asks something; what is only to be read opens by a press', () => {
    expect(nextItem([message('m'), request('a'), request('b')], NONE, me, at)).toBe('a')
    expect(nextItem([message('m')], NONE, me, at)).toBeNull()
  })

  it('[R138] stays when a row comes above it, and when it is a message that was opened', () => {
    expect(nextItem([request('new'), request('a')], { item: 'a', order: ['a'] }, me, at)).toBe('a')
    expect(nextItem([request('new'), message('m')], { item: 'm', order: ['m'] }, me, at)).toBe('m')
  })

  it('[R138] when it leaves, the next below it that asks something opens, else the next above it', () => {
    const before = { item: 'b', order: ['a', 'b', 'm', 'c'] }
    expect(nextItem([request('a'), message('m'), request('c')], before, me, at)).toBe('c')
    expect(nextItem([request('a'), message('m')], before, me, at)).toBe('a')
    expect(nextItem([message('m')], before, me, at)).toBeNull()
  })

  it('what is snoozed does not open by itself', () => {
    const snoozed = request('a', { snoozed: { [me]: at + 1 } })
    expect(nextItem([snoozed, request('b')], NONE, me, at)).toBe('b')
    expect(nextItem([snoozed], NONE, me, at + 1)).toBe('a')
  })
})

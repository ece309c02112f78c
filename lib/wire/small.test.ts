/** Drafts, kept answers and classes: the small rules that page and server share. */
import { describe, expect, it, vi } from 'vitest'
import { isSameList, memo, memoWith } from '../memo'
import { besideWith, draftTextIn, isBlank, isSameWritten, isWritten, NOTHING_WRITTEN } from './drafts'
import { levelOf } from './levels'

describe('a draft', () => {
  it.each([
    [NOTHING_WRITTEN, false, true],
    [{ text: ' ', more: {} }, true, false],
    [{ text: '', more: { type: 'urgent' } }, false, false],
    [{ text: '', more: { files: [] } }, true, false],
    [{ text: '', more: { form: {} } }, true, false],
    [{ text: '', more: { choice: 'a', type: 'urgent' } }, true, false],
    [{ text: '', more: { number: 1 } }, true, false],
  ])('%j has content: %s; is blank: %s', (written, isMissed, isNothing) => {
    expect([isWritten(written), isBlank(written)]).toEqual([isMissed, isNothing])
  })

  it('two drafts with the same text and the same fields are equal in any order of the fields', () => {
    const one = { text: 'a', more: { type: 'urgent', to: ['x'] } }
    expect(isSameWritten(one, { text: 'a', more: { to: ['x'], type: 'urgent' } })).toBe(true)
    expect(isSameWritten(one, { text: 'b', more: one.more })).toBe(false)
    expect(isSameWritten(one, { text: 'a', more: { type: 'urgent', to: ['y'] } })).toBe(false)
    expect(isSameWritten(one, { text: 'a', more: { type: 'urgent' } })).toBe(false)
  })

  it('besideWith removes fields that are set to null or undefined', () => {
    const more = { type: 'urgent', to: 'x' }
    expect(besideWith(more, { to: null, files: undefined, number: 0 })).toStrictEqual({ type: 'urgent', number: 0 })
    expect(more).toEqual({ type: 'urgent', to: 'x' })
  })

  it('draftTextIn returns a field of a draft only when it is a text', () => {
    expect([draftTextIn({ a: 'x' }, 'a'), draftTextIn({ a: 1 }, 'a'), draftTextIn({}, 'a')]).toEqual(['x', null, null])
  })
})

describe('a memoized value', () => {
  it('memo computes a value once for an object, also when the value is undefined', () => {
    const answer = vi.fn((_: object) => undefined)
    const kept = memo(answer)
    const [one, other] = [{}, {}]
    kept(one)
    kept(one)
    expect(answer).toHaveBeenCalledTimes(1)
    kept(other)
    expect(answer).toHaveBeenCalledTimes(2)
  })

  it('memoWith computes a value again when one of its other arguments changes', () => {
    const answer = vi.fn((_: object, n: number, text: string) => `${n}${text}`)
    const kept = memoWith(answer)
    const one = {}
    expect([kept(one, 1, 'a'), kept(one, 1, 'a'), kept(one, 2, 'a'), kept(one, 2, 'b'), kept({}, 2, 'b')]).toEqual([
      '1a',
      '1a',
      '2a',
      '2b',
      '2b',
    ])
    expect(answer).toHaveBeenCalledTimes(4)
  })

  it('isSameList compares lists value by value', () => {
    expect(isSameList([], [])).toBe(true)
    expect(isSameList([1, 2], [1, 2])).toBe(true)
    expect(isSameList([1, 2], [1])).toBe(false)
    expect(isSameList([1], [1, 2])).toBe(false)
    expect(isSameList([1, 2], [1, 3])).toBe(false)
    expect(isSameList([1, 2], [3, 2])).toBe(false)
  })
})

it('a task without a level of its own alerts a member when they are mentioned', () => {
  expect(levelOf({ one: 'all' }, 'one')).toBe('all')
  expect(levelOf({ one: 'all' }, 'two')).toBe('mentions')
  expect(levelOf(undefined, 'one')).toBe('mentions')
})

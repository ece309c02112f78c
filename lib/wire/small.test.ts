/** Drafts, kept answers and classes: the small rules that page and server share. */
import { describe, expect, it, vi } from 'vitest'
import { type AgentId, asId, type TaskId } from '../mas/ids'
import { isSameList, memo, memoWith } from '../memo'
import { besideWith, draftTextIn, isBlank, isSameWritten, isWritten, NOTHING_WRITTEN } from './drafts'
import { levelOf } from './http'
import { idSetMark, scopeOf, scopeSeesTask, scopeText, type ViewScope } from './viewScope'

describe('a draft', () => {
  it.each([
    [NOTHING_WRITTEN, false, true],
    [{ text: ' ', more: {} }, true, false],
    [{ text: '', more: { type: 'urgent' } }, false, false],
    [{ text: '', more: { files: [] } }, true, false],
    [{ text: '', more: { form: {} } }, true, false],
    [{ text: '', more: { choice: 'a', type: 'urgent' } }, true, false],
    [{ text: '', more: { number: 1 } }, true, false],
  ])('%j: would be missed: %s; is nothing at all: %s', (written, isMissed, isNothing) => {
    expect([isWritten(written), isBlank(written)]).toEqual([isMissed, isNothing])
  })

  it('is the same as another with the same text and the same beside it, in whatever order', () => {
    const one = { text: 'a', more: { type: 'urgent', to: ['x'] } }
    expect(isSameWritten(one, { text: 'a', more: { to: ['x'], type: 'urgent' } })).toBe(true)
    expect(isSameWritten(one, { text: 'b', more: one.more })).toBe(false)
    expect(isSameWritten(one, { text: 'a', more: { type: 'urgent', to: ['y'] } })).toBe(false)
    expect(isSameWritten(one, { text: 'a', more: { type: 'urgent' } })).toBe(false)
  })

  it('takes names away that are set to null or left without a value', () => {
    const more = { type: 'urgent', to: 'x' }
    expect(besideWith(more, { to: null, files: undefined, number: 0 })).toStrictEqual({ type: 'urgent', number: 0 })
    expect(more).toEqual({ type: 'urgent', to: 'x' })
  })

  it('has a text beside it only where it is a text', () => {
    expect([draftTextIn({ a: 'x' }, 'a'), draftTextIn({ a: 1 }, 'a'), draftTextIn({}, 'a')]).toEqual(['x', null, null])
  })
})

describe('a kept answer', () => {
  it('is made once for one object, also when it is nothing', () => {
    const answer = vi.fn((_: object) => undefined)
    const kept = memo(answer)
    const [one, other] = [{}, {}]
    kept(one)
    kept(one)
    expect(answer).toHaveBeenCalledTimes(1)
    kept(other)
    expect(answer).toHaveBeenCalledTimes(2)
  })

  it('is made anew when what else it was made from is another', () => {
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

  it('compares lists by each of their values', () => {
    expect(isSameList([], [])).toBe(true)
    expect(isSameList([1, 2], [1, 2])).toBe(true)
    expect(isSameList([1, 2], [1])).toBe(false)
    expect(isSameList([1], [1, 2])).toBe(false)
    expect(isSameList([1, 2], [1, 3])).toBe(false)
    expect(isSameList([1, 2], [3, 2])).toBe(false)
  })
})

describe('a class of viewers', () => {
  const [one, other] = [asId<TaskId>('one'), asId<TaskId>('other')]
  const person = asId<AgentId>('ana')

  it.each<ViewScope>([
    { see: 'all' },
    { see: 'person', person },
    { see: 'tasks', tasks: [] },
    { see: 'tasks', tasks: [one] },
    { see: 'tasks', tasks: [one, other] },
  ])('%j is read back as it was written, whatever its mark', (sight) => {
    for (const mark of ['', '3-abc']) expect(scopeOf(scopeText(sight, mark))).toEqual(sight)
    expect(scopeText(sight, 'a')).not.toBe(scopeText(sight, 'b'))
  })

  it.each(['', 'all', 'everything|', '|', 'ALL|', 'operator:ana|'])('"%s" cannot be read, and sees no task', (text) => {
    expect(scopeOf(text)).toEqual({ see: 'tasks', tasks: [] })
  })

  it('sees all tasks, those of its list, or none', () => {
    const sees = (sight: ViewScope) => [one, other].map(scopeSeesTask(sight))
    expect(sees({ see: 'all' })).toEqual([true, true])
    expect(sees({ see: 'tasks', tasks: [one] })).toEqual([true, false])
    expect(sees({ see: 'person', person })).toEqual([false, false])
  })

  it('has a mark that tells sets apart, in whatever order they come', () => {
    expect(idSetMark(['a', 'b'])).toBe(idSetMark(['b', 'a']))
    const marks = [[], ['a'], ['b'], ['a', 'b'], ['a', 'c'], ['ab'], ['ba']].map(idSetMark)
    expect(new Set(marks).size).toBe(marks.length)
    expect(marks.map((mark) => mark.split('-')[0])).toEqual(['0', '1', '1', '2', '2', '1', '1'])
  })
})

it('tells a member of a task when they are named, unless they chose otherwise for it', () => {
  expect(levelOf({ one: 'all' }, 'one')).toBe('all')
  expect(levelOf({ one: 'all' }, 'two')).toBe('mentions')
  expect(levelOf(undefined, 'one')).toBe('mentions')
})

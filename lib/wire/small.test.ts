/** Drafts, kept answers and classes: the small rules that page and server share. */
import { describe, expect, it, vi } from 'vitest'
import { type AgentId, asId, type TaskId } from '../mas/ids'
import { isSameList, memo, memoWith } from '../memo'
import { besideWith, draftTextIn, isBlank, isSameWritten, isWritten, NOTHING_WRITTEN } from './drafts'
import { levelOf } from './levels'
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

describe('a view scope', () => {
  const [one, other] = [asId<TaskId>('one'), asId<TaskId>('other')]
  const person = asId<AgentId>('ana')

  it.each<ViewScope>([
    { see: 'all' },
    { see: 'person', person },
    { see: 'tasks', tasks: [] },
    { see: 'tasks', tasks: [one] },
    { see: 'tasks', tasks: [one, other] },
  ])('%j is read back as it was written, whatever its mark', (scope) => {
    for (const mark of ['', '3-abc']) expect(scopeOf(scopeText(scope, mark))).toEqual(scope)
    expect(scopeText(scope, 'a')).not.toBe(scopeText(scope, 'b'))
  })

  it.each(['', 'all', 'everything|', '|', 'ALL|', 'operator:ana|'])('"%s" is not a scope, and sees no task', (text) => {
    expect(scopeOf(text)).toEqual({ see: 'tasks', tasks: [] })
  })

  it('a scope sees all tasks, those of its list, or none', () => {
    const sees = (scope: ViewScope) => [one, other].map(scopeSeesTask(scope))
    expect(sees({ see: 'all' })).toEqual([true, true])
    expect(sees({ see: 'tasks', tasks: [one] })).toEqual([true, false])
    expect(sees({ see: 'person', person })).toEqual([false, false])
  })

  it('the mark of a set of ids differs between sets and does not depend on their order', () => {
    expect(idSetMark(['a', 'b'])).toBe(idSetMark(['b', 'a']))
    const marks = [[], ['a'], ['b'], ['a', 'b'], ['a', 'c'], ['ab'], ['ba']].map(idSetMark)
    expect(new Set(marks).size).toBe(marks.length)
    expect(marks.map((mark) => mark.split('-')[0])).toEqual(['0', '1', '1', '2', '2', '1', '1'])
  })
})

it('a task without a level of its own alerts a member when they are mentioned', () => {
  expect(levelOf({ one: 'all' }, 'one')).toBe('all')
  expect(levelOf({ one: 'all' }, 'two')).toBe('mentions')
  expect(levelOf(undefined, 'one')).toBe('mentions')
})

import { structuredPatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { diffLines } from './Diff'

const lines = (before: string, after: string) =>
  diffLines(structuredPatch('', '', before, after, '', '', { context: 1 }).hunks).map(
    ({ kind, text, before: left, after: right }) => `${kind} ${left ?? '-'} ${right ?? '-'} ${text}`,
  )

describe('the lines of a comparison', () => {
  it('say what was taken out and put in, with the numbers of both sides', () => {
    expect(lines('a\nb\nc\n', 'a\nB\nc\n')).toEqual(['same 1 1 a', 'removed 2 - b', 'added - 2 B', 'same 3 3 c'])
  })

  it('leave out what is the same far from a change', () => {
    const text = 'abcdefghij'.split('').join('\n')
    expect(lines(text, text.replace('a', 'A').replace('j', 'J'))).toEqual([
      ...['removed 1 - a', 'added - 1 A', 'same 2 2 b', 'gap - - …', 'same 9 9 i', 'removed 10 - j', 'added - 10 J'],
    ])
  })

  it('do not show the remark on a missing end of line, and are none for equal texts', () => {
    expect(lines('a', 'a\n')).toEqual(['removed 1 - a', 'added - 1 a'])
    expect(lines('a', 'a')).toEqual([])
    expect(lines('', 'a\n')).toEqual(['added - 1 a'])
  })
})

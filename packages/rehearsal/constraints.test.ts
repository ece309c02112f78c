/** How people's answers are understood. */
import { describe, expect, it } from 'vitest'
import { mergeConstraints, readAnswers } from './constraints'
import type { Fact } from './ops/facts'
import { contradictionQuestions } from './questions'
import { WORDS } from './words'

const fact = (value: string, file: string, line: number): Fact => ({ key: 'apple', column: 'price', value, file, line })
const [question] = contradictionQuestions([fact('3.20', 'north.csv', 4), fact('3.50', 'south.csv', 7)], WORDS.en)
if (!question) throw new Error('there must be a question')

describe('an answer', () => {
  it.each([
    ['3.50', 'value', '3.50'],
    ['3.5', 'value', '3.50'],
    ['It is 3.20, I am sure', 'value', '3.20'],
    ['the one in south', 'value', '3.50'],
    ['north.csv', 'value', '3.20'],
    ['neither, leave it out', 'drop', ''],
    ['不计入', 'drop', ''],
    ['3.40', 'value', '3.40'],
    ['ask Ben', 'note', ''],
    ['3.20 or 3.50, hard to say', 'note', ''],
  ])('the answer “%s” is understood', (said, kind, value) => {
    expect(readAnswers(question, said, 'Ana')).toMatchObject([
      { kind, value, key: 'apple', column: 'price', by: 'Ana' },
    ])
  })

  it('names another folder, or is itself the text', () => {
    const where = { text: '?', choices: [], about: { kind: 'where' as const } }
    expect(readAnswers(where, 'Please read `lists/new`.', 'Ana')).toMatchObject([{ kind: 'where', value: 'lists/new' }])
    expect(readAnswers(where, 'a: 1\nb: 2\nc: 3', 'Ana')).toMatchObject([{ kind: 'paste', value: 'a: 1\nb: 2\nc: 3' }])
  })

  it('given later stands for the earlier one about the same', () => {
    const [first, second] = [readAnswers(question, '3.20', 'Ana'), readAnswers(question, '3.50', 'Ana')]
    expect(mergeConstraints(first, second)).toEqual(second)
  })
})

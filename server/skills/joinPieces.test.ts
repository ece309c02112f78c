import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinPieces } from './joinPieces'

it('an answer that is cut anywhere and continued with the next character is restored', () => {
  const answer = '<result>north: apple 3.20, pear 2.10; south: 苹果 3.50 🍎, pear 2.15.</result>'
  for (let at = 1; at < answer.length; at += 1) {
    expect(joinPieces(answer.slice(0, at), answer.slice(at))).toBe(answer)
  }
})

it.each([
  [
    'the last words',
    '<result>The north list says 3.20 for',
    'list says 3.20 for apples',
    '<result>The north list says 3.20 for apples',
  ],
  ['half a key', '[{"step_inten', '"step_intention": "read"', '[{"step_intention": "read"'],
  ['the opening tag', '<result>one, two', '<result>\n, three</result>', '<result>one, two\n, three</result>'],
  ['thoughts', '<result>one, ', '<think>where was I? two.</think>two</result>', '<result>one, two</result>'],
  ['thoughts under each of their names', 'one, ', '<scratchpad>I was at one.</scratchpad>two', 'one, two'],
  ['thoughts of a model family', 'one, ', '<seed:think>I was at one.</seed:think>two', 'one, two'],
  ['a line break after thoughts', '{"text": "one, ', '<think>at one.</think>\n\ntwo"}', '{"text": "one, two"}'],
  ['nothing but thoughts', '<result>one, ', '<think>where was', '<result>one, '],
  [
    'all of it',
    '<result>The north list says 3',
    '<result>The north list says 3.20.</result>',
    '<result>The north list says 3.20.</result>',
  ],
  ['nothing', '<result>one</result>', '', '<result>one</result>'],
])('[R218] %s written again is left out', (_, before, next, joined) => {
  expect(joinPieces(before, next)).toBe(joined)
})

it.each([
  ['0,0,0,0,', '0,0,0,0,1'],
  ['a--------', '--------b'],
  ['the end of the ', 'theory'],
])('what may be the text itself is kept: %s and %s', (before, next) => {
  expect(joinPieces(before, next)).toBe(before + next)
})

it.each<[string, string, string, string]>([
  ['six characters', 'x <r>abcdef', 'abcdef!', 'x <r>abcdef!'],
  ['five characters', 'x <r>abcde', 'abcde!', 'x <r>abcdeabcde!'],
  ['four kinds of characters', 'x <r>aabbcd', 'aabbcd!', 'x <r>aabbcd!'],
  ['three kinds of characters', 'x <r>aabbcc', 'aabbcc!', 'x <r>aabbccaabbcc!'],
  ['a beginning of 20 characters', ' abcdefghijklmnopqrst', ' abcdefghijklmnopqrst, all', ' abcdefghijklmnopqrst, all'],
  [
    'the first 60 of more characters',
    `${'abcdefghijklmno'.repeat(4)} then`,
    `${'abcdefghijklmno'.repeat(4)} but so`,
    `${'abcdefghijklmno'.repeat(4)} but so`,
  ],
])('from %s on, what is written again is told apart from the text itself', (_, before, next, joined) => {
  expect(joinPieces(before, next)).toBe(joined)
})

it('an overlap of any length that models write is found', () => {
  const text =
    'Apples cost 3.20 in the north (line 4) and 3.50 in the south (line 7), pears 2.10 in both; nothing else differs.'
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 90 }), fc.integer({ min: 8, max: 29 }), (cut, again) => {
      expect(joinPieces(text.slice(0, cut), text.slice(cut - again))).toBe(text)
    }),
  )
})

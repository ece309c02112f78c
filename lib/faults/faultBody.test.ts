/** The words of a refusal, as they leave the process. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { Fault, faultBody } from '.'

it('[R387] a refusal names what is from outside without hidden characters, in each language; its details are as they were', () => {
  const fault = new Fault('NOT_FOUND', { what: 'file', id: 'a\u202eb' })
  expect(faultBody(fault)).toMatchObject({ message: 'There is no file a[U+202E]b.', details: { id: 'a\u202eb' } })
  expect(faultBody(new Fault('NOT_A_MEMBER', { name: 'מיכל', task: '3' })).message).toBe(
    "\u2068מיכל\u2069 isn't in the task 3.",
  )
  fc.assert(
    fc.property(foreignText, fc.constantFrom(...LANGUAGES), (id, language) => {
      expect(signsIn(faultBody(new Fault('NOT_FOUND', { what: 'file', id }), language).message)).toEqual([])
    }),
    { numRuns: RUNS },
  )
})

it('[R387] a stored refusal keeps its words of then, unless they hide something', () => {
  const again = (message: string) =>
    faultBody(Fault.again({ code: 'NOT_FOUND', data: { what: 'file', id: 'a\u200b' }, message })).message
  expect(again('Words of then.')).toBe('Words of then.')
  expect(again('Words of a\u200b then.')).toBe('There is no file a[U+200B].')
})

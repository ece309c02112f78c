import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foreignText, RUNS } from '@/test/foreignText'
import { written } from '@/test/written'
import { say } from './say.mjs'

it('[R387] a script that runs before anything is installed shows at least those that a terminal obeys', () => {
  expect(written(() => say('a\u001b[2Jb\rc\r\n\u009bd\u202ee\tf'))).toBe(
    'a[U+001B][2Jb[U+000D]c\r\n[U+009B]d[U+202E]e\tf\n',
  )
  fc.assert(
    fc.property(foreignText, (text) => {
      expect(written(() => say(text))).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
    { numRuns: RUNS },
  )
})

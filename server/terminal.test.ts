/** What the server and the programs beside it say on a terminal. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { written } from '@/test/written'
import { print, printStarted, printTrouble } from './terminal'

it('[R387] a program shows hidden characters of names, paths and reasons as codes', () => {
  expect(written(() => print('tool \u001b[31mred\u009b2J', 'two\tcolumns'))).toBe(
    'tool [U+001B][31mred[U+009B]2J\ntwo\tcolumns\n',
  )
  const started = { isRehearsal: false, recovered: 0, workspace: '/w\u202e', data: '/d', log: '/l' }
  const said = written(() => printStarted({ ...started, url: 'x', link: { name: 'A\u001b]0;x\u0007', url: 'y' } }))
  expect(said).toContain('Sign in as A[U+001B]]0;x[U+0007] (one use')
  fc.assert(
    fc.property(foreignText, (text) => {
      for (const way of [print, printTrouble]) expect(signsIn(written(() => way(`name ${text}`)))).toEqual([])
    }),
    { numRuns: RUNS },
  )
})

/** What reaches a terminal: no control character from outside, by whichever way. */
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { codeFiles, isTestFile } from '@/scripts/checks/sources.mjs'
import { say } from '@/scripts/lib/say.mjs'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { print, printStarted, printTrouble } from './terminal'

function written(work: () => void): string {
  let text = ''
  const add = (piece: string | Uint8Array): boolean => {
    text += String(piece)
    return true
  }
  const ways = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  for (const way of ways) way.mockImplementation(add)
  try {
    work()
  } finally {
    for (const way of ways) way.mockRestore()
  }
  return text
}

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

it('[R387] no other file of the server and of the scripts writes to the terminal', () => {
  const WAYS: Record<string, string> = {
    'server/terminal.ts': 'the way of programs',
    'scripts/lib/say.mjs': 'the way of scripts without dependencies',
    'scripts/lib/lines.mjs': 'questions of ours, and what is typed',
    'scripts/lib/requireNode.mjs': 'runs on any Node; its words are ours',
  }
  const writers = codeFiles().filter(
    ({ path, text }) =>
      /^(server|scripts|lib|eval)\//.test(path) &&
      !isTestFile(path) &&
      /\bprocess\.std(out|err)\.write\b|\bconsole\.\w+\(/.test(text),
  )
  expect(writers.map(({ path }) => path).sort()).toEqual(Object.keys(WAYS).sort())
})

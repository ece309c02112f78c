/** The list of docs/mutants.md names files and expressions that are there, each with a reason. */
import { expect, it } from 'vitest'
import { listed, outdated, rowsFor } from '@/test/mutants/list.mjs'

it('each fault that is listed as unnoticed stands in its file, and has a reason', () => {
  expect(listed().length).toBeGreaterThan(10)
  expect(outdated()).toEqual([])
  expect(listed().filter(({ reason }) => reason === '')).toEqual([])
})

it('a row of the list holds any expression, and is found again in the text as it is written', () => {
  const survivors = [
    { file: 'lib/a.ts', expression: 'a || `b`', replacement: 'a && `b`' },
    { file: 'lib/a.ts', expression: 'a || `b`', replacement: 'false' },
    { file: 'server/b.ts', expression: 'n < 1', replacement: 'n <= 1' },
  ]
  const rows = listed(rowsFor(survivors).join('\n'))
  expect(rows).toEqual([
    { file: 'lib/a.ts', expression: 'a || `b`', replacements: ['a && `b`', 'false'], reason: '' },
    { file: 'server/b.ts', expression: 'n < 1', replacements: ['n <= 1'], reason: '' },
  ])
  expect(outdated(rows, () => 'if (a ||\n  `b`) x(n < 1)')).toEqual([])
  expect(outdated(rows, () => 'n < 1')).toEqual(['lib/a.ts does not hold: a || `b`'])
})

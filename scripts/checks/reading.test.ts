import { describe, expect, test } from 'vitest'
import { check as checkContracts } from './contracts.mjs'
import { check as checkExportNames } from './exportNames.mjs'
import { check as checkTestNames } from './testNames.mjs'

const file = (path: string, text: string) => ({ path, text })

describe('[R204] how the code reads', () => {
  test('a name that two files export needs a reason, and a reason needs such a name', () => {
    const files = [file('lib/a.ts', 'export const both = 1'), file('server/b.ts', 'export type both = 1')]
    expect(checkExportNames(files, {})).toEqual(['both is exported by lib/a.ts and server/b.ts'])
    expect(checkExportNames(files, { both: 'for a reason' })).toEqual([])
    expect(checkExportNames(files.slice(1), { both: 'for a reason' })).toHaveLength(1)
  })

  test('the comment of a function that calls a throwing one must say so too', () => {
    const may = file('lib/mas/commands/a.ts', '/** Throws NOT_FOUND. */\nexport function find(): void {}\n')
    const caller = (comment: string) =>
      file('lib/mas/commands/b.ts', `import { find } from './a'\n${comment}\nexport const end = (): void => find()\n`)
    expect(checkContracts([may, caller('/** Ends it. */')])).toEqual([
      'lib/mas/commands/b.ts:3 exports end, whose comment does not say that it throws what find throws',
    ])
    expect(checkContracts([may, caller('/** Ends it. Throws NOT_FOUND. */')])).toEqual([])
  })

  test('the name of a test has three words behind its ids, however the test is written', () => {
    const text = `it('[S1] sends', () => {})
it.each([[1]])('T-34 takes %s', () => {})
it('[S1, S2] T-34 each one is told', () => {})
describe.each([
  [1],
])('%s', () => {})
test('收到后回复发送者', () => {})`
    expect(checkTestNames([file('lib/a.test.ts', text), file('lib/a.ts', "it('sends', 1)")])).toEqual([
      'lib/a.test.ts:1 “[S1] sends” is no sentence',
      'lib/a.test.ts:2 “T-34 takes %s” is no sentence',
    ])
  })
})

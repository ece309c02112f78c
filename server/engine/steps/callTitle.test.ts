import { expect, it } from 'vitest'
import { saySaid } from '@/lib/mas/said'
import { callTitle } from './callTitle'

const WRITES = { title: 'Write File', idempotent: true }
const ARGUMENTS = { path: './customers.md', content: 'x'.repeat(1_398) }

/** The title in both languages. in: bytes: of the file there is; null: none */
async function titleOf(info: typeof WRITES | object, args: Record<string, string>, bytes: number | null | 'elsewhere') {
  const found = bytes === 'elsewhere' ? null : { path: args.path?.replace(/^\.\//, '') ?? '', bytes }
  const title = await callTitle({ idempotent: false, ...info }, args, async () => found)
  return title && [saySaid('en', title), saySaid('zh', title)]
}

it('[R745] an approval of a whole file says which, whether it is new, and its size, in the language of its reader', async () => {
  expect(await titleOf(WRITES, ARGUMENTS, null)).toEqual([
    'Write customers.md, new file, 1.4 kB',
    '写入 customers.md，新文件，1.4 kB',
  ])
  expect(await titleOf(WRITES, ARGUMENTS, 1_100)).toEqual([
    'Write customers.md, changed, 1.1 kB → 1.4 kB',
    '写入 customers.md，有改动，1.1 kB → 1.4 kB',
  ])
  expect((await titleOf(WRITES, ARGUMENTS, 1_402))?.[0]).toBe('Write customers.md, changed, 1.4 kB')
  // Bytes, not characters.
  expect((await titleOf(WRITES, { path: 'a.md', content: '价格' }, null))?.[0]).toBe('Write a.md, new file, 6 B')
})

it('[R745] a long path keeps its end', async () => {
  const path = `${'deep/'.repeat(30)}report.md`
  expect((await titleOf(WRITES, { ...ARGUMENTS, path }, null))?.[0]).toMatch(
    /^Write ….{110}report\.md, new file, 1\.4 kB$/,
  )
})

it('[R745] any other call is named by the title of its tool and its most telling argument; a tool without a title by neither', async () => {
  expect(await titleOf({ title: 'Move File' }, { source: 'a.md', destination: 'b.md' }, null)).toEqual([
    'Move File: a.md',
    'Move File：a.md',
  ])
  expect((await titleOf({ title: 'Clear\nall' }, {}, null))?.[0]).toBe('Clear all')
  expect(await titleOf({}, { query: 'SELECT 1' }, null)).toBeNull()
})

it('[R745] says no size where the file is elsewhere, where more than it is named, and where the tool adds to it', async () => {
  const plain = 'Write File: ./customers.md'
  expect((await titleOf(WRITES, ARGUMENTS, 'elsewhere'))?.[0]).toBe(plain)
  expect((await titleOf(WRITES, { ...ARGUMENTS, branch: 'main' }, 10))?.[0]).toBe(plain)
  expect((await titleOf({ ...WRITES, idempotent: false }, ARGUMENTS, 10))?.[0]).toBe(plain)
})

/** The paths that a call names, in whatever way it writes them. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hiddenPathIn, pathsNamedIn } from './hiddenPaths'

test('[R95] a hidden path is found relative, absolute, through dots, a link or a URI, in a list, and not in a text', async () => {
  const root = await mkdtemp(join(tmpdir(), 'convene-hidden-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'inbox'))
  await writeFile(join(root, 'inbox/a.txt'), 'a')
  await symlink(join(root, 'inbox'), join(root, 'link'))
  const found = (args: unknown) => hiddenPathIn(root, args, (path) => path.startsWith('inbox/'))
  for (const path of [
    'inbox/a.txt',
    './x/../inbox//a.txt',
    join(root, 'inbox/a.txt'),
    'link/a.txt',
    `file://${join(root, 'inbox/a.txt')}`,
  ])
    expect(await found({ paths: ['b.txt', path] })).toBe('inbox/a.txt')
  for (const args of [
    { path: 'b.txt' },
    { path: '../inbox/a.txt' },
    { content: 'inbox/a.txt' },
    { edits: [{ newText: 'inbox/a.txt' }] },
    { n: 1 },
  ])
    expect(await found(args)).toBeNull()
})

test('paths that a call names are those below the root, each once, in any argument that holds no text', () => {
  const named = (args: unknown) => pathsNamedIn('/srv/ws', args)
  expect(
    named({ path: 'a.txt', paths: ['/srv/ws/b.txt', 'x/../a.txt'], source: { at: 'file:///srv/ws/c.txt' } }),
  ).toEqual(['a.txt', 'b.txt', 'c.txt'])
  const outside = ['/srv/ws2/a', '../a', '~', '~/a', 'file://host/a', 'a\0b', '', '.', '/srv/ws']
  expect(named({ paths: outside, content: 'a.txt', n: 1, none: null })).toEqual([])
  expect(named({ path: '~a' })).toEqual(['~a'])
})

test('a text of up to 4,096 characters may be a path, a longer one is none', () => {
  const length = (characters: number) => pathsNamedIn('/srv/ws', { path: 'p'.repeat(characters) }).length
  expect([length(4_096), length(4_097)]).toEqual([1, 0])
})

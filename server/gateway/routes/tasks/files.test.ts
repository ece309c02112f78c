/** Files of the workspace over HTTP: folders, contents, versions, and what nobody reaches by a path. */
import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { type EventShape, event } from '@/lib/mas/events'
import type { FileChange } from '@/lib/mas/records'
import { aboutFile, filesPage, knownFiles } from '@/lib/wire/http'
import { rowOf, workbook } from '@/test/documents'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const put = async (double: Double, path: string, text: string): Promise<void> => {
  await mkdir(join(double.workspace, path, '..'), { recursive: true })
  await writeFile(join(double.workspace, path), text)
}
const stateOf = (text: string) => {
  const { body, ref } = bodyOf(text)
  return { body, state: { sha: ref.sha, bytes: ref.bytes, kept: true } }
}
/** A step left these files so. */
const left = async (double: Double, changes: FileChange[], more: Partial<EventShape<'files.changed'>> = {}) =>
  double.engine.put([
    event('files.changed', {
      task: ID.prices,
      agent: ID.reader,
      step: ID.toolStep,
      thread: null,
      changes,
      more: 0,
      complete: true,
      keep: 20,
      ...more,
    }),
  ])
const open = () => openDouble({ fileServers: ['files'] })
const asked = (double: Double, path: string, cookie: string) =>
  fetch(`${double.url}/api/files/content?${new URLSearchParams({ path })}`, { headers: { cookie } })

describe('a folder of the workspace', () => {
  it('[R112] names its files and folders with size, time and who left them, without hidden files and links', async () => {
    const double = await open()
    const ana = await double.signIn('ana')
    await put(double, 'prices/a.csv', 'abc')
    await put(double, '.env', 'KEY=1')
    await symlink('/etc', join(double.workspace, 'etc'))
    const now = stateOf('abc').state
    await left(double, [{ path: 'prices/a.csv', change: 'made', before: null, now, shared: false }])
    const list = async (query: string) => {
      const { json } = await double.call('GET', `/api/files${query}`, { cookie: ana })
      return filesPage.parse(json)
    }
    const top = await list('')
    expect(top).toMatchObject({ root: double.workspace, folder: '', more: 0, isWhole: true })
    expect(top.entries.map(({ path, kind, by }) => [path, kind, by])).toEqual([['prices', 'folder', null]])
    const inside = await list('?folder=prices')
    expect(inside.entries).toMatchObject([
      { path: 'prices/a.csv', bytes: 3, by: { name: 'Reader', change: 'made', task: ID.prices, step: ID.toolStep } },
    ])
    expect((await list('?depth=3')).entries.map(({ path }) => path)).toEqual(['prices', 'prices/a.csv'])
  })

  it('[R903] is searched at any depth by words of the paths below it, as far as the caller may see them', async () => {
    const double = await open()
    const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
    for (const path of [
      'prices/north/East list.csv',
      'prices/east.md',
      'east.txt',
      '.east/hidden.txt',
      'inbox/x/east.txt',
    ])
      await put(double, path, '')
    const find = async (cookie: string, query: Record<string, string>) => {
      const { json } = await double.call('GET', `/api/files?${new URLSearchParams(query)}`, { cookie })
      return filesPage.parse(json).entries.map(({ path }) => path)
    }
    expect(await find(ana, { find: 'EAST' })).toEqual(['east.txt', 'prices/east.md', 'prices/north/East list.csv'])
    expect(await find(ana, { find: 'list north' })).toEqual(['prices/north/East list.csv'])
    expect(await find(ana, { find: 'prices', folder: 'prices' })).toEqual([])
    expect(await find(ana, { find: 'north', folder: 'prices' })).toEqual(['prices/north', 'prices/north/East list.csv'])
    expect(await find(ben, { find: 'east' })).toEqual([])
  })

  it('[R112] holds 300 entries, and says how many more there are', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    const list = async () => filesPage.parse((await double.call('GET', '/api/files', { cookie })).json)
    for (let n = 0; n < 300; n++) await put(double, `${n}.txt`, '')
    const full = await list()
    expect([full.entries.length, full.more]).toEqual([300, 0])
    await put(double, 'more.txt', '')
    const over = await list()
    expect([over.entries.length, over.more]).toEqual([300, 1])
  })

  it('[R112] is empty for who holds no file tool, and does not say where the workspace lies', async () => {
    const double = await open()
    await put(double, 'prices/a.csv', 'abc')
    const { json } = await double.call('GET', '/api/files?depth=3', { cookie: await double.signIn('ben') })
    expect(json).toEqual({ root: 'workspace', folder: '', entries: [], more: 0, isWhole: true })
  })

  it('[R112] that leads elsewhere, up or nowhere is not found', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    await symlink('/etc', join(double.workspace, 'etc'))
    for (const folder of ['etc', '..', '../..', '/etc', 'nowhere', '.git', 'a//b', 'a/../..'])
      expect((await double.call('GET', `/api/files?${new URLSearchParams({ folder })}`, { cookie })).status).toBe(404)
  })
})

describe('the text of a document', () => {
  it('[R802] is that of a workbook; another file has none, and who may not see the file is told that there is none', async () => {
    const double = await open()
    const ana = await double.signIn('ana')
    await mkdir(join(double.workspace, 'inbox/x'), { recursive: true })
    const book = workbook({ Prices: rowOf(1, 'apple', '3.20') })
    await writeFile(join(double.workspace, 'prices.xlsx'), book)
    await writeFile(join(double.workspace, 'inbox/x/secret.xlsx'), book)
    await put(double, 'a.csv', 'abc')
    const ask = (path: string) =>
      double.call('GET', `/api/files/document?${new URLSearchParams({ path })}`, { cookie: ana })
    expect((await ask('prices.xlsx')).json).toMatchObject({
      kind: 'sheets',
      sheets: [{ name: 'Prices', rows: [['apple', '3.20']], left: 0 }],
    })
    expect((await ask('a.csv')).json).toMatchObject({ kind: 'none', why: 'broken' })
    for (const path of ['inbox/x/secret.xlsx', 'none.xlsx', '../prices.xlsx'])
      expect((await ask(path)).status).toBe(404)
  })
})

describe('the content of a file', () => {
  it('[R112] is saved by browsers and never shown as a page, under its own name', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    for (const name of ['a.html', '报告 "1".svg', "it's;x=\n.md", '%2e%2e.txt', '__proto__', '𝒳.txt']) {
      await put(double, name, `<script>${name}</script>`)
      const answer = await asked(double, name, cookie)
      expect([name, answer.status, await answer.text()]).toEqual([name, 200, `<script>${name}</script>`])
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      const disposition = answer.headers.get('content-disposition') ?? ''
      expect(disposition).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[^\s;]+$/)
      // A line break is no part of a name that a browser saves (R356).
      expect(decodeURIComponent(disposition.replace(/^.*''/, ''))).toBe(name.replace('\n', ''))
    }
  })

  it('[R112] comes whole, an empty and a large one too', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    await put(double, 'empty.txt', '')
    await put(double, 'large.bin', 'x'.repeat(30 * 1024 * 1024))
    const size = async (path: string) => (await (await asked(double, path, cookie)).arrayBuffer()).byteLength
    expect([await size('empty.txt'), await size('large.bin')]).toEqual([0, 30 * 1024 * 1024])
  })

  it('[R112] of a path that leads out, of a link, a hidden file, a folder or a pipe is not found', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    await put(double, '.env', 'KEY=1')
    await put(double, 'folder/a.txt', '')
    await writeFile(join(double.folder, 'outside.txt'), 'secret')
    await symlink(join(double.folder, 'outside.txt'), join(double.workspace, 'link.txt'))
    await symlink(double.folder, join(double.workspace, 'up'))
    execFileSync('mkfifo', [join(double.workspace, 'pipe')])
    const paths = [
      ...['../outside.txt', 'folder/../../outside.txt', '/etc/passwd', 'link.txt', 'up/outside.txt', '.env', 'folder'],
      ...['pipe', 'none.txt', 'a\0b', '..', './../outside.txt', 'x'.repeat(4_097), '~/.profile', '%2e%2e/outside.txt'],
    ]
    for (const path of paths) {
      const { status } = await asked(double, path, cookie)
      expect([path.slice(0, 40), status]).toEqual([path.slice(0, 40), path.length > 4_096 ? 400 : 404])
    }
  })

  it('[R112] is not found by who may not see it, with the words for one that does not exist', async () => {
    const double = await open()
    await put(double, 'report.md', 'text')
    const ben = await double.signIn('ben')
    const words = async (path: string) => (await (await asked(double, path, ben)).json()).message.replaceAll(path, '')
    expect(await words('report.md')).toBe(await words('none.md'))
    const about = (path: string) => double.call('GET', `/api/files/about?path=${path}`, { cookie: ben })
    expect([(await about('report.md')).status, (await about('none.md')).status]).toEqual([404, 404])
  })

  it('[R112] below inbox/ in a folder of its own shows the way to it, to those who may see it', async () => {
    const double = await open()
    const [ben, dev] = [await double.signIn('ben'), await double.signIn('dev')]
    const path = 'inbox/2026-11-21-9/out/report.md'
    await put(double, path, 'abc')
    await put(double, 'inbox/2026-11-21-9/secret/other.md', 'abc')
    const change = { path, change: 'made', before: null, now: stateOf('abc').state, shared: false } as const
    await left(double, [change])
    const pathsIn = async (cookie: string, folder: string) => {
      const { json } = await double.call('GET', `/api/files?folder=${encodeURIComponent(folder)}`, { cookie })
      return filesPage.parse(json).entries.map((entry) => entry.path)
    }
    for (const cookie of [ben, dev]) {
      expect(await pathsIn(cookie, 'inbox/2026-11-21-9')).toEqual(['inbox/2026-11-21-9/out'])
      expect(await pathsIn(cookie, 'inbox/2026-11-21-9/secret')).toEqual([])
    }
  })

  it('[R112] below inbox/ is for members of the task whose step wrote it', async () => {
    const double = await open()
    await put(double, 'inbox/1/out.md', 'text')
    const ben = await double.signIn('ben')
    expect((await asked(double, 'inbox/1/out.md', ben)).status).toBe(404)
    const change: FileChange = {
      path: 'inbox/1/out.md',
      change: 'made',
      before: null,
      now: stateOf('text').state,
      shared: false,
    }
    await left(double, [change], { task: ID.secret, step: ID.secretStep })
    expect((await asked(double, 'inbox/1/out.md', ben)).status).toBe(404)
    await left(double, [change])
    expect((await asked(double, 'inbox/1/out.md', ben)).status).toBe(200)
    const { json } = await double.call('GET', '/api/files', { cookie: ben })
    expect(filesPage.parse(json).entries.map(({ path }) => path)).toEqual(['inbox'])
  })
})

describe('versions of a file', () => {
  const [one, two] = [stateOf('one'), stateOf('two')]
  const change = (changed: Partial<FileChange>): FileChange => ({
    path: 'a.md',
    change: 'changed',
    before: one.state,
    now: two.state,
    shared: false,
    ...changed,
  })
  const about = async (double: Double, cookie: string, path = 'a.md') =>
    aboutFile.parse((await double.call('GET', `/api/files/about?path=${path}`, { cookie })).json)

  it('[R112] come newest first, with who left them, in which step, and their content', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    for (const { body } of [one, two]) await double.store.bodies.put(body.bytes, body.mime)
    await put(double, 'a.md', 'two')
    await left(double, [change({ change: 'made', before: null, now: one.state })])
    await left(double, [change({ shared: true })])
    const { versions, now, isAsRecorded } = await about(double, cookie)
    expect([now?.bytes, isAsRecorded]).toEqual([3, true])
    expect(versions).toMatchObject([
      { change: 'changed', name: 'Reader', step: ID.toolStep, taskName: 'Prices', shared: true },
      { change: 'made', before: null, shared: false },
    ])
    const content = async (seq: number | undefined, more = '') =>
      (await fetch(`${double.url}/api/files/content?path=a.md&version=${seq}${more}`, { headers: { cookie } })).text()
    expect(await content(versions[0]?.seq)).toBe('two')
    expect(await content(versions[0]?.seq, '&before=yes')).toBe('one')
    expect(await content(versions[1]?.seq)).toBe('one')
  })

  it('[R112] stay when the file is gone, and say when it was changed beside them', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    await left(double, [change({})])
    expect(await about(double, cookie)).toMatchObject({ now: null, isAsRecorded: false })
    await put(double, 'a.md', 'six')
    expect(await about(double, cookie)).toMatchObject({ now: { bytes: 3 }, isAsRecorded: false })
    await left(double, [change({ change: 'removed', before: two.state, now: null })])
    expect((await about(double, cookie)).isAsRecorded).toBe(false)
    await put(double, 'b.md', 'by hand')
    expect(await about(double, cookie, 'b.md')).toMatchObject({ isAsRecorded: null, versions: [] })
  })

  it('[R112] whose content is not kept, or that there are none of, are not found', async () => {
    const double = await open()
    const cookie = await double.signIn('ana')
    await put(double, 'a.md', 'two')
    await left(double, [change({ now: { ...two.state, kept: false } })])
    const seq = (await about(double, cookie)).versions[0]?.seq
    for (const version of [seq, 999_999, 'x', -1]) {
      const { status } = await fetch(`${double.url}/api/files/content?path=a.md&version=${version}`, {
        headers: { cookie },
      })
      expect([version, status]).toEqual([version, typeof version === 'number' && version > 0 ? 404 : 400])
    }
  })

  it('[R112] do not name a task and a step that their reader may not read', async () => {
    const double = await open()
    await put(double, 'inbox/1/a.md', 'two')
    await left(double, [change({ path: 'inbox/1/a.md' })])
    await left(double, [change({ path: 'inbox/1/a.md' })], { task: ID.secret, step: ID.secretStep })
    const { versions } = await about(double, await double.signIn('ben'), 'inbox/1/a.md')
    expect(versions.map(({ task, taskName, step }) => [task, taskName, step])).toEqual([
      [null, null, null],
      [ID.prices, 'Prices', ID.toolStep],
    ])
  })
})

it('[R112] of texts that could be paths those of files that the caller may see are known', async () => {
  const double = await open()
  await put(double, 'a.md', '')
  await put(double, 'folder/b.md', '')
  await left(double, [{ path: 'gone.md', change: 'removed', before: null, now: null, shared: false }])
  const paths = ['a.md', 'folder/b.md', 'folder', 'none.md', '../a.md', '', 'gone.md', './a.md', 'a.md'].join('\n')
  const known = async (id: string) => {
    const cookie = await double.signIn(id)
    return knownFiles.parse(
      (await double.call('GET', `/api/files/known?${new URLSearchParams({ paths })}`, { cookie })).json,
    )
  }
  expect(await known('ana')).toEqual({ paths: ['a.md', 'folder/b.md', 'gone.md'] })
  expect(await known('ben')).toEqual({ paths: [] })
})

it('[R112] of texts that could be paths the first 50 are looked at, each once', async () => {
  const double = await open()
  const cookie = await double.signIn('ana')
  const names = Array.from({ length: 51 }, (_, n) => `${n}.md`)
  await left(
    double,
    names.map((path) => ({ path, change: 'removed', before: null, now: null, shared: false })),
  )
  // The same text twice counts once.
  const paths = ['0.md', ...names].join('\n')
  const answer = await double.call('GET', `/api/files/known?${new URLSearchParams({ paths })}`, { cookie })
  expect(knownFiles.parse(answer.json)).toEqual({ paths: names.slice(0, 50) })
})

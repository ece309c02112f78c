/** The workspace: dropped files, the samples. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ensureSamples, safeName, saveDropped } from './workspace'

const DAY = '2026-11-23'
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-workspace-'))
  const made = root
  onTestFinished(() => rm(made, { recursive: true, force: true }))
})
const put = async (path: string, text = ''): Promise<void> => {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), text)
}
describe('dropped files', () => {
  it('each drop is saved in a folder of its own, and nothing is ever overwritten', async () => {
    const files = [
      { name: 'a.csv', text: 'first' },
      { name: 'A.CSV', text: 'second' },
      { name: 'a.csv', text: 'third' },
      { name: 'plain', text: 'no ending' },
      { name: 'plain', bytes: new Uint8Array([1]) },
    ]
    expect(await saveDropped(root, DAY, files)).toEqual(
      ['a.csv', 'A-2.CSV', 'a-3.csv', 'plain', 'plain-2'].map((name) => `inbox/${DAY}-1/${name}`),
    )
    expect(await readFile(join(root, `inbox/${DAY}-1/a-3.csv`), 'utf8')).toBe('third')
    expect(await saveDropped(root, DAY, [{ name: 'a.csv', text: 'new' }])).toEqual([`inbox/${DAY}-2/a.csv`])
    expect(await readFile(join(root, `inbox/${DAY}-1/a.csv`), 'utf8')).toBe('first')
  })

  it('files of one drop are saved together, also one by one; a taken name gets a number', async () => {
    const drop = { made: null }
    const one = await saveDropped(root, DAY, [{ name: 'a.csv', text: '1' }], drop)
    const two = await saveDropped(root, DAY, [{ name: 'a.csv', text: '2' }], drop)
    expect([...one, ...two]).toEqual([`inbox/${DAY}-1/a.csv`, `inbox/${DAY}-1/a-2.csv`])
  })

  it('a drop without files makes no folder', async () => {
    expect(await saveDropped(root, DAY, [])).toEqual([])
    expect(await readdir(root)).toEqual([])
  })

  it('dropped files are refused where the inbox leads out of the workspace', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'convene-outside-'))
    onTestFinished(() => rm(outside, { recursive: true, force: true }))
    await symlink(outside, join(root, 'inbox'))
    const saving = saveDropped(root, DAY, [{ name: 'a.csv', text: '1' }])
    await expect(saving).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    expect(await readdir(outside)).toEqual([])
  })

  it('saving dropped files can be tried again when their folder could not be made', async () => {
    const drop = { made: null }
    // The folder cannot be made: its name is too long.
    await expect(saveDropped(root, 'x'.repeat(300), [{ name: 'a', text: '' }], drop)).rejects.toThrow('ENAMETOOLONG')
    expect(drop.made).toBeNull()
  })
})

describe('the name of a dropped file', () => {
  it('a file name has at most 100 characters, and keeps a short ending', () => {
    expect(safeName('x'.repeat(100))).toBe('x'.repeat(100))
    expect(safeName('x'.repeat(101))).toBe('x'.repeat(100))
    expect(safeName(`${'x'.repeat(96)}.csv`)).toBe(`${'x'.repeat(96)}.csv`)
    expect(safeName(`${'x'.repeat(97)}.csv`)).toBe(`${'x'.repeat(96)}.csv`)
    // An emoji is two UTF-16 units and must not be cut in half.
    expect(safeName('😀'.repeat(60))).toBe('😀'.repeat(60))
  })

  it('a file name is never one that a system reserves', () => {
    expect(safeName('NUL')).toBe('_NUL')
    expect(safeName('com1.txt')).toBe('_com1.txt')
    expect(safeName('console.txt')).toBe('console.txt')
    expect(safeName('..')).toBe('file.txt')
  })
})

describe('the samples', () => {
  const samplesIn = async (folders: string[]): Promise<string> => {
    for (const folder of folders) await put(`samples/${folder}/a.csv`, folder)
    await put('samples/readme.txt')
    return join(root, 'samples')
  }

  it('the samples are copied once, the price lists first; existing files stay unchanged', async () => {
    const samples = await samplesIn(['notes', 'prices', 'zh/prices', '.git'])
    const workspace = join(root, 'work')
    expect(await ensureSamples(samples, workspace, 'en')).toEqual(['prices', 'notes'])
    expect((await readdir(workspace)).sort()).toEqual(['notes', 'prices'])
    await put('work/prices/a.csv', 'changed')
    await ensureSamples(samples, workspace, 'en')
    expect(await readFile(join(workspace, 'prices', 'a.csv'), 'utf8')).toBe('changed')
  })

  it('the samples are in the language of the team where there are such', async () => {
    const samples = await samplesIn(['prices', 'zh/prices'])
    await ensureSamples(samples, join(root, 'work'), 'zh')
    expect(await readFile(join(root, 'work', 'prices', 'a.csv'), 'utf8')).toBe('zh/prices')
  })

  it('without samples nothing is copied', async () => {
    expect(await ensureSamples(null, join(root, 'work'), 'en')).toEqual([])
    expect(await readdir(root)).toEqual([])
  })
})

/** Backups of a real data folder: whole, readable by its owner alone, damage named, and put back as it was. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startChild } from '@/test/sqlite/children'
import { batchItem, bodyOfBytes, noise, said } from '@/test/storeContract/harness'
import { openSqliteStore, type Store } from '../store'
import { BackupError, backUp, checkRestored, type Manifest, restore, verifyBackup } from '.'

const TRIALS = process.env.CONVENE_ALL ? 500 : 30
const ROUNDS = process.env.CONVENE_ALL ? 5 : 3

let root = ''
let data = ''
let copy = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-backup-'))
  data = join(root, 'data')
  copy = join(root, 'copy')
})
afterEach(() => rm(root, { recursive: true }))

const KEY_ROW = { person: 'system:notify', key: 'push-keys' }

const backUpNow = (more: Partial<Parameters<typeof backUp>[0]> = {}): Promise<Manifest> =>
  backUp({
    dataFolder: data,
    workspaceFolder: null,
    to: copy,
    keys: false,
    keyRows: [KEY_ROW],
    keyFolders: ['tool-sign-ins'],
    version: '0.1.0',
    now: () => 1_800_000_000_000,
    ...more,
  })

/** A journal of some decisions, one body that is a file, one row that is a key. */
async function fill(): Promise<{ large: string }> {
  const store = await openSqliteStore(data)
  const { epoch, seq } = await store.journal.take('north')
  const large = bodyOfBytes(noise(200_000, 7))
  const naming = [said('the list', { sha: large.sha })]
  await store.journal.append(epoch, seq, [
    batchItem('a', [said('one'), said('two')]),
    batchItem('b', naming, { bodies: [large] }),
  ])
  await store.people.put(KEY_ROW.person, KEY_ROW.key, { privateKey: 'PRIVATEWORD' }, null)
  await store.people.put('ana', 'draft:x', { text: 'half a sentence' }, null)
  await store.close()
  await mkdir(join(data, 'tool-sign-ins'))
  await writeFile(join(data, 'tool-sign-ins', 'search.json'), '{"token":"TOKENWORD"}')
  return { large: large.sha }
}

const withStore = async <T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openSqliteStore(folder)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const textOfAll = async (folder: string): Promise<string> => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
  return texts.join('\n')
}

describe('a backup', () => {
  it('[R90] holds the journal, its bodies and the drafts of people, and is put back as it was', async () => {
    const { large } = await fill()
    const before = await withStore(data, async (store) => store.journal.read(0, 100))
    const manifest = await backUpNow()
    expect(manifest).toMatchObject({ head: before.length, bodyFiles: 1, keys: false, workspace: false })
    await restore({ from: copy, dataFolder: join(root, 'again'), workspaceFolder: null })
    await withStore(join(root, 'again'), async (store) => {
      expect(await store.journal.read(0, 100)).toEqual(before)
      expect((await store.bodies.get(large))?.bytes.length).toBe(200_000)
      expect((await store.people.get('ana', 'draft:x'))?.value).toEqual({ text: 'half a sentence' })
    })
  })

  it('[R90] is made while another process appends, and holds whole decisions up to one entry', {
    timeout: 90_000,
  }, async () => {
    const child = startChild('append', data, 'r0')
    await child.said((line) => line.startsWith('ACK'))
    const manifests: Manifest[] = []
    for (let round = 0; round < ROUNDS; round++) manifests.push(await backUpNow({ to: `${copy}${round}` }))
    child.process.kill('SIGKILL')
    await child.ended
    for (const [round, manifest] of manifests.entries()) {
      const target = join(root, `again${round}`)
      await restore({ from: `${copy}${round}`, dataFolder: target, workspaceFolder: null })
      await withStore(target, async (store) => {
        expect((await store.journal.head()).seq).toBe(manifest.head)
        const entries = await store.journal.read(0, 100_000)
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, n) => n + 1))
        for (const { event } of entries)
          if (typeof event.sha === 'string') expect(await store.bodies.get(event.sha), event.sha).not.toBeNull()
      })
    }
    expect(manifests.map(({ head }) => head)).toEqual(manifests.map(({ head }) => head).sort((a, b) => a - b))
  })

  it('[R90] holds keys and tokens only when they are asked for', async () => {
    await fill()
    await backUpNow()
    expect(await textOfAll(copy)).not.toMatch(/PRIVATEWORD|TOKENWORD/)
    expect((await backUpNow({ to: `${copy}-keys`, keys: true })).keys).toBe(true)
    const text = await textOfAll(`${copy}-keys`)
    expect(text).toContain('PRIVATEWORD')
    expect(text).toContain('TOKENWORD')
  })

  it('[R90] holds the files of the workspace when they are asked for, and follows no link out of it', async () => {
    await fill()
    const workspace = join(root, 'workspace')
    await mkdir(join(workspace, 'prices'), { recursive: true })
    await writeFile(join(workspace, 'prices', 'a.csv'), 'apple,1')
    await symlink('/etc/hostname', join(workspace, 'link'))
    await backUpNow({ workspaceFolder: workspace })
    const target = join(root, 'workspace-again')
    await restore({ from: copy, dataFolder: join(root, 'again'), workspaceFolder: target })
    expect(await readdir(target, { recursive: true })).toEqual(['prices', join('prices', 'a.csv')])
    expect(await readFile(join(target, 'prices', 'a.csv'), 'utf8')).toBe('apple,1')
  })

  it('[R90] can be read by its owner alone', async () => {
    await fill()
    await backUpNow()
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      expect((mode & 0o777).toString(8), entry.name).toBe(entry.isDirectory() ? '700' : '600')
    }
  })

  it('is refused where nothing is to be backed up, and into a folder that holds something', async () => {
    await expect(backUpNow()).rejects.toThrow(/nothing to back up/)
    await fill()
    await mkdir(copy)
    await writeFile(join(copy, 'mine.txt'), 'mine')
    await expect(backUpNow()).rejects.toThrow(/is not empty/)
    expect(await readdir(copy)).toEqual(['mine.txt'])
  })
})

describe('a restore', () => {
  it('[R91] one changed byte anywhere in a backup is named, and nothing is restored', async () => {
    await fill()
    const { files } = await backUpNow()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        async ({ path }, part, flip) => {
          const file = join(copy, path)
          const bytes = await readFile(file)
          const at = Math.floor(part * bytes.length)
          const changed = Buffer.from(bytes)
          changed[at] = (changed[at] ?? 0) ^ flip
          await writeFile(file, changed)
          await expect(verifyBackup(copy)).rejects.toThrow(`${path} was changed`)
          await writeFile(file, bytes)
        },
      ),
      { numRuns: TRIALS },
    )
    await expect(verifyBackup(copy)).resolves.toMatchObject({ format: 1 })
  })

  it('[R92] a backup of a damaged journal is named by its check, although its files are as they were copied', async () => {
    await fill()
    const changeEvent = new Database(join(data, 'convene.db'))
    changeEvent.exec("update entry set event = json_set(event, '$.v', 2) where seq = 2")
    changeEvent.close()
    await backUpNow()
    const manifest = await restore({ from: copy, dataFolder: join(root, 'again'), workspaceFolder: null })
    await withStore(join(root, 'again'), (store) =>
      expect(checkRestored(store, manifest)).rejects.toThrow(
        /damaged before it was copied:\n {2}convene\.db is damaged at decision 3, entry \d: its hash is another one\nUse an earlier backup\./,
      ),
    )
  })

  it('[R91] a file that is missing, cut or does not belong there is named', async () => {
    const { large } = await fill()
    await backUpNow()
    const body = join(copy, 'data', 'bodies', large.slice(0, 2), large)
    const bytes = await readFile(body)
    await writeFile(body, bytes.subarray(0, 10))
    await expect(verifyBackup(copy)).rejects.toThrow(/has 10 bytes instead of/)
    await rm(body)
    await expect(verifyBackup(copy)).rejects.toThrow(/is missing/)
    await writeFile(body, bytes)
    await writeFile(join(copy, 'data', 'other'), '')
    await expect(verifyBackup(copy)).rejects.toThrow(/data\/other does not belong/)
    await rm(join(copy, 'data', 'other'))
    await writeFile(join(copy, 'manifest.json'), '{"format":2}')
    await expect(verifyBackup(copy)).rejects.toThrow(/manifest.json is damaged/)
    await rm(join(copy, 'manifest.json'))
    await expect(verifyBackup(copy)).rejects.toThrow(/holds no manifest.json/)
  })

  it('[R91] never writes into a folder that holds something', async () => {
    await fill()
    await backUpNow()
    await expect(restore({ from: copy, dataFolder: data, workspaceFolder: null })).rejects.toThrow(BackupError)
    const workspace = join(root, 'workspace')
    await expect(restore({ from: copy, dataFolder: join(root, 'again'), workspaceFolder: workspace })).rejects.toThrow(
      /holds no workspace/,
    )
  })
})

/** What promises to read a data folder changes no byte of it. */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { backUp, verifyBackup } from '@/server/backup'
import { leaveLog, stateOf } from '@/test/sqlite/leftLog'
import { StoreLockedError } from '../errors'
import { lookAside } from './bodies/aside'
import { openForReading } from './database/openForReading'
import { sqliteSource } from './moved'
import { openSqliteStore } from './openSqliteStore'
import { verifyFolder } from './repair/verifyFolder'

let root = ''
let name = 'data'
const data = () => join(root, name)
beforeEach(async () => {
  name = 'data'
  root = await mkdtemp(join(tmpdir(), 'convene-reading-'))
})
afterEach(() => rm(root, { recursive: true }))

const READERS: Record<string, () => Promise<unknown>> = {
  'doctor --verify': () => verifyFolder(data()),
  doctor: async () => lookAside(data()),
  backup: () =>
    backUp({
      dataFolder: data(),
      workspaceFolder: null,
      to: join(root, 'backup'),
      keys: true,
      keyRows: [],
      keyFolders: ['keys'],
      version: '1',
      now: () => 0,
    }),
  'restore --check': () => verifyBackup(join(root, 'backup')),
  move: async () => {
    const source = await sqliteSource(data())
    const { journal, snapshots, whole } = source
    for await (const _ of whole.decisions(0));
    await journal.read(0, 1_000)
    await snapshots.list()
    await source.close()
  },
}

for (const left of ['a log', 'no log', 'no lock'])
  it(`[R372] every command that reads leaves a folder with ${left} as it was, byte for byte`, async () => {
    const { head } = await leaveLog(data(), 8)
    if (left !== 'a log') {
      await (await openSqliteStore(data())).close()
      // SQLite removes its empty log when the last statement of the closed store is collected: in the copy nobody does.
      cpSync(data(), join(root, 'copy'), { recursive: true, preserveTimestamps: true })
      name = 'copy'
    }
    if (left === 'no lock') rmSync(join(data(), 'convene.lock'))
    if (left === 'a log') expect(readFileSync(join(data(), 'convene.db-wal')).length).toBeGreaterThan(100_000)
    const before = stateOf(data())
    for (const [reader, read] of Object.entries(READERS)) {
      await read()
      // A backup leaves word of where it ended.
      const now = stateOf(data()).filter((line) => !line.startsWith('convene.backed-up.json '))
      expect(now, reader).toEqual(before)
    }
    const { decisions, damage } = await verifyFolder(data())
    expect(damage).toEqual([])
    expect(decisions).toBe(head / 2 + 0.5)
  })

it('[R372] a reader keeps a start out, and is kept out by one that runs', async () => {
  await leaveLog(data(), 2)
  const { connection } = openForReading(data())
  await expect(openSqliteStore(data())).rejects.toThrow(StoreLockedError)
  connection.close()
  const store = await openSqliteStore(data())
  expect(() => openForReading(data())).toThrow(/is in use by process/)
  await store.close()
})

it('[R372] a copy that a reader made is gone when it ends, also after a failure', async () => {
  await leaveLog(data(), 2)
  const { connection } = openForReading(data())
  const [{ file = '' } = {}] = connection.query<{ file: string }>('pragma database_list').all()
  expect(file).not.toContain(root)
  expect(existsSync(file)).toBe(true)
  connection.close()
  expect(existsSync(file)).toBe(false)
})

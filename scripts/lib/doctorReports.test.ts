/** `npm run doctor -- --verify`: what it finds, says and refuses. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'libsql'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { openSqliteStore } from '@/server/store'
import { builtProgram } from '@/test/programs'
import { verifyReport } from './doctorReports'

const run = promisify(execFile)
let program = ''
beforeAll(async () => {
  program = await builtProgram('scripts/doctor.ts')
}, 60_000)
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-doctor-'))
})
afterEach(() => rm(folder, { recursive: true }))

const doctor = (...args: string[]) =>
  run(process.execPath, [program, ...args], { env: { ...process.env, CONVENE_DATA: join(folder, 'data') } })

it('[R164] the doctor names a changed event and the remedy', {
  timeout: 90_000,
}, async () => {
  const store = await openSqliteStore(join(folder, 'data'))
  const { epoch, seq } = await store.journal.take('north')
  const event = { type: 'task.started', v: 1, task: 't1' }
  await store.journal.append(epoch, seq, [
    { id: 'one', by: 'ana', events: [event] },
    { id: 'two', by: 'ana', events: [event, event] },
    { id: 'three', by: 'ana', events: [event] },
  ])
  await store.close()
  const db = new Database(join(folder, 'data', 'convene.db'))
  db.exec("update entry set event = replace(event, 't1', 't2') where seq = 3")
  db.close()

  const found = await doctor('--verify').catch((error: unknown) => error)
  expect(found).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${join(folder, 'data')} is not what was written`),
  })
  expect(found).toMatchObject({
    stdout: expect.stringContaining('convene.db is damaged at decision 4, entry 3: its hash is another one'),
  })
  expect(found).toMatchObject({ stdout: expect.stringContaining('npm run restore -- <folder>') })
})

it('[R164] the doctor says that a folder is whole, and refuses one that a process uses', {
  timeout: 90_000,
}, async () => {
  const store = await openSqliteStore(join(folder, 'data'))
  await store.journal.take('north')
  await expect(doctor('--verify')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use by process'),
  })
  await store.close()
  const { stdout } = await doctor('--verify')
  expect(stdout).toMatch(/^The journal in .* is whole: 1 decisions with 1 entries/)
})

it('says in both languages where a folder is damaged, up to 20 places', () => {
  const one = { file: 'convene.db', decision: 4, entry: 3, why: 'it is missing' }
  const found = { decisions: 9, entries: 9, bodies: 0, damage: Array.from({ length: 23 }, () => one) }
  const said = verifyReport(found, '/data', 'en')
  expect(said).toHaveLength(23)
  expect(said.slice(0, 2)).toEqual([
    'The data in /data is not what was written, in 23 places:',
    '  convene.db is damaged at decision 4, entry 3: it is missing',
  ])
  expect(said.slice(-2)[0]).toBe('  and 3 more')
  expect(verifyReport({ ...found, damage: [one] }, '/data', 'zh')).toHaveLength(3)
})

/** `npm run doctor -- --salvage <folder>`: what it saves, says and refuses. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStore } from '@/server/store'
import { salvageReport } from './salvageReport'

const run = promisify(execFile)
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-doctor-'))
})
afterEach(() => rm(folder, { recursive: true }))

const doctor = (...args: string[]) =>
  run(process.execPath, ['--import', 'tsx', 'scripts/doctor.ts', ...args], {
    env: { ...process.env, CONVENE_DATA: join(folder, 'data') },
  })

it('[R86] the doctor saves what is whole into an empty folder, and says which entries are lost', async () => {
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

  const { stdout } = await doctor('--salvage', join(folder, 'saved'))
  expect(stdout).toContain('3 decisions with 3 entries')
  expect(stdout).toContain('Entries 3 to 4 are lost')
  expect(stdout).toContain(`CONVENE_DATA=${join(folder, 'saved')}`)
  const saved = await openSqliteStore(join(folder, 'saved'))
  expect((await saved.journal.read(0, 10)).map((entry) => entry.event.type)).toEqual([
    'sequencer.took',
    'task.started',
    'journal.damaged',
    'journal.damaged',
    'task.started',
  ])
  await saved.close()
})

it('[R86] the doctor refuses a folder that is not empty, and asks for one where none is named', async () => {
  await (await openSqliteStore(join(folder, 'data'))).close()
  await expect(doctor('--salvage', join(folder, 'data'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty'),
  })
  await expect(doctor('--salvage')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--salvage <empty folder>'),
  })
})

it('says in both languages what is lost, and when it is nothing', () => {
  const saved = { decisions: 2, entries: 3, bodies: 1, lost: [], lostBodies: [], lostTables: [] }
  expect(salvageReport(saved, '/new', 'en')[1]).toBe('Nothing is lost.')
  const lost = { ...saved, lost: [{ from: 4, to: 4, why: 'gone' }], lostBodies: ['a', null], lostTables: ['link'] }
  expect(salvageReport(lost, '/new', 'en').slice(1, 5)).toEqual([
    'Entry 4 is lost: gone.',
    'One body is lost.',
    'More bodies may be lost: their table cannot be read to its end.',
    'Nothing of the table link could be read.',
  ])
  expect(salvageReport(lost, '/new', 'zh')).toHaveLength(6)
})

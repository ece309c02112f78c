/**
 * Data folders of every older form, made by the stores of those versions and read by them into expected.json: each opens as if
 * nothing had been. (No program ever wrote a folder of form 1 to 3 or 10: they came together with the next ones.)
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FIXTURES, putForm } from '@/test/sqlite/putForm'
import { batchItem } from '@/test/storeContract/harness'
import { sha256 } from '../../../shared/sha256'
import { StoreBrokenError } from '../../errors'
import type { CommandOutcome, JournalHead, StoredEntry } from '../../interfaces'
import { NEWEST, OLDEST, SCHEMAS } from '../database/schema'
import { openSqliteStore } from '../openSqliteStore'
import { verifyFolder } from '../repair/verifyFolder'

const FORMS = [4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
/** From this one on typed-in keys are kept. */
const FIRST_WITH_KEYS = 13
type Expected = {
  journal: string
  head: JournalHead
  entries: StoredEntry[]
  ofTask: number[]
  ofStep: number[]
  outcomes: Record<string, CommandOutcome | null>
  /** media types by sha */
  bodies: Record<string, string>
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-older-'))
})
afterEach(() => rm(folder, { recursive: true }))

const expected = async (): Promise<Expected> =>
  JSON.parse(gunzipSync(await readFile(join(FIXTURES, 'expected.json.gz'))).toString())

const versionOf = (name: string): number => {
  const db = new Database(join(folder, name))
  const { user_version } = db.prepare('pragma user_version').get() as { user_version: number }
  db.close()
  return user_version
}

for (const form of FORMS)
  it(`[S19] a data folder of form ${form} is read as that version read it, after a copy, and goes on`, async () => {
    await putForm(form, folder)
    const before = await expected()
    const store = await openSqliteStore(folder)
    const { journal, archive, bodies } = store
    expect(journal.id).toBe(before.journal)
    expect(await journal.head()).toEqual(before.head)
    expect(await journal.read(0, 10_000)).toEqual(before.entries)
    expect((await archive.entriesOf('task', 't1', 0, 1_000)).map(({ seq }) => seq)).toEqual(before.ofTask)
    expect((await archive.entriesOf('step', 's3')).map(({ seq }) => seq)).toEqual(before.ofStep)
    for (const [id, outcome] of Object.entries(before.outcomes)) {
      const by = before.entries.find(({ cause }) => cause === id)?.by ?? 'ana'
      expect(await journal.outcome(id, by)).toEqual(outcome)
    }
    for (const [sha, mime] of Object.entries(before.bodies)) {
      const kept = await bodies.get(sha)
      expect([sha256(kept?.bytes ?? ''), kept?.mime]).toEqual([sha, mime])
    }
    expect(await store.people.get('ana', 'draft')).toMatchObject({ value: { text: 'half' } })
    expect(await store.accounts.passwordHash('ana')).toBe('a hash')
    const sealed = form < FIRST_WITH_KEYS ? [] : [{ id: 'model:default', sealed: 'sealed', at: expect.any(Number) }]
    expect(await store.accounts.keys()).toEqual(sealed)
    expect((await store.snapshots.newest('world', 1))?.data).toEqual(new Uint8Array([1, 2, 3]))

    // What people did before sessions were recorded is found as theirs.
    const { acts } = await archive.acts({
      before: 1e9,
      look: 1e4,
      from: null,
      to: null,
      by: ['ana'],
      types: null,
      task: null,
    })
    const anas = before.entries.filter(({ by, cause }) => by === 'ana' && !cause.startsWith('take:'))
    expect(acts.map(({ seq, session }) => [seq, session])).toEqual(anas.map(({ seq }) => [seq, null]).toReversed())

    const { epoch, seq } = await journal.take('south')
    expect((await journal.append(epoch, seq, [batchItem('row')])).r).toBe('SORT')
    expect((await journal.append(epoch, seq, [batchItem('new')])).r).toBe('OK')
    expect(await bodies.forget(Object.keys(before.bodies), Date.now())).toBe(Object.keys(before.bodies).length)
    expect((await journal.read(0, 10_000)).slice(0, before.entries.length)).toEqual(before.entries)
    expect((await store.verify()).damage).toEqual([])
    await store.close()
    expect((await verifyFolder(folder)).damage).toEqual([])

    expect((await readdir(folder)).filter((name) => name.includes('before'))).toEqual([`convene.db.before-${form}`])
    expect(versionOf('convene.db')).toBe(NEWEST)
    expect(versionOf(`convene.db.before-${form}`)).toBe(form)
    if (process.platform !== 'win32')
      expect((await stat(join(folder, `convene.db.before-${form}`))).mode & 0o077).toBe(0)
  })

it('[S19] a conversion that fails half way leaves the older form, and the next start converts it', async () => {
  await putForm(9, folder)
  const db = new Database(join(folder, 'convene.db'))
  const { events } = db.prepare('select events from decision where last = 40').get() as { events: ArrayBuffer }
  db.prepare('update decision set events = ? where last = 40').run('no JSON')
  db.close()
  await expect(openSqliteStore(folder)).rejects.toThrow(StoreBrokenError)
  expect(versionOf('convene.db')).toBe(9)
  const again = new Database(join(folder, 'convene.db'))
  expect(
    again.prepare("select count(*) as n from sqlite_schema where name in ('entry', 'old_head')").get(),
  ).toMatchObject({ n: 0 })
  again.prepare('update decision set events = ? where last = 40').run([Buffer.from(events)])
  again.close()
  const store = await openSqliteStore(folder)
  expect(await store.journal.read(0, 10_000)).toEqual((await expected()).entries)
  await store.close()
})

it('[S19] a content of form 11 that is damaged stays as it is, and is named', async () => {
  await putForm(11, folder)
  const db = new Database(join(folder, 'convene.db'))
  const { last } = db.prepare('select min(last) as last from content where packed = 1').get() as { last: number }
  db.prepare("update content set data = x'00' where last = ?").run([last])
  db.close()
  const store = await openSqliteStore(folder)
  const { damage } = await store.verify({})
  expect(new Set(damage.map(({ decision, why }) => `${decision}: ${why}`))).toEqual(
    new Set([`${last}: its content is another one`]),
  )
  await store.close()
})

it('[S19] there is a fixture of every form that a folder of an earlier version can have', async () => {
  const forms = (await readdir(FIXTURES)).flatMap((name) => /^(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
  expect(forms.map(Number).sort((a, b) => a - b)).toEqual(FORMS)
  const earlier = SCHEMAS.map(({ version }) => version).filter((version) => version < NEWEST)
  expect(FORMS).toEqual(expect.arrayContaining(earlier))
  expect(earlier[0]).toBe(OLDEST)
})

it('[R520] the sessions of a folder of form 14 keep their address', async () => {
  await putForm(14, folder)
  const db = new Database(join(folder, 'convene.db'))
  db.exec(`insert into session values ('h1', 'id1', 'ana', 'Firefox', 5, 6, 9e15), ('h2', 'id2', 'ben', null, 7, 8, 9e15);
    insert into person_row values ('ana', 'session/id1', '{"address":"192.0.2.7","confirmedAt":null}', 1, null, 5),
      ('ben', 'session/id2', null, 2, null, 5)`)
  db.close()
  const store = await openSqliteStore(folder)
  const ben = { id: 'id2', person: 'ben', createdAt: 7 }
  expect(await store.accounts.originsOf(['id1', 'id2'])).toEqual([
    { id: 'id1', person: 'ana', agent: 'Firefox', address: '192.0.2.7', createdAt: 5 },
    ben,
  ])
  await store.close()
})

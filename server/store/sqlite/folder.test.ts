/** The data folder: who may use it, what breaks it, what lies in it. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bodyOf, decision, noise, said, textBody } from '../contract/harness'
import { StoreBrokenError, StoreClosedError, StoreLockedError, StoreTooNewError } from '../errors'
import { hash48 } from './hash48'
import { MIGRATIONS } from './migrations'
import { openSqliteStore } from './openSqliteStore'
import { startChild } from './testing/children'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))

const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => error,
  )

it('[S8] a second start hears which process holds the folder and since when', async () => {
  const before = Date.now()
  const child = startChild('hold', folder)
  await child.said((line) => line === 'READY')
  for (let attempt = 0; attempt < 2; attempt++) {
    const error = await refusalOf(openSqliteStore(folder))
    expect(error).toBeInstanceOf(StoreLockedError)
    if (!(error instanceof StoreLockedError)) return
    expect(error.holder).toMatchObject({ pid: child.process.pid, host: hostname() })
    expect(error.holder?.since).toBeGreaterThanOrEqual(before)
    expect(error.holder?.since).toBeLessThanOrEqual(Date.now())
    expect(error.message).toContain(`process ${child.process.pid}`)
  }
  child.process.kill('SIGKILL')
  await child.ended
})

it('[S8] a killed holder leaves no lock behind', async () => {
  const child = startChild('hold', folder)
  await child.said((line) => line === 'READY')
  child.process.kill('SIGKILL')
  await child.ended
  const store = await openSqliteStore(folder)
  expect((await store.journal.take('north')).epoch).toBe(1)
  await store.close()
})

it('[S8] within one process a folder opens once, and again after close', async () => {
  const store = await openSqliteStore(folder)
  const error = await refusalOf(openSqliteStore(folder))
  expect(error).toMatchObject({ name: 'StoreLockedError', holder: { pid: process.pid } })
  await store.close()
  await store.close()
  await expect(store.journal.take('north')).rejects.toThrow(StoreClosedError)
  await expect(store.bodies.put(new Uint8Array(1), 'text/plain')).rejects.toThrow(StoreClosedError)
  const again = await openSqliteStore(folder)
  expect(again.journal.id).toBe(store.journal.id)
  await again.close()
})

it('[S7] a later start finds all of it: entries, outcomes, bodies, rows, accounts, snapshots', async () => {
  const store = await openSqliteStore(folder)
  const bodies = [textBody('small'), bodyOf(noise(100_000, 5))]
  const { epoch, seq } = await store.journal.take('north')
  await store.journal.append(epoch, seq, [decision('c1', [said('one')], { bodies, reply: 7 })])
  await store.people.put('ana', 'k', 'v', null)
  await store.snapshots.save({ key: 'world', seq: 2, reducer: 1, at: 1, data: noise(9, 9) })
  const token = await store.accounts.startSession('ana', { expiresAt: Date.now() + 60_000 })
  const entries = await store.journal.read(0, 10)
  await store.close()

  const later = await openSqliteStore(folder)
  expect(await later.journal.read(0, 10)).toEqual(entries)
  expect(await later.journal.outcome('c1')).toMatchObject({ seq: 2, reply: 7 })
  for (const body of bodies) expect((await later.bodies.get(body.sha))?.bytes.length).toBe(body.bytes.length)
  expect(await later.people.get('ana', 'k')).toMatchObject({ value: 'v' })
  expect((await later.snapshots.newest('world', 1))?.data).toEqual(noise(9, 9))
  expect((await later.accounts.session(token))?.person).toBe('ana')
  await later.close()
})

it('[S9] a disk that is full breaks the store: the append says so, everything after it is refused, what was acknowledged stays', async () => {
  const child = startChild('append', folder, 'full', 1_500)
  await child.ended
  const failed = child.lines.findIndex((line) => line.startsWith('FAILED'))
  expect(child.lines[failed]).toContain('StoreBrokenError')
  expect(child.lines.slice(failed + 1)).toEqual(['THEN StoreBrokenError'])
  const acknowledged = child.lines.filter((line) => line.startsWith('ACK')).map((line) => line.split(' '))
  expect(acknowledged.length).toBeGreaterThan(20)

  const store = await openSqliteStore(folder)
  for (const [, id = '', last] of acknowledged) expect((await store.journal.outcome(id))?.seq).toBe(Number(last))
  const head = await store.journal.head()
  expect(await store.journal.take('north')).toEqual({ epoch: head.epoch + 1, seq: head.seq + 1 })
  await store.close()
})

it('[S9] a body whose file cannot be written breaks the store before its entry is there', async () => {
  const store = await openSqliteStore(folder)
  const { epoch, seq } = await store.journal.take('north')
  const body = bodyOf(noise(100_000, 1))
  await writeFile(join(folder, 'bodies', body.sha.slice(0, 2)), 'a file where the folder should be')
  const item = decision('c1', [said('one')], { bodies: [body] })
  await expect(store.journal.append(epoch, seq, [item])).rejects.toThrow(StoreBrokenError)
  await expect(store.journal.append(epoch, seq, [decision('c2')])).rejects.toThrow(StoreBrokenError)
  await expect(store.journal.head()).rejects.toThrow(StoreBrokenError)
  await expect(store.people.put('ana', 'k', 1, null)).rejects.toThrow(StoreBrokenError)
  await store.close()
  const later = await openSqliteStore(folder)
  expect((await later.journal.head()).seq).toBe(seq)
  await later.close()
})

it('data of a newer version is not touched', async () => {
  await (await openSqliteStore(folder)).close()
  const db = new Database(join(folder, 'convene.db'))
  db.exec('pragma user_version = 999')
  db.close()
  const error = await refusalOf(openSqliteStore(folder))
  expect(error).toBeInstanceOf(StoreTooNewError)
  expect(error).toMatchObject({ found: 999 })
  // The refusal lets go of the folder: the newer version can start now.
  expect(await refusalOf(openSqliteStore(folder))).toBeInstanceOf(StoreTooNewError)
})

it('a file that is no database is said to be broken, not replaced', async () => {
  await writeFile(join(folder, 'convene.db'), 'x'.repeat(5_000))
  await expect(openSqliteStore(folder)).rejects.toThrow(StoreBrokenError)
  expect((await readFile(join(folder, 'convene.db'))).length).toBe(5_000)
})

it('[S11] no token and no link is in the folder, only hashes', async () => {
  const store = await openSqliteStore(folder)
  const token = await store.accounts.startSession('ana', { expiresAt: Date.now() + 60_000 })
  const link = await store.accounts.makeLink('ben')
  await store.close()
  const files = (await readdir(folder)).filter((name) => name.startsWith('convene.db'))
  expect(files).toContain('convene.db')
  for (const name of files) {
    const bytes = await readFile(join(folder, name))
    expect(bytes.includes(token)).toBe(false)
    expect(bytes.includes(link)).toBe(false)
  }
})

it.skipIf(process.platform === 'win32')('only the owner may read the database', async () => {
  const store = await openSqliteStore(folder)
  await store.journal.take('north')
  for (const name of ['convene.db', 'convene.db-wal']) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  await store.close()
})

it('text bodies take less room than they have bytes, in rows and in files', async () => {
  const store = await openSqliteStore(folder)
  await store.bodies.put(textBody('a line of a log '.repeat(3_000)).bytes, 'text/plain')
  await store.bodies.put(textBody('a line of a long log '.repeat(30_000)).bytes, 'text/plain')
  expect((await store.bodies.sizes()).bodies).toBeLessThan(10_000)
  await store.close()
})

it('[S6] what a dead process left unfinished is cleared away at the next start', async () => {
  await mkdir(join(folder, 'bodies', 'ab'), { recursive: true })
  await writeFile(join(folder, 'bodies', 'ab', 'half.tmp'), 'half')
  const store = await openSqliteStore(folder)
  expect(await readdir(join(folder, 'bodies', 'ab'))).toEqual([])
  await store.close()
})

it('the hashes that the archive is indexed by are those already on disk', () => {
  expect(hash48('')).toBe(166_333_364_608_453)
  expect(hash48('0b6f2c1e-8d43-4c55-9a60-5d2b7f1e9c10')).toBe(130_866_157_120_633)
  const ids = Array.from({ length: 20_000 }, (_, i) => `s${i}`)
  expect(new Set(ids.map(hash48)).size).toBe(ids.length)
})

it('two tasks whose hashes are the same are still told apart', async () => {
  const store = await openSqliteStore(folder)
  const { epoch, seq } = await store.journal.take('north')
  for (const [n, task] of ['t2', 't1'].entries())
    await store.journal.append(epoch, seq + n, [decision(task, [said(task, { task, step: `${task}-step` })])])
  const db = new Database(join(folder, 'convene.db'))
  const confuse = db.prepare('insert into place values (?, ?)')
  for (const place of ['t1', 't1-step']) confuse.run(hash48(place), seq + 1)
  db.close()
  expect((await store.archive.entriesOfTask('t1', 0, 1)).map((entry) => entry.event.text)).toEqual(['t1'])
  expect((await store.archive.entriesOfStep('t1-step')).map((entry) => entry.event.text)).toEqual(['t1'])
  await store.close()
})

it('a folder whose journal held a row for each event is read on, with its outcomes and bodies', async () => {
  const db = new Database(join(folder, 'convene.db'))
  for (const sql of MIGRATIONS.slice(0, 4)) db.exec(sql)
  const body = textBody('kept')
  const entry = db.prepare('insert into journal values (?, ?, ?, ?, ?, ?, ?)')
  for (const [n, text] of ['one', 'two'].entries()) {
    const event = said(text, { task: 't1', step: `s${n}` })
    entry.run(n + 1, 5, 'ana', 'c1', hash48('t1'), hash48(`s${n}`), JSON.stringify(event))
  }
  db.prepare("insert into outcome values ('c1', 2, 5, null, null, '7')").run()
  db.prepare("insert into head values (1, 'j', 2, 5, 1, 10, 4)").run()
  db.prepare('insert into body values (?, ?, 4, 5, 0, 4, ?)').run(body.sha, body.mime, body.bytes)
  db.exec('pragma user_version = 4')
  db.close()

  const store = await openSqliteStore(folder)
  const { epoch, seq } = await store.journal.take('north')
  await store.journal.append(epoch, seq, [decision('c2', [said('three', { task: 't1' })], { bodies: [body] })])
  expect((await store.archive.entriesOfTask('t1', 0, 10)).map((one) => [one.seq, one.event.text])).toEqual([
    [1, 'one'],
    [2, 'two'],
    [4, 'three'],
  ])
  expect((await store.archive.entriesOfStep('s1')).map((one) => one.event.text)).toEqual(['two'])
  expect(await store.journal.outcome('c1')).toEqual({ id: 'c1', seq: 2, at: 5, reply: 7 })
  expect((await store.bodies.get(body.sha))?.bytes).toEqual(body.bytes)
  expect((await store.bodies.sizes()).bodies).toBe(4)
  await store.close()
})

it('a folder whose decisions and bodies had rows of their own is read on', async () => {
  const db = new Database(join(folder, 'convene.db'))
  for (const sql of MIGRATIONS.slice(0, 5)) db.exec(sql)
  const [whole, near] = [textBody('many words '.repeat(30)), textBody(`<answer>${'many words '.repeat(30)}</answer>`)]
  // As that version wrote it: one event of 240 characters.
  const packed = Buffer.from('AYtG+CkxE8MrJYYIHxQbIlyXn5eqMJKwUm0sAA==', 'base64')
  db.prepare('insert into decision values (1, 5, ?, ?, ?, null, ?, ?)').run('ana', 'c1', hash48('c1'), '7', packed)
  db.prepare("insert into head values (1, 'j', 1, 5, 1, 10, 4)").run()
  const insert = db.prepare('insert into body values (?, ?, ?, ?, 5, ?, ?, ?, ?)')
  const key = (sha: string) => [Number.parseInt(sha.slice(0, 12), 16), Buffer.from(sha, 'hex')] as const
  insert.run(...key(whole.sha), whole.mime, whole.bytes.length, 0, whole.bytes.length, null, Buffer.from(whole.bytes))
  const difference = deflateRawSync(near.bytes, { dictionary: whole.bytes })
  insert.run(...key(near.sha), near.mime, near.bytes.length, 1, difference.length, key(whole.sha)[1], difference)
  db.exec('pragma user_version = 5')
  db.close()

  const store = await openSqliteStore(folder)
  expect((await store.journal.read(0, 10)).map(({ seq, event }) => [seq, event.type, event.text])).toEqual([
    [1, 'said', 'one '.repeat(60)],
  ])
  for (const { sha, bytes } of [whole, near])
    expect(Buffer.compare((await store.bodies.get(sha))?.bytes ?? noise(1, 1), bytes)).toBe(0)
  const { epoch, seq } = await store.journal.take('north')
  await store.journal.append(epoch, seq, [decision('c2', [said('two')], { bodies: [near, textBody('new')] })])
  expect(await store.bodies.has(textBody('new').sha)).toBe(true)
  expect(await store.journal.outcome('c1')).toMatchObject({ seq: 1, reply: 7 })
  await store.close()
})

it('two small bodies whose hashes begin alike are told apart, and the second is kept', async () => {
  const store = await openSqliteStore(folder)
  const { epoch, seq } = await store.journal.take('north')
  const [first, second] = [textBody('first'), textBody('second')]
  await store.journal.append(epoch, seq, [decision('c1', [said('one')], { bodies: [first] })])
  const db = new Database(join(folder, 'convene.db'))
  db.prepare('insert into bundled values (?, ?, null)').run(Number.parseInt(second.sha.slice(0, 12), 16), seq + 1)
  db.close()
  expect(await store.bodies.get(second.sha)).toBeNull()
  await store.journal.append(epoch, seq + 1, [decision('c2', [said('two')], { bodies: [second] })])
  expect(Buffer.from((await store.bodies.get(second.sha))?.bytes ?? []).toString()).toBe('second')
  await store.close()
})

/** The data folder: who may use it, what breaks it, what lies in it. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startChild } from '@/test/sqlite/children'
import { batchItem, bodyOfBytes, noise, said, textBody } from '@/test/storeContract/harness'
import { JournalUnfitError, StoreBrokenError, StoreClosedError, StoreLockedError, StoreTooNewError } from '../errors'
import { emptyAside, lookAside } from './bodies/aside'
import { openConnection } from './database/connection'
import type { Queries } from './database/query'
import { APPLICATION_ID, NEWEST, SCHEMAS, type Schema } from './database/schema'
import { openSqliteStore } from './openSqliteStore'
import { verifyFolder } from './repair/verifyFolder'

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

it('[S19] a database is copied before a schema that it lacks, and not when it lacks none or the copy cannot be made', async () => {
  const fill = (query: Queries): void => {
    query("update entry set event = json_set(event, '$.added', 1)").run()
  }
  const added: Schema[] = [...SCHEMAS, { version: NEWEST + 1, sql: 'create table added (one)', fill }]
  const copy = join(folder, `convene.db.before-${NEWEST}`)
  const openWith = (schemas: readonly Schema[]) => openSqliteStore(folder, {}, openConnection, schemas)
  const schemaOf = (file: string): unknown => {
    const db = new Database(file)
    const row = db.prepare('pragma user_version').get()
    db.close()
    return row
  }
  const first = await openWith(SCHEMAS)
  await first.journal.take('north')
  await first.close()
  await (await openWith(SCHEMAS)).close()
  expect(await readdir(folder)).not.toContain(`convene.db.before-${NEWEST}`)

  // Nothing can be copied to where a folder stands, and then nothing is changed.
  await mkdir(`${copy}.tmp`)
  await writeFile(join(`${copy}.tmp`, 'in the way'), '')
  expect(await refusalOf(openWith(added))).toBeInstanceOf(Error)
  expect(schemaOf(join(folder, 'convene.db'))).toMatchObject({ user_version: NEWEST })
  await rm(`${copy}.tmp`, { recursive: true })

  const store = await openWith(added)
  expect(await store.journal.read(0, 10)).toMatchObject([{ seq: 1, event: { type: 'sequencer.took', added: 1 } }])
  await store.close()
  expect([schemaOf(copy), schemaOf(join(folder, 'convene.db'))]).toMatchObject([
    { user_version: NEWEST },
    { user_version: NEWEST + 1 },
  ])
  expect((await stat(copy)).mode & 0o777).toBe(0o600)
  const db = new Database(copy)
  expect(db.prepare('select seq from head').get()).toMatchObject({ seq: 1 })
  db.close()
  await rm(copy)
  await (await openWith(added)).close()
  expect(await readdir(folder)).not.toContain(`convene.db.before-${NEWEST}`)
})

it('[S20] a damaged text of a person or an account is named, ends no process, and the store goes on', async () => {
  const [damagedOne, other] = ['ana', 'ben']
  const first = await openSqliteStore(folder)
  const tokens: string[] = []
  const links: string[] = []
  for (const person of [damagedOne, other]) {
    await first.accounts.setPassword(person, 'hash')
    tokens.push(await first.accounts.startSession(person, { agent: 'browser', expiresAt: 9e15 }))
    links.push(await first.accounts.makeLink(person))
    await first.people.put(person, 'draft', 'a text', null)
  }
  await first.close()
  const db = new Database(join(folder, 'convene.db'))
  const broken = "cast(x'ff41' as text)"
  db.exec(`update password set hash = ${broken} where person = '${damagedOne}'`)
  db.exec(`update session set agent = ${broken} where person = '${damagedOne}'`)
  db.exec(`update person_row set value = ${broken} where person = '${damagedOne}'`)
  db.exec(`update link set person = ${broken} where person = '${damagedOne}'`)
  db.close()

  const store = await openSqliteStore(folder)
  const { accounts, people } = store
  const [token = '', otherToken = ''] = tokens
  const [link = '', otherLink = ''] = links
  for (const reading of [
    () => accounts.passwordHash(damagedOne),
    () => accounts.session(token),
    () => accounts.sessionsOf(damagedOne),
    () => accounts.useLink(link),
    () => people.get(damagedOne, 'draft'),
    () => people.list(damagedOne, ''),
    () => people.put(damagedOne, 'draft', 'another text', 1),
    () => people.remove(damagedOne, 'draft', 2),
  ])
    expect(String(await refusalOf(reading()))).toMatch(/^StoreDamagedError: convene\.db is damaged: a /)
  expect(await accounts.anyPassword([damagedOne])).toBe(true)

  expect(await accounts.passwordHash(other)).toBe('hash')
  expect(await accounts.session(otherToken)).toMatchObject({ person: other, agent: 'browser' })
  expect(await accounts.useLink(otherLink)).toBe(other)
  expect(await people.get(other, 'draft')).toMatchObject({ value: 'a text' })
  expect(await people.put(other, 'draft', 'more', 1)).toMatchObject({ ok: true })
  expect(store.state()).toEqual({ is: 'ok' })
  await store.close()
})

it('[S20] a damaged name of a snapshot or of a member of a search ends no process: that row is not found', async () => {
  const first = await openSqliteStore(folder)
  const snapshot = { reducer: 1, seq: 1, at: 1, data: new Uint8Array([1, 2]) }
  for (const key of ['world', 'other']) await first.snapshots.save({ key, ...snapshot })
  const members = [
    { person: 'ana', task: 't1' },
    { person: 'ana', task: 't2' },
  ]
  const { epoch, seq } = await first.journal.take('north')
  await first.journal.append(epoch, seq, [batchItem('one')])
  expect(await first.search.add(0, 1, [], members, [])).toBe(true)
  await first.close()
  const db = new Database(join(folder, 'convene.db'))
  const broken = "cast(x'ff41' as text)"
  db.exec(`update snapshot set key = ${broken} where key = 'world'`)
  db.exec(`update search_member set task = ${broken} where task = 't1'`)
  db.close()

  const store = await openSqliteStore(folder)
  expect((await store.snapshots.list()).map(({ key }) => key)).toEqual(['other'])
  expect(await store.snapshots.newest('world', 1)).toBeNull()
  expect(await store.snapshots.prune(2)).toBe(0)
  expect(await store.search.tasksOf('ana')).toEqual(['t2'])
  expect(store.state()).toEqual({ is: 'ok' })
  await store.close()
})

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
  const bodies = [textBody('small'), bodyOfBytes(noise(100_000, 5))]
  const { epoch, seq } = await store.journal.take('north')
  await store.journal.append(epoch, seq, [batchItem('c1', [said('one')], { bodies, reply: 7 })])
  await store.people.put('ana', 'k', 'v', null)
  await store.snapshots.save({ key: 'world', seq: 2, reducer: 1, at: 1, data: noise(9, 9) })
  const token = await store.accounts.startSession('ana', { expiresAt: Date.now() + 60_000 })
  const entries = await store.journal.read(0, 10)
  await store.close()

  const later = await openSqliteStore(folder)
  expect(await later.journal.read(0, 10)).toEqual(entries)
  expect(await later.journal.outcome('c1', 'ana')).toMatchObject({ seq: 2, reply: 7 })
  for (const body of bodies) expect((await later.bodies.get(body.sha))?.bytes.length).toBe(body.bytes.length)
  expect(await later.people.get('ana', 'k')).toMatchObject({ value: 'v' })
  expect((await later.snapshots.newest('world', 1))?.data).toEqual(noise(9, 9))
  expect((await later.accounts.session(token))?.person).toBe('ana')
  await later.close()
})

it('[S9] a disk that is full breaks the store: the append says so, every write after it is refused, what was acknowledged stays', async () => {
  const child = startChild('append', folder, 'full', 1_500)
  await child.ended
  const failed = child.lines.findIndex((line) => line.startsWith('FAILED'))
  expect(child.lines[failed]).toContain('StoreBrokenError')
  expect(child.lines.slice(failed + 1)).toEqual(['THEN StoreBrokenError'])
  const acknowledged = child.lines.filter((line) => line.startsWith('ACK')).map((line) => line.split(' '))
  expect(acknowledged.length).toBeGreaterThan(20)

  const store = await openSqliteStore(folder)
  for (const [, id = '', last] of acknowledged)
    expect((await store.journal.outcome(id, 'child'))?.seq).toBe(Number(last))
  const head = await store.journal.head()
  expect(await store.journal.take('north')).toEqual({ epoch: head.epoch + 1, seq: head.seq + 1 })
  await store.close()
})

it('[S9] a body whose file cannot be written breaks the store before its entry is there', async () => {
  const store = await openSqliteStore(folder)
  const { epoch, seq } = await store.journal.take('north')
  const body = bodyOfBytes(noise(100_000, 1))
  await writeFile(join(folder, 'bodies', body.sha.slice(0, 2)), 'a file where the folder should be')
  const item = batchItem('c1', [said('one')], { bodies: [body] })
  await expect(store.journal.append(epoch, seq, [item])).rejects.toThrow(StoreBrokenError)
  await expect(store.journal.append(epoch, seq, [batchItem('c2')])).rejects.toThrow(StoreBrokenError)
  expect((await store.journal.head()).seq).toBe(seq)
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

it('[R554] a folder of a form that is read no more is refused in one sentence, and stays as it was', async () => {
  const path = join(folder, 'convene.db')
  for (const [form, journal, application] of [
    [4, 'journal', 0],
    [15, 'entry', 0],
    [1, 'entry', APPLICATION_ID],
    [2, 'entry', APPLICATION_ID],
  ] as const) {
    await rm(path, { force: true })
    const old = new Database(path)
    old.exec(`create table head (one); create table ${journal} (seq); pragma user_version = ${form}`)
    old.exec(`pragma application_id = ${application}`)
    old.close()
    const before = await readFile(path)
    const refusal = await refusalOf(openSqliteStore(folder))
    expect(refusal).toBeInstanceOf(JournalUnfitError)
    expect(String(refusal)).toContain(
      `${folder} cannot be used: its journal has the old format ${form}, which this version does not read; nothing was changed. Keep it with the version that wrote it, or begin with an empty data folder`,
    )
    expect(String(await refusalOf(verifyFolder(folder)))).toContain(`the old format ${form}`)
    expect(await readFile(path)).toEqual(before)
  }
})

it('[R371] a file that is no database is said to be none, and not replaced', async () => {
  await writeFile(join(folder, 'convene.db'), 'x'.repeat(5_000))
  await expect(openSqliteStore(folder)).rejects.toThrow(/convene\.db is not an SQLite database/)
  expect((await readFile(join(folder, 'convene.db'))).length).toBe(5_000)
})

it('[R371] an empty database, one of another program and one without tables are said to be so, and not replaced', async () => {
  const path = join(folder, 'convene.db')
  const refusedAs = async (words: RegExp): Promise<void> => {
    const before = await readFile(path)
    const error = await refusalOf(openSqliteStore(folder))
    expect(error).toBeInstanceOf(JournalUnfitError)
    expect(String(error)).toMatch(words)
    expect(String(error)).toMatch(
      /Put the whole copy of this folder back .* or, to begin a new team, move convene\.db away/,
    )
    expect(await readFile(path)).toEqual(before)
    expect(await refusalOf(verifyFolder(folder))).toBeInstanceOf(JournalUnfitError)
  }
  await writeFile(path, '')
  await refusedAs(/convene\.db is empty \(0 bytes\)\./)
  await writeFile(`${path}-wal`, 'x'.repeat(40))
  await refusedAs(/convene\.db is empty \(0 bytes\) beside a convene\.db-wal with data/)
  await rm(`${path}-wal`)
  await rm(path)
  const other = new Database(path)
  other.exec('create table mails (one); create table folders (two); pragma user_version = 3')
  other.close()
  await refusedAs(/belongs to another program \(its tables: mails, folders\)/)
  const emptied = new Database(path)
  emptied.exec('drop table mails; drop table folders')
  emptied.close()
  await refusedAs(/convene\.db has no tables/)
})

it('[R371] a first start that was cut off leaves nothing that the next one refuses', async () => {
  await writeFile(join(folder, 'convene.db.new'), 'half')
  const store = await openSqliteStore(folder)
  await store.journal.take('north')
  expect(await readdir(folder)).not.toContain('convene.db.new')
  await store.close()
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

it.skipIf(process.platform === 'win32')(
  '[R84] only the owner may read what is in the data folder, also what was made with wider rights',
  async () => {
    const data = join(folder, 'data')
    const privateOnly = async (): Promise<void> => {
      const paths = ['.', ...(await readdir(data, { recursive: true }))].filter((path) => !path.startsWith('theirs'))
      expect(paths.length).toBeGreaterThan(7)
      for (const path of paths) expect((await stat(join(data, path))).mode & 0o077, path).toBe(0)
    }
    const store = await openSqliteStore(data)
    await store.journal.take('north')
    await store.bodies.put(noise(100_000, 1), 'text/plain')
    await writeFile(join(data, 'bodies', `ab${'0'.repeat(62)}`), 'unnamed', { mode: 0o600 })
    await privateOnly()
    await store.close()

    // What other parts keep in it: sign-ins at tool servers, the key that seals typed-in keys.
    for (const [name, file] of [
      ['keys', 'setup.key'],
      ['tool-sign-ins', 'search.json'],
    ] as const) {
      await mkdir(join(data, name))
      await writeFile(join(data, name, file), 'secret')
    }
    await mkdir(join(data, 'theirs'))
    await writeFile(join(data, 'theirs', 'note.txt'), 'of somebody else')
    for (const path of await readdir(data, { recursive: true })) {
      const isFolder = (await stat(join(data, path))).isDirectory()
      await chmod(join(data, path), isFolder ? 0o755 : 0o644)
    }
    await chmod(data, 0o755)
    const again = await openSqliteStore(data)
    await privateOnly()
    // What is not ours in it keeps its rights.
    expect((await stat(join(data, 'theirs', 'note.txt'))).mode & 0o777).toBe(0o644)
    await again.close()
  },
)

it('text bodies take less room than they have bytes, in rows and in files', async () => {
  const store = await openSqliteStore(folder)
  await store.bodies.put(textBody('a line of a log '.repeat(3_000)).bytes, 'text/plain')
  await store.bodies.put(textBody('a line of a long log '.repeat(30_000)).bytes, 'text/plain')
  await store.close()
  const db = new Database(join(folder, 'convene.db'))
  const rows = db.prepare('select bytes, length(data) as inRow, lower(hex(sha)) as sha from body order by bytes').all()
  db.close()
  const [small, large] = rows as { bytes: number; inRow: number | null; sha: string }[]
  expect([small?.bytes, large?.bytes, large?.inRow]).toEqual([48_000, 630_000, null])
  expect(small?.inRow).toBeLessThan(1_000)
  const file = join(folder, 'bodies', large?.sha.slice(0, 2) ?? '', large?.sha ?? '')
  expect((await stat(file)).size).toBeLessThan(9_000)
})

it('[R83] nothing is deleted at a start: files that no row names move aside, those that one names stay', async () => {
  const first = await openSqliteStore(folder)
  await first.journal.take('north')
  const named = bodyOfBytes(noise(100_000, 1))
  await first.bodies.put(named.bytes, named.mime)
  await first.close()
  expect(lookAside(folder)).toEqual({ folder: join(folder, 'bodies-aside'), files: 0, bytes: 0 })
  const unnamed = `ab${'0'.repeat(62)}`
  await mkdir(join(folder, 'bodies', 'ab'), { recursive: true })
  await writeFile(join(folder, 'bodies', 'ab', 'half.tmp'), 'half')
  await writeFile(join(folder, 'bodies', 'ab', unnamed), 'nobody names it')
  const store = await openSqliteStore(folder)
  expect(await readdir(join(folder, 'bodies', 'ab'))).toEqual([])
  expect((await store.bodies.get(named.sha))?.bytes.length).toBe(100_000)
  expect((await readdir(join(folder, 'bodies-aside', 'ab'))).sort()).toEqual([unnamed, 'half.tmp'].sort())
  expect(await readFile(join(folder, 'bodies-aside', 'ab', unnamed), 'utf8')).toBe('nobody names it')
  await store.close()
  // A second start with the same leftovers.
  await writeFile(join(folder, 'bodies', 'ab', unnamed), 'nobody names it')
  await (await openSqliteStore(folder)).close()
  expect(lookAside(folder)).toMatchObject({ files: 2, bytes: 19 })
  expect(emptyAside(folder)).toMatchObject({ files: 2, bytes: 19 })
  expect(lookAside(folder)).toMatchObject({ files: 0, bytes: 0 })
  expect(emptyAside(folder)).toMatchObject({ files: 0, bytes: 0 })
})

/** What is whole of a damaged folder is saved: the other decisions under their numbers, in a journal that adds up again. */
import { cp, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { decodeEntry } from '@/lib/mas/decode'
import { emptyWorld } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { putForm } from '@/test/sqlite/putForm'
import { batchItem, bodyOfBytes, noise, said, textBody } from '@/test/storeContract/harness'
import { StoreBrokenError, StoreLockedError } from '../../errors'
import type { StoredEntry } from '../../interfaces'
import { openSqliteStore } from '../openSqliteStore'
import { salvage } from './salvage'

let folder = ''
const [from, to] = [() => join(folder, 'from'), () => join(folder, 'to')]
const BODIES = [textBody('in the content'), bodyOfBytes(noise(20_000, 1)), bodyOfBytes(noise(80_000, 2), 'image/png')]
const DECISIONS = 60
let entries: StoredEntry[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-salvage-'))
  const store = await openSqliteStore(from())
  const { epoch, seq } = await store.journal.take('north')
  let head = seq
  for (let n = 0; n < DECISIONS; n++) {
    const events = [
      said(`text ${n} ${'and more '.repeat(150)}`, { task: 't1' }),
      { type: 'task.started', v: 1, task: `t${n}` },
    ]
    const answer = await store.journal.append(epoch, head, [
      batchItem(`c${n}`, events, { bodies: n === 5 ? BODIES : [], ...(n === 8 ? { reply: 'eighth' } : {}) }),
    ])
    if (answer.r !== 'OK') throw new Error(answer.r)
    head = answer.last
  }
  await store.accounts.setPassword('ana', 'a hash')
  await store.accounts.keepKey('model:default', 'sealed')
  await store.people.put('ana', 'draft', 'half', null)
  entries = await store.journal.read(0, 1_000)
  await store.close()
})
afterEach(() => rm(folder, { recursive: true }))

async function changeRows(sql: string): Promise<void> {
  const db = new Database(join(from(), 'convene.db'))
  for (const key of ['task', 'step', 'request', 'thread']) db.exec(`drop index entry_${key}`)
  db.exec(sql)
  db.close()
}

it('[S21] decisions before and after damaged ones are saved, and the lost entries are named in their places', async () => {
  await changeRows(
    "update entry set event = replace(event, 't1', 't2') where seq = 22; update content set data = x'00' where last = 41; delete from decision where last = 51",
  )
  const saved = await salvage(from(), to())
  expect(saved.lost.map((one) => [one.from, one.to])).toEqual([
    [22, 23],
    [40, 41],
    [50, 51],
  ])
  expect(saved).toMatchObject({ decisions: DECISIONS - 2, bodies: 3, lostBodies: [], lostRows: [], lostTables: [] })
  const store = await openSqliteStore(to())
  const now = await store.journal.read(0, 1_000)
  expect(now.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq))
  for (const [n, entry] of now.entries()) {
    const isLost = saved.lost.some((one) => one.from <= entry.seq && entry.seq <= one.to)
    if (isLost) expect(entry).toMatchObject({ by: 'system:salvage', event: { type: 'journal.damaged' } })
    else expect(entry).toEqual(entries[n])
  }
  expect((await store.verify()).damage).toEqual([])
  expect(await store.journal.outcome('c8', 'ana')).toMatchObject({ reply: 'eighth' })
  for (const { sha, bytes, mime } of BODIES)
    expect(await store.bodies.get(sha)).toEqual({ bytes: new Uint8Array(bytes), mime })
  expect(await store.accounts.passwordHash('ana')).toBe('a hash')
  expect((await store.people.get('ana', 'draft'))?.value).toBe('half')
  expect(await store.accounts.keys()).toMatchObject([{ id: 'model:default', sealed: 'sealed' }])
  const whole = now.filter(({ event }) => event.type !== 'message.sent').map((entry) => entry.seq)
  expect(whole.length).toBeGreaterThan(DECISIONS)
  const damaged = now.filter(({ event }) => event.type === 'journal.damaged').map((entry) => decodeEntry(entry))
  expect(reduceAll({ ...emptyWorld, seq: 21 }, damaged.slice(0, 2)).seq).toBe(23)
  const { epoch, seq } = await store.journal.take('north')
  expect((await store.journal.append(epoch, seq, [batchItem('c9')])).r).toBe('SORT')
  expect((await store.journal.append(epoch, seq, [batchItem('new')])).r).toBe('OK')
  await store.close()
})

it('[S21] what can be read beside pages of rubbish is saved, at each of several places', async () => {
  const path = join(from(), 'convene.db')
  const { size } = await stat(path)
  let most = 0
  for (let part = 1; part <= 6; part++) {
    await cp(from(), join(folder, `copy-${part}`), { recursive: true })
    const file = await open(join(folder, `copy-${part}`, 'convene.db'), 'r+')
    const page = 8_192
    await file.write(noise(page, part), 0, page, Math.floor((size * (part + 1)) / 8 / page) * page)
    await file.close()
    const saved = await salvage(join(folder, `copy-${part}`), join(folder, `saved-${part}`)).catch(
      (error: unknown) => error,
    )
    if (saved instanceof StoreBrokenError) continue
    const store = await openSqliteStore(join(folder, `saved-${part}`))
    const { damage } = await store.verify()
    expect(damage).toEqual([])
    const now = await store.journal.read(0, 1_000)
    const kept = now.filter(({ event }) => event.type !== 'journal.damaged')
    for (const entry of kept) expect(entry).toEqual(entries[entry.seq - 1])
    most = Math.max(most, kept.length)
    await store.close()
  }
  expect(most).toBeGreaterThan(entries.length / 2)
})

it('[S21] a folder in use, one that is not empty, and one without a journal are refused', async () => {
  const store = await openSqliteStore(from())
  await expect(salvage(from(), to())).rejects.toThrow(StoreLockedError)
  await store.close()
  await expect(salvage(from(), from())).rejects.toThrow(StoreBrokenError)
  await expect(salvage(folder, to())).rejects.toThrow(StoreBrokenError)
})

it('[S21] every table is saved, unless it is made anew from the journal', async () => {
  const store = await openSqliteStore(from())
  const { epoch, seq } = await store.journal.take('north')
  const fault = { code: 'BAD_INPUT', data: {}, message: 'no' }
  await store.journal.append(epoch, seq, [
    batchItem('refused', [], { fault }),
    batchItem('done', [said('x')], { session: 's1' }),
  ])
  await store.accounts.startSession('ana', { expiresAt: 9e15 })
  await store.accounts.makeLink('ana')
  await store.close()
  expect(await salvage(from(), to())).toMatchObject({ lost: [], lostBodies: [], lostRows: [], lostTables: [] })
  const [before, after] = [from(), to()].map((data) => {
    const db = new Database(join(data, 'convene.db'))
    const names = db.prepare("select name from sqlite_schema where type = 'table'").all([]) as { name: string }[]
    const own = names.filter(({ name }) => !/^(search|step|snapshot|counter|sqlite_)/.test(name))
    const counts = own.map(({ name }) => {
      const { rows } = db.prepare(`select count(*) as rows from ${name}`).get([]) as { rows: number }
      return [name, rows] as const
    })
    db.close()
    return Object.fromEntries(counts)
  })
  expect(after).toEqual(before)
  for (const [table, rows] of Object.entries(before ?? {})) expect(rows, table).toBeGreaterThan(0)
})

it('[S21] a row of a person or an account that is no text any more is lost alone, and is counted', async () => {
  await changeRows(
    "insert into password values ('ben', cast(x'ff41' as text), 0); insert into outcome values ('c', 'ana', null, 0, null, '{}', null, 0)",
  )
  const saved = await salvage(from(), to())
  expect(saved).toMatchObject({ lost: [], lostTables: [] })
  expect(saved.lostRows).toEqual([
    { table: 'outcome', rows: 1 },
    { table: 'password', rows: 1 },
  ])
  const store = await openSqliteStore(to())
  expect(await store.accounts.passwordHash('ana')).toBe('a hash')
  expect(await store.accounts.passwordHash('ben')).toBeNull()
  await store.close()
})

it.each([12, 13])(
  '[S21] a damaged folder of form %i, whose decisions are those of today, is saved too',
  async (form) => {
    await putForm(form, from())
    await changeRows("update entry set event = json_set(event, '$.v', 9) where seq = 40")
    const saved = await salvage(from(), to())
    expect(saved.lost).toMatchObject([{ from: expect.any(Number), to: expect.any(Number) }])
    expect(saved).toMatchObject({ lostBodies: [], lostRows: [], lostTables: [] })
    expect(saved.bodies).toBeGreaterThan(3)
    const store = await openSqliteStore(to())
    expect(await store.accounts.passwordHash('ana')).toBe('a hash')
    expect(await store.accounts.keys()).toHaveLength(form === 13 ? 1 : 0)
    expect((await store.verify()).damage).toEqual([])
    await store.close()
  },
)

it('[S21] a folder of a form whose rows are others is refused with a way out', async () => {
  await putForm(9, from())
  await expect(salvage(from(), to())).rejects.toThrow(/form 9, and only forms 12 to 16 .* put a backup back/)
})

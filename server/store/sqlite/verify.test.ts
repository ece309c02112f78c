/** One byte anywhere in the rows of a journal is another one: it is named, and whoever reads it hears one kind of error. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SAMPLES } from '@/lib/mas/samples'
import { batchItem, bodyOfBytes, noise, said, textBody } from '../contract/harness'
import { StoreDamagedError } from '../errors'
import type { Store, StoredEvent } from '../interfaces'
import { openSqliteStore } from './openSqliteStore'

const TRIALS = process.env.CONVENE_ALL ? 500 : 80

let folder = ''
let store: Store
let db: Database.Database
const large = bodyOfBytes(noise(70_000, 3))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-verify-'))
  const clock = { now: 1_800_000_000_000 }
  store = await openSqliteStore(folder, { now: () => clock.now })
  const { epoch, seq } = await store.journal.take('north')
  let head = seq
  const append = async (batch: Parameters<Store['journal']['append']>[2]) => {
    const answer = await store.journal.append(epoch, head, batch)
    if (answer.r !== 'OK') throw new Error(answer.r)
    head = answer.last
  }
  const samples: StoredEvent[] = SAMPLES.map((event) => ({ ...event }))
  for (let n = 0; n < samples.length; n += 5)
    await append([
      batchItem(`samples ${n}`, samples.slice(n, n + 5), { bodies: n % 2 ? [] : [textBody(`body ${n} `.repeat(50))] }),
    ])
  await append([
    batchItem('bodies', [said('many '.repeat(300))], {
      bodies: [textBody('one'), bodyOfBytes(noise(20_000, 1)), large],
    }),
    batchItem('replied', [said('short')], { reply: { messages: ['m1'] }, until: clock.now + 60_000 }),
    batchItem('gone', [said('to be removed'), said('and this')], { until: clock.now + 60_000 }),
  ])
  await store.journal.removeTexts([head, 20])
  await store.bodies.forget([textBody('one').sha], clock.now + 1)
  clock.now += 3 * 24 * 3_600_000
  await store.journal.forgetOutcomes(clock.now)
  await append([batchItem('last', [said('the last')], { reply: 1, until: clock.now + 60_000 })])
  db = new Database(join(folder, 'convene.db'))
  // SQL cannot write an event that is no JSON while a column is computed of it.
  for (const key of ['task', 'step', 'request', 'thread'])
    db.exec(`drop index entry_${key}; alter table entry drop column ${key}`)
})
afterEach(async () => {
  db.close()
  await store.close()
  await rm(folder, { recursive: true })
})

/** Columns that say something; when a body was put last is in no seal. */
const COLUMNS = {
  decision: ['last', 'first', 'command', '"by"', 'at', 'known', 'until', 'reply', 'hash', 'seal'],
  entry: ['seq', 'last', 'texts', 'event'],
  content: ['last', 'packed', 'data', 'seal'],
  body: ['sha', 'mime', 'bytes', 'packed', 'stored', 'decision', 'start', 'data', 'seal'],
} as const
type Table = keyof typeof COLUMNS
const KEYS: Record<Table, string> = { decision: 'last', entry: 'seq', content: 'last', body: 'sha' }
type Value = string | number | ArrayBuffer | null

/** Another value that differs in one byte; null: there is no byte to change. */
function changed(
  value: Value,
  pick: (most: number) => number,
): { value: string | number | Buffer; cast: string } | null {
  if (value === null) return null
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(BigInt(value))
    const at = 2 + pick(6)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + pick(255))
    return { value: Number(bytes.readBigInt64BE()), cast: '?' }
  }
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(new Uint8Array(value))
  if (bytes.length === 0) return null
  const at = pick(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 + pick(255))
  return { value: bytes, cast: typeof value === 'string' ? 'cast(? as text)' : '?' }
}

it(`[S20] a byte changed anywhere in rows of decisions, entries, texts and bodies is named in each of ${TRIALS} trials`, {
  timeout: 300_000,
}, async () => {
  expect((await store.verify()).damage).toEqual([])
  let state = 7
  const pick = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const tables = Object.keys(COLUMNS) as Table[]
  const seen = new Set<string>()
  for (let trial = 0; trial < TRIALS; ) {
    const table = tables[pick(tables.length)] ?? 'entry'
    const column = COLUMNS[table][pick(COLUMNS[table].length)] ?? 'last'
    const { rows } = db.prepare(`select count(*) as rows from ${table}`).get() as { rows: number }
    const key = KEYS[table]
    const row = db
      .prepare(
        `select ${key} as key, ${column} as value${table === 'entry' ? ', last' : ''} from ${table} limit 1 offset ?`,
      )
      .get([pick(rows)]) as { key: number | ArrayBuffer; value: Value; last?: number }
    const next = changed(row.value, pick)
    if (next === null) continue
    const at = typeof row.key === 'number' ? row.key : Buffer.from(new Uint8Array(row.key))
    // A number that another row has cannot be taken.
    const { changes } = db
      .prepare(`update or ignore ${table} set ${column} = ${next.cast} where ${key} = ?`)
      .run([next.value, at])
    if (changes === 0) continue
    const { damage } = await store.verify()
    const what = `trial ${trial}: ${table}.${column} of ${typeof at === 'number' ? at : at.toString('hex')}`
    const sha = typeof at === 'number' ? null : at.toString('hex')
    const isNamed = damage.some((one) =>
      sha === null
        ? [row.last ?? row.key, next.value].includes(one.decision ?? -1) || one.entry === next.value
        : one.why.includes(sha) || (Buffer.isBuffer(next.value) && one.why.includes(next.value.toString('hex'))),
    )
    expect(isNamed, `${what}: ${JSON.stringify(damage)}`).toBe(true)
    const heard = await store.journal.read(0, 10_000).catch((error: unknown) => error)
    expect(Array.isArray(heard) || heard instanceof StoreDamagedError, `${what}: ${heard}`).toBe(true)
    const now = column === key ? next.value : at
    db.prepare(`update ${table} set ${column} = ? where ${key} = ?`).run([
      typeof row.value === 'string' || typeof row.value === 'number' || row.value === null
        ? row.value
        : Buffer.from(new Uint8Array(row.value)),
      now,
    ])
    seen.add(`${table}.${column}`)
    trial += 1
  }
  expect((await store.verify()).damage).toEqual([])
  expect(seen.size).toBeGreaterThan(15)
})

it('[S20] a file of a body that is another one, and one that is gone, are named; so is a journal that lost its end', async () => {
  const path = join(folder, 'bodies', large.sha.slice(0, 2), large.sha)
  await writeFile(path, 'other bytes')
  expect((await store.verify()).damage).toMatchObject([{ file: `bodies/${large.sha.slice(0, 2)}/${large.sha}` }])
  await expect(store.bodies.get(large.sha)).rejects.toThrow(StoreDamagedError)
  await rm(path)
  expect((await store.verify()).damage).toHaveLength(1)
  await writeFile(path, large.bytes)

  const { seq } = await store.journal.head()
  db.exec(`delete from entry where seq = ${seq}`)
  expect((await store.verify()).damage).toMatchObject([{ decision: seq }])
  await expect(store.journal.read(seq - 1, 10)).rejects.toThrow(StoreDamagedError)
  expect((await store.verify({ from: 1, to: seq - 1 })).damage).toEqual([])
  expect((await store.verify({ from: seq, to: seq })).damage).toHaveLength(1)
  const error = await store.journal.read(0, 10_000).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ damage: { file: 'convene.db', entry: seq } })
  expect(String(error)).toContain('npm run doctor -- --salvage')
})

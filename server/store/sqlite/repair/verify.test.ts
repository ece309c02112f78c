/** One byte anywhere in the rows of a journal is another one: it is named, and whoever reads it hears one kind of error. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fillJournal, large } from '@/test/sqlite/filledJournal'
import { batchItem, said } from '@/test/storeContract/harness'
import { StoreBrokenError, StoreDamagedError } from '../../errors'
import type { Store } from '../../interfaces'

const TRIALS = process.env.CONVENE_ALL ? 500 : 40

let folder = ''
let store: Store
let db: Database.Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-verify-'))
  store = await fillJournal(folder)
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

/** Columns that say something. In no seal is when a body was put last. */
const COLUMNS = {
  head: ['journal', 'seq', 'at', 'epoch', 'hash', 'seal'],
  decision: ['last', 'first', 'command', '"by"', 'at', 'known', 'until', 'reply', 'hash', 'seal'],
  entry: ['seq', 'last', 'nonce', 'hash', 'event'],
  outcome: ['id', '"by"', 'seq', 'at', 'until', 'fault', 'reply', 'seal'],
  body: ['sha', 'mime', 'bytes', 'packed', 'data', 'seal'],
} as const
type Table = keyof typeof COLUMNS
const KEYS: Record<Table, string> = {
  head: 'one',
  decision: 'last',
  entry: 'seq',
  outcome: 'id',
  body: 'sha',
}
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

it(`[S20] a byte changed anywhere in rows of the journal is named in each of ${TRIALS} trials`, {
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
      .get([pick(rows)]) as { key: number | string | ArrayBuffer; value: Value; last?: number }
    const next = changed(row.value, pick)
    if (next === null) continue
    const at = row.key instanceof ArrayBuffer ? Buffer.from(new Uint8Array(row.key)) : row.key
    const isThat = `${key} = ${typeof at === 'string' ? 'cast(? as text)' : '?'}`
    // A number that another row has cannot be taken.
    const { changes } = db
      .prepare(`update or ignore ${table} set ${column} = ${next.cast} where ${isThat}`)
      .run([next.value, at])
    if (changes === 0) continue
    const { damage } = await store.verify()
    const what = `trial ${trial}: ${table}.${column} of ${Buffer.isBuffer(at) ? at.toString('hex') : at}`
    const changedTo = Buffer.isBuffer(next.value) ? next.value.toString('hex') : null
    const isNamed = damage.some(({ decision, entry, why }) => {
      if (table === 'head') return true
      if (table === 'outcome') return why.startsWith('the outcome of the command')
      if (Buffer.isBuffer(at)) return [at.toString('hex'), changedTo].some((sha) => sha !== null && why.includes(sha))
      return [row.last ?? row.key, next.value].includes(decision ?? -1) || entry === next.value
    })
    expect(isNamed, `${what}: ${JSON.stringify(damage)}`).toBe(true)
    const heard = await store.journal.read(0, 10_000).catch((error: unknown) => error)
    // Without its head a store cannot go on.
    const kind = table === 'head' ? [StoreDamagedError, StoreBrokenError] : [StoreDamagedError]
    expect(Array.isArray(heard) || kind.some((one) => heard instanceof one), `${what}: ${heard}`).toBe(true)
    const now = column === key ? next.value : at
    db.prepare(`update ${table} set ${column} = ? where ${isThat}`).run([
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
  expect(String(error)).toContain('Put a backup back (npm run restore')
})

it('[S16] the hash of a row is that of its nonce and its text, and equal events have other nonces', async () => {
  const { epoch, seq } = await store.journal.take('north')
  await store.journal.append(epoch, seq, [batchItem('twice', [said('yes'), said('yes')])])
  const rows = db
    .prepare('select nonce, hex(hash) as hash, event from entry where seq > ? order by seq')
    .all([seq]) as { nonce: ArrayBuffer; hash: string; event: string }[]
  for (const { nonce, hash, event } of rows) {
    expect(nonce.byteLength).toBe(16)
    expect(event).toBe(JSON.stringify(said('yes')))
    const whole = createHash('sha256').update(new Uint8Array(nonce)).update(event)
    expect(hash).toBe(whole.digest('hex').toUpperCase())
  }
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2)
})

it('[S18] where text and nonce of an entry are erased that entry alone is named, and its decision stays chained', async () => {
  const { decision, seq } = db
    .prepare('select last as decision, min(seq) as seq from entry group by last having count(*) > 2 limit 1')
    .get([]) as { decision: number; seq: number }
  db.prepare("update entry set event = '', nonce = x'' where seq = ?").run([seq])
  expect((await store.verify()).damage).toEqual([
    { file: 'convene.db', decision, entry: seq, why: 'its hash is another one' },
  ])
  const hashed = db
    .prepare(
      `select lower(hex(d.hash)) as hash, lower(hex(p.hash)) as before, json_array(d.first, d.last, d.at, d."by", d.command) as header,
         (select group_concat(lower(hex(e.hash)), char(10)) from entry e where e.last = d.last) as rows
       from decision d join decision p on p.last = d.first - 1 where d.last = ?`,
    )
    .get([decision]) as { hash: string; before: string; header: string; rows: string }
  expect(hashed.rows).toMatch(/^[0-9a-f]{64}(\n[0-9a-f]{64}){2,}$/)
  const chained = createHash('sha256').update(`${hashed.before}\n${hashed.header}\n${hashed.rows}`)
  expect(chained.digest('hex')).toBe(hashed.hash)
})

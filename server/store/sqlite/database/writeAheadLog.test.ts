/** A write-ahead log with one bit that is another one, with an end that is missing, and with frames of earlier checkpoints. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { leaveLog, stateOf } from '@/test/sqlite/leftLog'
import { StoreDamagedError } from '../../errors'
import { openSqliteStore } from '../openSqliteStore'
import { verifyFolder } from '../repair/verifyFolder'
import { copyDatabase } from './copyDatabase'
import { damageInLog } from './writeAheadLog'

const RUNS = process.env.CONVENE_ALL ? 2_000 : 30
const FRAME_BYTES = 8_192 + 24

let root = ''
const data = () => join(root, 'data')
const database = () => join(data(), 'convene.db')
const log = () => `${database()}-wal`
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-log-'))
})
afterEach(() => rm(root, { recursive: true }))

const withBit = (bytes: Buffer, bit: number): Buffer => {
  const other = Buffer.from(bytes)
  const at = Math.floor(bit / 8)
  other[at] = (other[at] ?? 0) ^ (1 << (bit % 8))
  return other
}
const headIn = async (folder: string): Promise<number> => {
  const store = await openSqliteStore(folder)
  try {
    return (await store.journal.head()).seq
  } finally {
    await store.close()
  }
}

it('[R371] any bit of the log that is another one is found with its frame, unless it is in the last frame of all', async () => {
  await leaveLog(data(), 12)
  const whole = readFileSync(log())
  const frames = (whole.length - 32) / FRAME_BYTES
  expect(Number.isInteger(frames)).toBe(true)
  expect(damageInLog(database())).toBeNull()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length * 8 - 1 }), (bit) => {
      writeFileSync(log(), withBit(whole, bit))
      const byte = Math.floor(bit / 8)
      const frame = byte < 32 ? 0 : Math.floor((byte - 32) / FRAME_BYTES) + 1
      const damage = damageInLog(database())
      if (frame === frames) expect(damage).toBeNull()
      else expect(damage).toMatchObject({ frame, frames })
    }),
    { numRuns: RUNS },
  )
})

it('[R371] a log that was cut off anywhere is none that was damaged, and the start takes what was committed', async () => {
  const { head, before } = await leaveLog(data(), 6)
  const whole = readFileSync(log())
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length }), (length) => {
      writeFileSync(log(), whole.subarray(0, length))
      expect(damageInLog(database())).toBeNull()
    }),
    { numRuns: RUNS },
  )
  writeFileSync(log(), whole)
  truncateSync(log(), whole.length - 100)
  expect(await headIn(data())).toBe(before)
  expect(before).toBeLessThan(head)
})

it('[R371] frames from before the last checkpoint may be anything', async () => {
  const { head } = await leaveLog(data(), 20, () => {
    const db = new Database(join(root, 'data-open', 'convene.db'))
    db.pragma('wal_checkpoint(RESTART)')
    db.close()
  })
  const whole = readFileSync(log())
  const [first] = saltsOf(whole)
  const old = saltsOf(whole).findIndex((salts) => salts !== first)
  expect(old).toBeGreaterThan(0)
  writeFileSync(log(), withBit(whole, (32 + old * FRAME_BYTES + 5_000) * 8))
  expect(damageInLog(database())).toBeNull()
  expect(await headIn(data())).toBe(head)
})

const saltsOf = (bytes: Buffer): string[] =>
  Array.from({ length: Math.floor((bytes.length - 32) / FRAME_BYTES) }, (_, n) =>
    bytes.subarray(32 + n * FRAME_BYTES + 8, 32 + n * FRAME_BYTES + 16).toString('hex'),
  )

it('[R371] a start and a check name the frame and how many commits would be lost, and change nothing', async () => {
  await leaveLog(data(), 12)
  const whole = readFileSync(log())
  const frames = (whole.length - 32) / FRAME_BYTES
  for (const frame of [2, Math.floor(frames / 2), frames - 1]) {
    const copy = join(root, `copy ${frame}`)
    await cp(data(), copy, { recursive: true })
    writeFileSync(`${join(copy, 'convene.db')}-wal`, withBit(whole, (32 + (frame - 1) * FRAME_BYTES + 24 + 4_000) * 8))
    const damaged = stateOf(copy)
    const words = new RegExp(`convene.db-wal is damaged: frame ${frame} of ${frames} .*later commit.* would be lost`)
    const refusal = await openSqliteStore(copy).then(
      () => 'no refusal',
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(StoreDamagedError)
    expect(String(refusal)).toMatch(words)
    expect(String(refusal)).toMatch(/Put a backup back \(npm run restore/)
    await expect(copyDatabase(copy, join(root, `backup ${frame}`, 'convene.db'))).rejects.toThrow(words)
    const { damage } = await verifyFolder(copy)
    expect(damage[0]).toMatchObject({ file: 'convene.db-wal' })
    // A start may only have written who holds the folder.
    const apart = (lines: string[]) => lines.filter((line) => !line.startsWith('convene.lock '))
    expect(apart(stateOf(copy))).toEqual(apart(damaged))
  }
})

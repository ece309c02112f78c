/** A store whose disk is full and has room again: nothing acknowledged is lost, reading goes on, writing comes back by itself. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import { batchItem, bodyOfBytes, noise, said } from '@/test/storeContract/harness'
import { StoreBrokenError } from '../errors'
import type { Store, StoreState } from '../interfaces'
import { openConnection } from './database/connection'
import { PROBE_MS } from './lasting'
import { openSqliteStore } from './openSqliteStore'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-lasting-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A store on a disk whose room the test sets, in pages of the database; null: no limit. */
async function openLimited() {
  const clock = handClock()
  const disk: { pages: number | null; handles: number } = { pages: null, handles: 0 }
  const limit = (connection: ReturnType<typeof openConnection>) =>
    connection.query(`pragma max_page_count = ${disk.pages ?? 1_000_000}`).all()
  let current: ReturnType<typeof openConnection> | null = null
  const store = await openSqliteStore(folder, { now: clock.now, schedule: clock.schedule }, (path, onBroke) => {
    disk.handles += 1
    current = openConnection(path, onBroke)
    limit(current)
    return current
  })
  const states: StoreState[] = []
  store.onState((state) => states.push(state))
  return {
    clock,
    disk,
    store,
    states,
    /** Nothing more than there is now. */
    fill() {
      disk.pages = 1
      if (current) limit(current)
    },
    async probe(until: () => boolean) {
      clock.pass(PROBE_MS)
      while (!until()) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Append until the disk is full. out: the ids and numbers that were acknowledged, and the id that failed */
async function appendUntilFull(store: Store, epoch: number, from: number, prefix: string) {
  const acknowledged = new Map<string, number>()
  let head = from
  for (let n = 0; n < 5_000; n++) {
    const id = `${prefix}${n}`
    const text = Buffer.from(noise(3_000, n + from)).toString('base64')
    try {
      const answer = await store.journal.append(epoch, head, [batchItem(id, [said(text)])])
      if (answer.r !== 'OK') throw new Error(answer.r)
      head = answer.last
      acknowledged.set(id, head)
    } catch (error) {
      expect(error).toBeInstanceOf(StoreBrokenError)
      return { acknowledged, head, failed: id }
    }
  }
  throw new Error('the disk was never full')
}

it('[R80] a full disk: later writes are refused, reads go on, and a new handle writes when there is room', async () => {
  const { store, states, clock, disk, fill, probe } = await openLimited()
  const { epoch, seq } = await store.journal.take('north')
  const token = await store.accounts.startSession('ana', { expiresAt: clock.now() + 1e9 })
  await store.people.put('ana', 'k', 'kept', null)
  fill()
  const { acknowledged, head, failed } = await appendUntilFull(store, epoch, seq, 'a')
  expect(states).toEqual([{ is: 'refusing', reason: expect.stringContaining('full') }])
  expect(store.state()).toEqual(states[0])

  // Refused with the first cause, without a try.
  await expect(store.journal.append(epoch, head, [batchItem('b')])).rejects.toThrow(StoreBrokenError)
  await expect(store.journal.take('north')).rejects.toThrow(StoreBrokenError)
  await expect(store.people.put('ana', 'k', 'new', 1)).rejects.toThrow(StoreBrokenError)
  await expect(store.bodies.put(noise(100_000, 1), 'text/plain')).rejects.toThrow(StoreBrokenError)
  expect(await store.people.get('ana', 'k')).toMatchObject({ value: 'kept' })
  expect(await store.journal.head()).toMatchObject({ seq: head })
  clock.pass(3_600_000 - PROBE_MS)
  expect((await store.accounts.session(token))?.person).toBe('ana')

  // Still full: it looks again every 5 s, with a new handle each time.
  const handles = disk.handles
  await probe(() => disk.handles > handles && clock.waiting() === 1)
  expect(store.state().is).toBe('refusing')
  disk.pages = null
  await probe(() => store.state().is === 'ok')
  expect(states.map(({ is }) => is)).toEqual(['refusing', 'ok'])

  const again = await store.journal.take('north')
  expect(again).toEqual({ epoch: epoch + 1, seq: head + 1 })
  expect(await store.journal.outcome(failed, 'ana')).toBeNull()
  const answer = await store.journal.append(again.epoch, again.seq, [batchItem(failed), batchItem('b')])
  expect(answer).toMatchObject({ r: 'OK', last: head + 3 })
  expect(await store.people.put('ana', 'k', 'new', 1)).toEqual({ ok: true, version: 2 })
  await store.close()

  const later = await openSqliteStore(folder)
  for (const [id, last] of acknowledged) expect((await later.journal.outcome(id, 'ana'))?.seq).toBe(last)
  const entries = await later.journal.read(0, 10_000)
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, at) => at + 1))
  expect(entries.length).toBe(head + 3)
  await later.close()
})

it('[R80] a folder that is gone, or another journal in its place, is lost: nobody waits for it', async () => {
  for (const replace of [false, true]) {
    const { store, states, fill, probe } = await openLimited()
    const { epoch, seq } = await store.journal.take('north')
    fill()
    await appendUntilFull(store, epoch, seq, 'a')
    await rename(folder, `${folder}-away`)
    if (replace) await (await openSqliteStore(folder)).close()
    await probe(() => store.state().is !== 'refusing')
    expect(states.at(-1)).toEqual({
      is: 'lost',
      reason: replace ? expect.stringContaining('another journal') : `${join(folder, 'convene.db')} is gone`,
    })
    await expect(store.journal.take('north')).rejects.toThrow(StoreBrokenError)
    await store.close()
    await rm(`${folder}-away`, { recursive: true })
    await rm(folder, { recursive: true, force: true })
  }
})

it('[R80] a body whose file cannot be written: the next handle takes it when the way is free', async () => {
  const { store, probe } = await openLimited()
  const { epoch, seq } = await store.journal.take('north')
  const body = bodyOfBytes(noise(100_000, 1))
  const inTheWay = join(folder, 'bodies', body.sha.slice(0, 2))
  await writeFile(inTheWay, 'a file where the folder should be')
  const item = batchItem('c1', [said('one')], { bodies: [body] })
  await expect(store.journal.append(epoch, seq, [item])).rejects.toThrow(StoreBrokenError)
  expect(store.state().is).toBe('refusing')
  await rm(inTheWay)
  await probe(() => store.state().is === 'ok')
  expect(await store.journal.append(epoch, seq, [item])).toMatchObject({ r: 'OK' })
  expect((await store.bodies.get(body.sha))?.bytes.length).toBe(100_000)
  // What the proofs of room left is nothing.
  const files = (await readdir(join(folder, 'bodies'), { recursive: true })).filter((name) => name.endsWith('.tmp'))
  expect(files).toEqual([])
  await store.close()
})

it('[R80] damage and defects do not pass: the store is lost at once', async () => {
  const { store, states, clock } = await openLimited()
  await store.journal.take('north')
  const other = openConnection(join(folder, 'convene.db'))
  other.write('damage', () => other.query('delete from head').run())
  other.close()
  await expect(store.journal.head()).rejects.toThrow(StoreBrokenError)
  expect(states).toEqual([{ is: 'lost', reason: expect.stringContaining('head') }])
  expect(clock.waiting()).toBe(0)
  await store.close()
})

it('[R80] a body whose file is missing fails alone', async () => {
  const { store, states } = await openLimited()
  const { epoch, seq } = await store.journal.take('north')
  const { sha } = await store.bodies.put(noise(100_000, 1), 'text/plain')
  await rm(join(folder, 'bodies', sha.slice(0, 2), sha))
  await expect(store.bodies.get(sha)).rejects.toThrow('ENOENT')
  expect(states).toEqual([])
  expect(await store.journal.append(epoch, seq, [batchItem('c1')])).toMatchObject({ r: 'OK' })
  await store.close()
})

it('[R80] a closed store does not look any more', async () => {
  const { store, clock, fill } = await openLimited()
  const { epoch, seq } = await store.journal.take('north')
  fill()
  await appendUntilFull(store, epoch, seq, 'a')
  expect(clock.waiting()).toBe(1)
  await store.close()
  expect(clock.waiting()).toBe(0)
  await expect(store.people.get('ana', 'k')).rejects.toThrow(/store (failed|is closed)/)
})

const canMount = process.env.CONVENE_ALL !== undefined && process.platform === 'linux' && process.getuid?.() === 0

it.skipIf(!canMount)(
  '[R80] a file system of 40 MB, full twice: nothing is lost, nothing doubled',
  { timeout: 120_000 },
  async () => {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'convene', folder])
    if (mounted.status !== 0) throw new Error(`no tmpfs: ${mounted.stderr}`)
    try {
      const clock = handClock()
      const store = await openSqliteStore(join(folder, 'data'), { schedule: clock.schedule })
      const all = new Map<string, number>()
      for (const round of ['a', 'b']) {
        const { epoch, seq } = await store.journal.take('north')
        const ballast = join(folder, 'ballast')
        const { bavail, bsize } = await statfs(folder)
        await writeFile(ballast, Buffer.alloc(bavail * bsize - 6_000_000))
        const { acknowledged } = await appendUntilFull(store, epoch, seq, round)
        for (const [id, last] of acknowledged) all.set(id, last)
        expect(store.state().is).toBe('refusing')
        expect((await store.journal.read(0, 10)).length).toBe(10)
        await rm(ballast)
        while (store.state().is !== 'ok') {
          clock.pass(PROBE_MS)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      await store.close()
      const later = await openSqliteStore(join(folder, 'data'))
      for (const [id, last] of all) expect((await later.journal.outcome(id, 'ana'))?.seq).toBe(last)
      const head = await later.journal.head()
      expect(head.seq).toBe(all.size + 2)
      await later.close()
      expect(all.size).toBeGreaterThan(100)
    } finally {
      spawnSync('umount', ['-l', folder])
    }
  },
)

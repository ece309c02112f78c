/** Several nodes on one database: the lease, who is let in, and what the others hear. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { DatabaseUnfitError, JournalTakenError, StoreLockedError, StoreTooNewError } from '@/server/store/errors'
import type { NodeSelf, StoreState } from '@/server/store/interfaces'
import { startChild } from '@/test/sqlite/children'
import { envelopeOf } from '@/test/storeContract/envelopes'
import { batchItem } from '@/test/storeContract/harness'
import { newSchema, testServer } from '../test'
import { closeNodes, openNode, selfOf } from '../test/nodes'
import { openPostgresStore } from './openPostgresStore'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 })

beforeAll(async () => {
  await testServer()
})
afterAll(closeNodes)

it('[R247] one of two nodes has the lease, the other hears who and where the journal ends, and cannot take it', async () => {
  const { url } = await newSchema()
  const north = await openNode(url, selfOf('north'))
  const south = await openNode(url, selfOf('south'))
  expect(await north.lease.hold()).toBeNull()
  const { seq } = await north.journal.take('north')
  expect(await south.lease.hold()).toMatchObject({ holder: { node: 'north', address: 'north:1' }, seq })
  await expect(south.journal.take('south')).rejects.toThrow(JournalTakenError)
})

it('[R247] [R252] a node that lets go is followed at once, and what it still appends is refused', async () => {
  const { url } = await newSchema()
  const north = await openNode(url, selfOf('north'))
  const south = await openNode(url, selfOf('south'))
  const { epoch, seq } = await north.journal.take('north')
  let hints = 0
  south.lease.onChange(() => {
    hints += 1
  })
  await north.lease.release()
  await vi.waitFor(() => expect(hints).toBeGreaterThan(0))
  expect(await south.lease.hold()).toBeNull()
  const took = await south.journal.take('south')
  expect(await north.journal.append(epoch, seq, [batchItem('late')])).toEqual({ r: 'FENCED', epoch: took.epoch })
  expect(await north.lease.hold()).toMatchObject({ holder: { node: 'south' } })
})

it('[R601] each node logs what it refuses, also while another one decides, and all read the same log', async () => {
  const { url } = await newSchema()
  const north = await openNode(url, selfOf('north'))
  const south = await openNode(url, selfOf('south'))
  const { epoch, seq } = await north.journal.take('north')
  const ids = Array.from({ length: 20 }, (_, n) => `e${n}`)
  await Promise.all([
    north.journal.append(epoch, seq, [batchItem('c1', undefined, { envelopes: [envelopeOf('taken')] })]),
    ...ids.map((id, n) => (n % 2 === 0 ? north : south).envelopes.add(envelopeOf(id))),
    // An answer that was lost: the same one again.
    ...ids.map((id) => south.envelopes.add(envelopeOf(id))),
  ])
  const read = async ({ envelopes }: typeof north) => (await envelopes.page({}, { limit: 100 })).envelopes
  expect((await read(north)).map(({ id }) => id).sort()).toEqual([...ids, 'taken'].sort())
  expect(await read(south)).toEqual(await read(north))
})

it('[R247] what one node appends is a hint for the others at once', async () => {
  const { url } = await newSchema()
  const north = await openNode(url, selfOf('north'))
  const { epoch, seq } = await north.journal.take('north')
  const timers: (() => void)[] = []
  const south = await openNode(url, selfOf('south'), {
    schedule: (run) => {
      timers.push(run)
      return () => {}
    },
  })
  const heard = new Promise<void>((resolve) => void south.lease.onChange(resolve))
  await north.journal.append(epoch, seq, [batchItem('c1')])
  // No timer of its ran.
  await heard
})

it('[R247] the lease of a node whose process was killed is free at once', async () => {
  const { url } = await newSchema()
  const child = startChild('node', url)
  await child.said((line) => line === 'READY')
  const south = await openNode(url, selfOf('south', { mark: 'child' }))
  expect(await south.lease.hold()).toMatchObject({ holder: { node: 'child' } })
  child.process.kill('SIGKILL')
  await child.ended
  const from = performance.now()
  await vi.waitFor(async () => expect(await south.lease.hold()).toBeNull(), { interval: 5 })
  // Its lease itself would last three seconds.
  expect(performance.now() - from).toBeLessThan(1_500)
})

it('[R260] nodes whose clocks are ten seconds apart have one time, and none of them takes a lease that another has', async () => {
  const { url } = await newSchema()
  const before = Date.now()
  const ahead = await openNode(url, selfOf('ahead'), { ownNow: () => Date.now() + 5_000 })
  const behind = await openNode(url, selfOf('behind'), { ownNow: () => Date.now() - 5_000 })
  expect(Math.abs(ahead.now() - behind.now())).toBeLessThan(1_000)
  const first = await behind.journal.take('behind').catch((error: unknown) => error)
  expect(first).toBeInstanceOf(JournalTakenError)
  const { epoch, seq } = await ahead.journal.take('ahead')
  await ahead.journal.append(epoch, seq, [batchItem('c1')])
  expect(await behind.lease.hold()).toMatchObject({ holder: { node: 'ahead' } })
  await ahead.lease.release()
  expect(await behind.lease.hold()).toBeNull()
  const next = await behind.journal.take('behind')
  await behind.journal.append(next.epoch, next.seq, [batchItem('c2')])
  expect(await ahead.lease.hold()).toMatchObject({ holder: { node: 'behind' } })
  const times = (await behind.journal.read(0, 10)).map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  for (const at of times) expect(at - before).toBeGreaterThanOrEqual(-1)
  for (const at of times) expect(at).toBeLessThanOrEqual(Date.now() + 1)
  // A deadline means the same at both.
  const dead = await behind.journal.append(next.epoch, (await behind.journal.head()).seq, [
    { ...batchItem('late'), until: Date.now() - 1_000 },
    { ...batchItem('living'), until: Date.now() + 4_000 },
  ])
  expect(dead).toEqual({ r: 'SORT', bad: { late: 'EXPIRED' } })
})

it('[R263] a node whose database a newer version brought to a form that it does not know ends in one sentence, and lets others decide', async () => {
  const { url, schema } = await newSchema()
  const north = await openNode(url, selfOf('north'))
  await north.journal.take('north')
  const states: StoreState[] = []
  north.onState((state) => states.push(state))
  await (await testServer()).ask(`insert into ${schema}.convene_form values (99)`)
  await vi.waitFor(() => expect(states).toHaveLength(1), 5_000)
  expect(states).toEqual([
    {
      is: 'lost',
      reason: expect.stringMatching(/^the data has format 99, this version reads up to \d+: start the newer/),
    },
  ])
  await north.close()
  await expect(openPostgresStore(url, { self: selfOf('south') })).rejects.toThrow(StoreTooNewError)
  // Who asks next has the lease at once.
  const rows = await (await testServer()).ask(`select pg_try_advisory_lock(lock) as free from ${schema}.head`)
  expect(rows).toEqual([{ free: true }])
})

it('[R253] a node is refused in words where it has no key, another key, the name of another, or a move is under way', async () => {
  const { url } = await newSchema()
  const north = await openNode(url, selfOf('north'))
  await north.journal.take('north')
  const refused = async (self: NodeSelf | undefined): Promise<unknown> =>
    openPostgresStore(url, self ? { self } : {}).then(
      () => null,
      (error: unknown) => error,
    )
  const [keyless, other, named, alone] = await Promise.all([
    refused(selfOf('south', { address: null, mark: '' })),
    refused(selfOf('south-2', { mark: 'another' })),
    refused(selfOf('north')),
    refused(undefined),
  ])
  expect(keyless).toBeInstanceOf(StoreLockedError)
  expect(String(keyless)).toContain('for several nodes set CONVENE_SECRET_KEY')
  expect(other).toBeInstanceOf(DatabaseUnfitError)
  expect(String(other)).toContain('node north on')
  expect(String(named)).toContain('CONVENE_NODE')
  expect(alone).toBeInstanceOf(StoreLockedError)
  await north.close()
  const move = await openPostgresStore(url)
  expect(await refused(selfOf('south'))).toBeInstanceOf(StoreLockedError)
  await move.close()
})

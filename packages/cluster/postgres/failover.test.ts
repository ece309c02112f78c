/** A PostgreSQL whose standby takes its place, by one address, while nodes hold the database. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { StoreUnansweredError } from '@/server/store/errors'
import { batchItem } from '@/test/storeContract/harness'
import { openTestLink, type TestLink } from '@/test/testLink'
import { newSchema, startServer, type TestServer } from '../test'
import { closeNodes, openNode, type StoreNode, selfOf } from '../test/nodes'
import { openUnheld } from '../test/openUnheld'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const servers: TestServer[] = []
let primary: TestServer
let standby: TestServer
let link: TestLink
let schema: string
let north: StoreNode
let south: StoreNode

beforeAll(async () => {
  primary = await startServer()
  servers.push(primary)
  standby = await follow(primary)
  link = await openTestLink(portOf(primary))
  const made = await newSchema(primary)
  schema = made.schema
  const url = made.url.replace(`:${portOf(primary)}/`, `:${link.port}/`)
  north = await openNode(url, selfOf('north'))
  // It writes nothing of its own.
  south = await openNode(url, selfOf('south'), { sessionLifeS: 1 })
})
afterAll(async () => {
  await closeNodes()
  await link.close()
  for (const server of servers) await server.remove()
})

it('[R285] when a standby takes the place of PostgreSQL, what was acknowledged is there, and each node holds its lock and its name at it', async () => {
  const { epoch, seq } = await north.journal.take('north')
  expect((await north.journal.append(epoch, seq, [batchItem('c1')])).r).toBe('OK')
  let [ofNorth, ofSouth] = [0, 0]
  await primary.stop('kill')
  link.pointAt(portOf(standby), 'cut')
  north.lease.onChange(() => {
    ofNorth += 1
  })
  south.lease.onChange(() => {
    ofSouth += 1
  })
  // The first one may meet a session whose end is not noticed yet.
  await vi.waitFor(() => expect(north.journal.head()).rejects.toThrow(/standby, which cannot be written/))
  expect(north.state().is).toBe('refusing')
  // Both tried to take their places at a server that cannot give them yet.
  await vi.waitFor(() => expect(Math.min(ofNorth, ofSouth)).toBeGreaterThan(1), 10_000)
  await standby.ask('select pg_promote()')
  await waitForBoth(standby)
  expect(await north.lease.hold()).toBeNull()
  expect(await south.lease.hold()).toMatchObject({ holder: { node: 'north' }, seq: seq + 1 })
  const again = await north.journal.take('north')
  const heard = new Promise<void>((resolve) => void south.lease.onChange(resolve))
  expect((await north.journal.append(again.epoch, again.seq, [batchItem('c2')])).r).toBe('OK')
  await heard
  expect((await south.journal.read(seq, 10)).map(({ cause }) => cause)).toEqual(['c1', 'take:2', 'c2'])
  expect((await north.verify()).damage).toEqual([])
})

it('[R286] the server of before comes back as if it were in place: no node asks it, and it acknowledges nothing under a lease of before', async () => {
  await primary.start()
  expect(await primary.ask('select pg_is_in_recovery() as is_standby')).toEqual([{ is_standby: false }])
  const former = await openUnheld(`${primary.url}?schema=${schema}`, { now: Date.now })
  const { epoch, seq } = await former.journal.head()
  const late = former.journal.append(epoch, seq, [batchItem('late')]).catch((error: unknown) => error)
  await vi.waitFor(async () => expect(await primary.ask(WAITING)).toHaveLength(1), 10_000)
  expect((await former.journal.head()).seq).toBe(seq)
  // The one that waits and the one that read the head.
  expect(await primary.ask(SESSIONS)).toHaveLength(2)
  await primary.stop('crash')
  expect(await late).toBeInstanceOf(StoreUnansweredError)
  await former.close()
})

it('[R286] a node whose sessions stay at the server of before leaves them as soon as it meets the one in its place', async () => {
  const before = standby
  standby = await follow(before)
  expect(await north.lease.hold()).toBeNull()
  const { epoch, seq } = await north.journal.take('north')
  await standby.ask('select pg_promote()')
  link.pointAt(portOf(standby), 'kept')
  // The former primary waits for its standby, which is none any more, and does not say so; a new session meets the new one.
  const first = await north.journal.append(epoch, seq, [batchItem('c3')]).then(
    ({ r }) => r,
    (error: unknown) => error,
  )
  if (first !== 'OK') expect(first).toBeInstanceOf(StoreUnansweredError)
  await waitForBoth(standby)
  expect(await before.ask(LOCKS)).toEqual([])
  expect(await north.lease.hold()).toBeNull()
  const again = await north.journal.take('north')
  if (first !== 'OK') expect((await north.journal.append(again.epoch, again.seq, [batchItem('c3')])).r).toBe('OK')
  const causes = (await south.journal.read(seq, 10)).map(({ cause }) => cause)
  expect(causes.filter((cause) => cause === 'c3')).toEqual(['c3'])
})

/** What names a node and what its lease goes by. */
const LOCKS = `select pid from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted`
const WAITING = `select pid from pg_stat_activity where wait_event = 'SyncRep' and query like 'select append%'`
const SESSIONS = `select pid from pg_stat_activity where application_name = 'convene'`

async function waitForBoth(server: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      expect([north.state().is, south.state().is]).toEqual(['ok', 'ok'])
      expect(await server.ask(LOCKS)).toHaveLength(4)
    },
    { timeout: 60_000, interval: 100 },
  )
}

async function follow(server: TestServer): Promise<TestServer> {
  const made = await server.startStandby()
  servers.push(made)
  return made
}

const portOf = ({ url }: TestServer): number => Number(new URL(url).port)

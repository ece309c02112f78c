/** A team moved to PostgreSQL and back. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { emptyWorld } from '@/lib/mas/reduce'
import { moveStore } from '@/server/backup'
import { readOn } from '@/server/backup/checkRestored'
import { type BatchItem, openStore, type Store, type StorePlace } from '@/server/store'
import { envelopeOf } from '@/test/storeContract/envelopes'
import { batchItem, bodyOfBytes, noise, textBody } from '@/test/storeContract/harness'
import { walk } from '@/test/worldHistories'
import { newSchema, testServer } from '../test'

let root = ''
const folder = (name: string): StorePlace => ({ databaseUrl: null, dataFolder: join(root, name) })
beforeAll(async () => {
  await testServer()
}, 90_000)
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-move-'))
})
afterEach(() => rm(root, { recursive: true }))

const large = bodyOfBytes(noise(70_000, 3))
const FAULT = { code: 'BAD_INPUT', data: { why: 'it is not' }, message: 'No.' }

/** An embedded team with something in every table. out: a session's token */
async function fill(place: StorePlace): Promise<string> {
  const { journal, bodies, people, accounts, snapshots, envelopes, close } = await openStore(place)
  let { epoch, seq } = await journal.take('north')
  const append = async (...batch: BatchItem[]) => {
    const answer = await journal.append(epoch, seq, batch)
    if (answer.r !== 'OK') throw new Error(answer.r)
    seq = answer.last
  }
  const { entries } = walk([])
  for (let n = 0; n < entries.length; n += 5) {
    const events = entries.slice(n, n + 5).map(({ event }) => ({ ...event }))
    await append(
      batchItem(`c${n}`, events, { bodies: [textBody(`body ${n} `.repeat(50))], reply: { n }, session: 's1' }),
    )
  }
  const until = Date.now() + 60_000
  await append(
    batchItem('large', [], { bodies: [large], reply: 'kept' }),
    batchItem('refused', [], { fault: FAULT, until }),
  )
  await bodies.forget([textBody('body 0 '.repeat(50)).sha], Date.now() + 1)
  await journal.forgetOutcomes(until + 3 * 24 * 3_600_000)
  await append(batchItem('late', [], { fault: FAULT, until }))
  await people.put('ana', 'draft:x', { text: 'half a sentence' }, null)
  await people.put('ana', 'draft:x', { text: 'another' }, null)
  await people.put('ana', 'gone', 1, null)
  await people.remove('ana', 'gone')
  for (const id of ['e1', 'e2']) await envelopes.add(envelopeOf(id))
  await accounts.setPassword('ana', '$argon2id$1')
  await accounts.keepKey('k1', 'sealed')
  await accounts.makeLink('ben', 4_000_000_000_000)
  const token = await accounts.startSession('ana', {
    agent: 'Firefox',
    address: '192.0.2.7',
    expiresAt: 4_000_000_000_000,
  })
  await snapshots.save({ key: 'world', seq: 3, reducer: 1, at: 5, data: new Uint8Array(20_000).fill(3) })
  await close()
  return token
}

async function contentOf(place: StorePlace, token: string) {
  const store: Store = await openStore(place)
  try {
    const { journal, people, accounts, archive, bodies, snapshots } = store
    const session = await accounts.session(token)
    const { acts } = await archive.acts({
      before: 1e9,
      look: 1e4,
      from: null,
      to: null,
      by: null,
      types: null,
      task: null,
    })
    const entries = await journal.read(0, 100_000)
    const shas = entries.map((_, n) => textBody(`body ${n} `.repeat(50)).sha)
    return {
      id: journal.id,
      head: await journal.head(),
      entries,
      world: JSON.stringify(await readOn(store, emptyWorld)),
      outcomes: await Promise.all(
        ['c0', 'c5', 'large', 'refused', 'late', 'take:1'].map((id) => journal.outcome(id, 'ana')),
      ),
      rows: [await people.list('ana', ''), await people.put('ana', 'gone', 2, 1)],
      accounts: [
        await accounts.passwordHash('ana'),
        await accounts.keys(),
        session,
        await accounts.originsOf([session?.id ?? '']),
      ],
      acts: [...new Map(acts.map(({ last, session: where }) => [last, where]))],
      bodies: [await bodies.get(large.sha), ...(await Promise.all(shas.map((sha) => bodies.get(sha))))],
      envelopes: await store.envelopes.page({}, { limit: 10 }),
      snapshots: await snapshots.newest('world', 1),
      verified: await store.verify(),
    }
  } finally {
    await store.close()
  }
}

it('[R245] an embedded team that is moved to PostgreSQL and back gives the same world, and all beside the journal', {
  timeout: 60_000,
}, async () => {
  const database: StorePlace = { databaseUrl: (await newSchema()).url, dataFolder: root }
  const token = await fill(folder('first'))
  const counts = await moveStore(folder('first'), database)
  expect(await moveStore(database, folder('second'))).toEqual(counts)
  const [first, between, second] = [
    await contentOf(folder('first'), token),
    await contentOf(database, token),
    await contentOf(folder('second'), token),
  ]
  expect(counts).toMatchObject({ rows: 9 + first.acts.length, snapshots: 1 })
  expect(first.acts.length).toBeGreaterThan(10)
  expect(first.verified.damage).toEqual([])
  expect(first.entries.length).toBe(counts.entries)
  expect(between).toEqual(first)
  expect(second).toEqual(first)
  for (const place of [database, folder('second')]) {
    const { envelopes, close } = await openStore(place)
    await envelopes.add(envelopeOf('e3'))
    expect((await envelopes.page({}, { limit: 2 })).envelopes.map(({ id }) => id)).toEqual(['e3', 'e2'])
    await close()
  }
})

it('[R245] what is damaged, what is in use and what is full is not moved, and nothing is left half', {
  timeout: 60_000,
}, async () => {
  const { url, schema, drop } = await newSchema()
  const database: StorePlace = { databaseUrl: url, dataFolder: root }
  await fill(folder('first'))
  const held = await openStore(folder('first'))
  await expect(moveStore(folder('first'), database)).rejects.toThrow(/is in use by process/)
  await held.close()
  const damage = new Database(join(root, 'first', 'convene.db'))
  damage.exec("update entry set event = json_set(event, '$.v', 9) where seq = 20")
  damage.close()
  await expect(moveStore(folder('first'), database)).rejects.toThrow(
    /convene.db is damaged at decision .*its hash is another one/,
  )
  const { ask } = await testServer()
  expect(
    await ask(`select (select count(*)::integer from ${schema}.entry) as entries, seq::integer from ${schema}.head`),
  ).toEqual([{ entries: 0, seq: 0 }])
  const repair = new Database(join(root, 'first', 'convene.db'))
  repair.exec("update entry set event = json_set(event, '$.v', 1) where seq = 20")
  repair.close()
  await moveStore(folder('first'), database, { withSnapshots: false })
  await expect(moveStore(folder('first'), database)).rejects.toThrow(/holds a journal already/)
  await expect(moveStore(database, folder('first'))).rejects.toThrow(/is not empty/)
  await ask(`update ${schema}.entry set event = replace(event, '"v":1', '"v":9') where seq = 20`)
  await expect(moveStore(database, folder('third'))).rejects.toThrow(
    /^the database is damaged at decision .*its hash is another one/,
  )
  await drop()
})

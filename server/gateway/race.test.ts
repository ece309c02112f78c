/**
 * Two people answer the same request at about the same time, over real connections: one answer counts, the other person
 * is told, and both screens end in the same state.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeEntry } from '@/lib/mas/decode'
import { event } from '@/lib/mas/events'
import { asId, type RequestId } from '@/lib/mas/ids'
import type { MeRow } from '@/lib/wire'
import { openMonitor } from '../monitor'
import { attachSockets } from './sockets/sockets'
import { type Double, openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

const ROUNDS = process.env.CONVENE_ALL ? 200 : 40
const SEED = 41
/** Both answer within this time; a request takes a few ms. */
const SPREAD_MS = 6
const AT_ONCE = 8

/** Pseudo-random numbers from 0 to 1, from a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const requestOf = (n: number): RequestId => asId<RequestId>(`00000000-0000-4000-8000-${900_000_000_000 + n}`)

const opened = (n: number) =>
  event('request.opened', {
    task: ID.prices,
    request: requestOf(n),
    seed: {
      kind: 'answer',
      asked: [ID.ana, ID.ben],
      asker: ID.reader,
      type: 'urgent',
      message: null,
      step: null,
      stage: ID.stage,
      lock: null,
      thread: null,
      number: 10 + n,
      question: `Which price holds in list ${n}?`,
      choices: [],
      call: null,
      fingerprint: 'f',
    },
  })

/** Sockets on the engine of the test, for pages of Ana and Ben. */
async function openSockets({ engine, store }: Double): Promise<string> {
  const monitor = openMonitor({
    engine,
    journal: 'j',
    run: 'r',
    now: Date.now,
    schedule: (run, ms) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  const http = createServer()
  const sockets = attachSockets(http, {
    engine,
    monitor,
    sessionOf: ({ cookie }) => ({ person: cookie === 'ana' ? ID.ana : ID.ben, sessionId: cookie ?? '' }),
    isOurs: () => true,
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await sockets.close()
    monitor.close()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

/** The requests in this person's inbox, from the frames of the socket. */
function inboxOf(url: string, cookie: string): { stands: () => string[] } {
  const rows = new Map<string, MeRow>()
  const socket = io(url, { transports: ['websocket'], forceNew: true, extraHeaders: { cookie } })
  socket.on('connect', () => socket.emit('subscribe', { sub: 'me', asked: 1, view: 'me' }))
  const set = (some: MeRow[]): void => {
    for (const row of some) rows.set(row.id, row)
  }
  socket.on('reset', (message: { rows: MeRow[] }) => set(message.rows))
  socket.on('frame', (message: { set: MeRow[]; del: string[] }) => {
    set(message.set)
    for (const id of message.del) rows.delete(id)
  })
  onTestFinished(() => void socket.close())
  return {
    stands: () =>
      [...rows.values()].flatMap((row) =>
        row.kind === 'request' && row.request.asked.length === 2 ? [row.request.state] : [],
      ),
  }
}

describe('two people who answer one request', () => {
  it(`[R5] ${ROUNDS} times at random moments one answer counts, and the second person is told who was first`, async () => {
    const random = randomOf(SEED)
    const town = await openDouble()
    const url = await openSockets(town)
    const screens = [inboxOf(url, 'ana'), inboxOf(url, 'ben')]
    const people = [
      { name: 'Ana', id: ID.ana, cookie: await town.signIn(ID.ana) },
      { name: 'Ben', id: ID.ben, cookie: await town.signIn(ID.ben) },
    ]
    const wins = { Ana: 0, Ben: 0 }
    /** One request that both answer. */
    async function race(n: number): Promise<void> {
      await town.engine.put([opened(n)])
      const answer = async (person: (typeof people)[number]) => {
        const body = { id: randomUUID(), until: town.clock.now + 30_000, decision: 'answer', text: `by ${person.name}` }
        const waitMs = random() * SPREAD_MS
        if (waitMs >= 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
        const path = `/api/requests/${requestOf(n)}/answer`
        const head = { cookie: person.cookie, body: { ...body, arguments: null, digest: null } }
        const first = await town.call('POST', path, head)
        // A repeat after a lost answer has the same outcome.
        if (random() < 0.2) expect(await town.call('POST', path, head)).toMatchObject({ status: first.status })
        return { ...person, ...first }
      }
      // The order is random too.
      const order = random() < 0.5 ? people : people.toReversed()
      const came = await Promise.all(order.map(answer))
      const first = came.find(({ status }) => status === 200)
      const second = came.find(({ status }) => status !== 200)
      if (!first || !second) throw new Error(`round ${n}: ${came.map(({ status }) => status)}`)
      const record = town.engine.world().requests[ID.prices]?.[requestOf(n)]
      expect(record).toMatchObject({ state: 'answered', answer: { by: first.id, text: `by ${first.name}` } })
      expect(second).toMatchObject({ status: 409, json: { error: 'REQUEST_OVER', details: { by: first.name } } })
      wins[first.name === 'Ana' ? 'Ana' : 'Ben'] += 1
    }
    for (let n = 0; n < ROUNDS; n += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(n + index)))
    }
    // Each was first often enough to call it random.
    expect(Math.min(wins.Ana, wins.Ben)).toBeGreaterThan(ROUNDS / 10)
    const entries = (await town.store.journal.read(0, 100_000)).map(decodeEntry)
    const answers = entries.flatMap(({ event }) => (event.type === 'request.answered' ? [event.request] : []))
    expect(answers).toHaveLength(ROUNDS)
    expect(new Set(answers).size).toBe(ROUNDS)
    for (const { stands } of screens) await expect.poll(() => stands().filter((state) => state === 'open')).toEqual([])
    for (const { stands } of screens) expect(stands()).toContain('answered')
  })
})

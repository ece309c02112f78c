/** Whatever is swept, nothing that is kept lacks a body: over random tasks that share bodies, and over a true team's run. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { momentKey, type NewBody, type Store, type StoredEvent } from '../../store'
import { createSweeper } from './sweep'

const DAY = 24 * 3_600_000
const KEEP = 10 * DAY
const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A task or thread of a history: the bodies that it names (by number, so that several share them), and whether it is over. */
type Piece = { names: number[]; items: number[]; isThread: boolean; archivedDaysAgo: number | null }

const text = (n: number): string => `body ${n} ${'x'.repeat((n % 3) * 5_000)}`
const bodyOf = (content: string): NewBody => ({
  sha: shaOf(content),
  bytes: new TextEncoder().encode(content),
  mime: 'text/plain',
})
const isIn = async (store: Store, sha: string): Promise<boolean> => (await store.bodies.get(sha)) !== null
const refTo = (content: string) => ({ sha: shaOf(content), bytes: content.length, preview: '', mime: 'text/plain' })

/** What a piece stores and names, and all bodies that are reached from it. */
function contentsOf(piece: Piece): { events: StoredEvent[]; bodies: NewBody[]; reached: Set<string> } {
  const bodies = piece.names.map((n) => bodyOf(text(n)))
  const listed = (...entries: object[]): { list: string; bytes: number } => {
    const list = bodyOf(JSON.stringify(entries))
    bodies.push(list)
    return { list: list.sha, bytes: list.bytes.length }
  }
  const turn = (content: string) => {
    bodies.push(bodyOf(content))
    return { role: 'user', name: 'history_step', sha: shaOf(content), bytes: content.length }
  }
  let items = listed(turn('rules of all'))
  for (const n of piece.items) items = listed(items, turn(text(n)))
  const { list, bytes } = listed(items, { role: 'user', name: 'current_step', text: 'now' })
  const prompt = { sha: list, bytes }
  const events = [
    ...piece.names.map((n) => ({ type: 'step.finished', v: 1, result: { body: refTo(text(n)) } })),
    { type: 'model.called', v: 1, call: { prompt } },
  ]
  return { events, bodies, reached: new Set(bodies.map(({ sha }) => sha)) }
}

async function play(pieces: Piece[]) {
  const clock = { now: 2_000_000_000_000 - 100 * DAY }
  const store = memoryStore({ data: memoryData(), now: () => clock.now })
  let { epoch, seq } = await store.journal.take('n1')
  const append = async (events: StoredEvent[], bodies: NewBody[] = []) => {
    const answer = await store.journal.append(epoch, seq, [{ id: `c${seq}`, by: 'n1', events, bodies }])
    if (answer.r !== 'OK') throw new Error(answer.r)
    seq = answer.last
  }
  for (const [n, piece] of pieces.entries()) {
    const { events, bodies } = contentsOf(piece)
    const owner = piece.isThread ? { task: 'base', step: `s${n}` } : { task: `t${n}`, step: `s${n}` }
    const made = { type: 'step.added', v: 1, ...owner, ...(piece.isThread ? { thread: `th${n}` } : {}) }
    await append([made, ...events.map((event) => ({ ...event, ...owner }))], bodies)
  }
  const end = 2_000_000_000_000
  const left = pieces
    .map((piece, n) => ({ piece, n }))
    .filter(({ piece }) => piece.archivedDaysAgo !== null)
    .sort((one, other) => (other.piece.archivedDaysAgo ?? 0) - (one.piece.archivedDaysAgo ?? 0))
  for (const { piece, n } of left) {
    clock.now = Math.max(clock.now, end - (piece.archivedDaysAgo ?? 0) * DAY)
    const event = piece.isThread
      ? { type: 'thread.retired', v: 1, task: 'base', thread: `th${n}`, agents: [] }
      : { type: 'task.archived', v: 1, task: `t${n}`, agents: [] }
    await append([event])
  }
  clock.now = end
  return { store, clock, append }
}

const isDue = (piece: Piece): boolean => piece.archivedDaysAgo !== null && piece.archivedDaysAgo >= 10
const sweeperOf = ({ store }: Awaited<ReturnType<typeof play>>, named: string[] = []) =>
  createSweeper({ store, keepMs: KEEP, named: async () => named, turn: async () => {} })

const anyPiece: fc.Arbitrary<Piece> = fc.record({
  names: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
  items: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
  isThread: fc.boolean(),
  archivedDaysAgo: fc.option(fc.integer({ min: 2, max: 60 })),
})

describe('[R51] sweeping bodies', () => {
  it('removes exactly those that nothing kept names or reaches, whatever tasks and threads share', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPiece, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const world = await play(pieces)
        const kept = new Set(pieces.filter((one) => !isDue(one)).flatMap((one) => [...contentsOf(one).reached]))
        const all = new Set(pieces.flatMap((one) => [...contentsOf(one).reached]))
        const count = await sweeperOf(world)(world.clock.now)
        for (const sha of all) expect(await isIn(world.store, sha)).toBe(kept.has(sha))
        expect(count).toBe(all.size - kept.size)
      }),
      { numRuns: process.env.CONVENE_ALL ? 2_000 : 75 },
    )
  })

  const old: Piece = { names: [1, 2], items: [3], isThread: false, archivedDaysAgo: 20 }

  it("keeps what a person's own row names, and what was put within a day", async () => {
    const world = await play([old])
    await world.store.bodies.put(new TextEncoder().encode(text(2)), 'text/plain')
    await sweeperOf(world, [shaOf(text(1))])(world.clock.now)
    const has = (n: number) => isIn(world.store, shaOf(text(n)))
    expect([await has(1), await has(2), await has(3)]).toEqual([true, true, false])
  })

  it('looks once a day, and only when an archive has come of age', async () => {
    const world = await play([old, { ...old, names: [7], archivedDaysAgo: 9 }])
    const sweep = sweeperOf(world)
    expect(await sweep(world.clock.now)).toBeGreaterThan(0)
    expect(await sweep(world.clock.now + DAY / 2)).toBe(0)
    expect(await isIn(world.store, shaOf(text(7)))).toBe(true)
    expect(await sweep(world.clock.now + 2 * DAY)).toBeGreaterThan(0)
    expect(await isIn(world.store, shaOf(text(7)))).toBe(false)
    expect(await sweep(world.clock.now + 4 * DAY)).toBe(0)
  })

  it('[R635] the stored points of a task go with its archive, and those of others stay', async () => {
    const world = await play([old, { ...old, archivedDaysAgo: null }])
    const { snapshots } = world.store
    for (const task of ['t0', 't1'])
      for (const part of ['left', 'world'] as const)
        await snapshots.save({ key: momentKey(task, part), seq: 3, reducer: 1, at: 1, data: new Uint8Array(1) })
    await sweeperOf(world)(world.clock.now)
    expect((await snapshots.list()).map(({ key }) => key)).toEqual([momentKey('t1', 'left'), momentKey('t1', 'world')])
  })

  it('keeps what an entry names that came while it looked', async () => {
    const world = await play([old])
    let isFirst = true
    const sweep = createSweeper({
      store: world.store,
      keepMs: KEEP,
      named: async () => {
        if (isFirst)
          await world.append([{ type: 'step.finished', v: 1, task: 'new', result: { body: refTo(text(1)) } }])
        isFirst = false
        return []
      },
      turn: async () => {},
    })
    await sweep(world.clock.now)
    expect(await isIn(world.store, shaOf(text(1)))).toBe(true)
    expect(await isIn(world.store, shaOf(text(2)))).toBe(false)
  })

  it('leaves an archive alone for as long as it is to be kept, and to the moment no longer', async () => {
    for (const [days, isGone] of [
      [10, true],
      [9.99, false],
    ] as const) {
      const world = await play([{ ...old, archivedDaysAgo: days }])
      expect([days, (await sweeperOf(world)(world.clock.now)) > 0]).toEqual([days, isGone])
    }
  })

  it('leaves an archive of the last 24 hours alone, however short it is to be kept', async () => {
    for (const [days, isGone] of [
      [1, true],
      [0.99, false],
    ] as const) {
      const world = await play([{ ...old, archivedDaysAgo: days }])
      const sweep = createSweeper({ store: world.store, keepMs: 0, named: async () => [], turn: async () => {} })
      // What was put within a day stays for its own reason: it is older here.
      world.clock.now += days === 1 ? 0 : -1
      expect([days, (await sweep(world.clock.now)) > 0]).toEqual([days, isGone])
    }
  })

  it('sweeps again when a day has passed since, not a moment before', async () => {
    const world = await play([old, { ...old, names: [7], archivedDaysAgo: 9.5 }])
    const sweep = sweeperOf(world)
    expect(await sweep(world.clock.now)).toBeGreaterThan(0)
    expect(await sweep(world.clock.now + DAY - 1)).toBe(0)
    expect(await sweep(world.clock.now + DAY)).toBeGreaterThan(0)
  })

  it('counts a thread by the message that began it, which names no thread, and by steps once they were named in it', async () => {
    const clock = { now: 2_000_000_000_000 - 50 * DAY }
    const store = memoryStore({ data: memoryData(), now: () => clock.now })
    const { epoch, seq } = await store.journal.take('n1')
    const names = (n: number, event: object): StoredEvent => ({
      type: 'x',
      v: 1,
      task: 'base',
      result: { body: refTo(text(n)) },
      ...event,
    })
    // More entries than are read at a time come before.
    const before = Array.from({ length: 450 }, (): StoredEvent => {
      return { type: 'step.finished', v: 1, task: 'base', step: 's0' }
    })
    const events = [
      ...before,
      names(1, { type: 'message.sent', message: 'th' }),
      names(2, { type: 'message.sent', message: 'm2', thread: 'th' }),
      names(3, { type: 'step.added', step: 's1', thread: 'th' }),
      names(4, { type: 'step.finished', step: 's1' }),
      // Of another thread, of none, and a fact about the first message that is no message.
      names(5, { type: 'message.sent', message: 'm5', thread: 'other' }),
      names(6, { type: 'step.finished', step: 's2' }),
      names(7, { type: 'message.delivery', message: 'th' }),
      { type: 'thread.retired', v: 1, task: 'base', thread: 'th', agents: [] },
    ]
    const bodies = [1, 2, 3, 4, 5, 6, 7].map((n) => bodyOf(text(n)))
    await store.journal.append(epoch, seq, [{ id: 'c', by: 'n1', events, bodies }])
    clock.now += 40 * DAY
    const sweep = createSweeper({ store, keepMs: KEEP, named: async () => [], turn: async () => {} })
    expect(await sweep(clock.now)).toBe(4)
    const has = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => isIn(store, shaOf(text(n)))))
    expect(has).toEqual([false, false, false, false, true, true, true])
  })

  it('reads each body that holds others once, however often it is named', async () => {
    const world = await play([old, { ...old, archivedDaysAgo: 30 }])
    const read: string[] = []
    const { bodies } = world.store
    const sweep = createSweeper({
      store: {
        ...world.store,
        bodies: {
          ...bodies,
          get(sha) {
            read.push(sha)
            return bodies.get(sha)
          },
        },
      },
      keepMs: KEEP,
      named: async () => [],
      turn: async () => {},
    })
    expect(await sweep(world.clock.now)).toBeGreaterThan(0)
    expect(read.length).toBeGreaterThan(0)
    expect(read).toHaveLength(new Set(read).size)
  })
})

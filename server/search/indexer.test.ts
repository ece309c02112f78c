/** Filling the search: what is found after any crash is what a search made anew finds. */
import { describe, expect, it } from 'vitest'
import { queryOf } from '@/lib/format/searchWords'
import { type Entry, event } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import { writeHandoff } from '@/lib/protocols/harmony/handoff'
import { handClock } from '@/test/handClock'
import { apply, beginning, entriesOf, eventsOf, MAKER_NAMES } from '@/test/histories'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { sampleShapeOf } from '@/test/samples'
import type { Store } from '../store'
import { openSearchIndexer } from './indexer'
import { LINE_KINDS, searchLineOf } from './lines'

type Town = {
  data: ReturnType<typeof memoryData>
  store: Store
  world: () => World
  act: (n: number) => Promise<Entry[]>
}

/** A journal that a random history writes. */
async function town(): Promise<Town> {
  const data = memoryData()
  const store = memoryStore({ data })
  const start = beginning()
  let { world } = start
  const { epoch, seq } = await store.journal.take('n')
  let head = seq
  const append = async (entries: Entry[]): Promise<void> => {
    const events = entries.map(({ event }) => ({ ...event }))
    const answer = await store.journal.append(epoch, head, [{ id: `c${head}`, by: 'test', events }])
    if (answer.r !== 'OK') throw new Error(answer.r)
    head = (await store.journal.head()).seq
  }
  await append(start.entries)
  return {
    data,
    store,
    world: () => ({ ...world, seq: head }),
    async act(n) {
      const entries = entriesOf(world, eventsOf(world, [n % MAKER_NAMES.length, n * 7, n * 13]))
      if (entries.length === 0) return []
      world = apply(world, entries)
      const from = head
      await append(entries)
      return entries.map((entry, at) => ({ ...entry, seq: from + 1 + at }))
    },
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

function fillerOf({ world }: Town, store: Pick<Store, 'journal' | 'search'>, clock = handClock()) {
  const troubles: unknown[] = []
  let tell: (entries: Entry[]) => void = () => undefined
  const filler = openSearchIndexer({
    store,
    world,
    onDecision: (listener) => {
      tell = listener
      return () => {
        tell = () => undefined
      }
    },
    schedule: clock.schedule,
    onTrouble: (error) => troubles.push(error),
  })
  const pass = async (ms: number): Promise<void> => {
    clock.pass(ms)
    await settle()
  }
  return { filler, troubles, pass, tell: (entries: Entry[]) => tell(entries) }
}

const isAdded = (type: string): boolean => type === 'step.added' || type === 'step.added'

/** All that can be found by the words that the histories use, and all steps. */
async function allOf({ search, steps, journal }: Store): Promise<string[]> {
  const found: string[] = []
  const entries = await journal.read(0, 100_000)
  const words = new Set(
    entries.flatMap((entry) => (searchLineOf(entry as Entry)?.text ?? '').split(/\W+/u).filter(Boolean)),
  )
  for (const kind of LINE_KINDS) {
    for (const word of words) {
      const wish = { parts: queryOf(word), kind, tasks: null, before: Number.MAX_SAFE_INTEGER, limit: 10_000 }
      found.push(`${kind} ${word}: ${(await search.find(wish)).join()}`)
    }
  }
  const tasks = new Set(entries.flatMap(({ event: { task } }) => (typeof task === 'string' ? [task] : [])))
  for (const task of tasks) {
    const rows = await steps.newestSteps(task, {}, Number.MAX_SAFE_INTEGER, 10_000)
    found.push(...rows.map((row) => `${task} ${JSON.stringify(row)}`))
    found.push(`${task} ${JSON.stringify(await steps.lanesOf(task))}`)
  }
  return found.sort()
}

describe('the filler of the search', () => {
  it('begins after the start, in slices, and takes decisions from then on', async () => {
    const here = await town()
    for (let n = 0; n < 500; n++) await here.act(n)
    const { filler, pass, tell, troubles } = fillerOf(here, here.store)
    expect(filler.upTo()).toBe(0)
    await pass(300)
    expect(filler.upTo()).toBe(200)
    for (let n = 0; n < 100; n++) await pass(10)
    expect(filler.upTo()).toBe(here.world().seq)
    const read = here.store.journal.read
    let reads = 0
    here.store.journal.read = (...at) => {
      reads += 1
      return read(...at)
    }
    const before = here.world().seq
    for (let n = 0; n < 30; n++) tell(await here.act(n))
    expect(here.world().seq).toBeGreaterThan(before)
    await pass(300)
    // What was just decided is at hand.
    expect([filler.upTo(), reads, troubles]).toEqual([here.world().seq, 0, []])
    await filler.stop()
  })

  it('[R48] continues after a crash at every point, and finds what a rebuilt index finds', async () => {
    const here = await town()
    for (let n = 0; n < 120; n++) await here.act(n)
    const fresh = memoryStore()
    for (let at = 1; at < 12; at++) {
      // This process dies at its n-th call of the store: nothing of it reaches the store from then on.
      let calls = 0
      const dying = <T extends object>(part: T): T =>
        new Proxy(part, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name)
            if (typeof value !== 'function') return value
            return (...args: unknown[]) => {
              calls += 1
              return calls >= at ? new Promise(() => undefined) : Reflect.apply(value, target, args)
            }
          },
        })
      const { pass } = fillerOf(here, { journal: dying(here.store.journal), search: dying(here.store.search) })
      for (let n = 0; n < 20; n++) await pass(300)
    }
    const last = fillerOf(here, here.store)
    for (let n = 0; n < 40; n++) await last.pass(300)
    expect(last.filler.upTo()).toBe(here.world().seq)
    const { epoch, seq } = await fresh.journal.take('n')
    const events = (await here.store.journal.read(seq, 100_000)).map(({ event }) => event)
    await fresh.journal.append(epoch, seq, [{ id: 'all', by: 'test', events }])
    const anew = fillerOf(here, fresh)
    for (let n = 0; n < 40; n++) await anew.pass(300)
    const found = await allOf(here.store)
    expect(found.length).toBeGreaterThan(20)
    const added = (await here.store.journal.read(0, 100_000)).filter(({ event }) => isAdded(event.type))
    expect(added.length).toBeGreaterThan(3)
    expect(found.filter((line) => line.includes('"step":'))).toHaveLength(added.length)
    expect(found).toEqual(await allOf(fresh))
  })

  it('begins anew when the index is ahead of the journal: it belongs to another one', async () => {
    const here = await town()
    here.data.search.cursor = 1_000_000
    const { filler, pass } = fillerOf(here, here.store)
    for (let n = 0; n < 20; n++) await pass(300)
    expect(filler.upTo()).toBe(here.world().seq)
  })
})

it('[R431] a message with a handoff packet is found by what the packet says, not by its JSON', () => {
  const packet = writeHandoff({
    protocol: 'harmony_handoff_v1',
    meta: { source_agent: 'Reader', target_agent: 'Analyst', timestamp: '2026-11-21T10:00:00Z' },
    context: {
      primary_objective: 'compare',
      status: 'in_progress',
      completed_steps: ['read the price lists'],
      next_immediate_step: 'total them',
      constraints: [],
      artifacts: {},
    },
  })
  const shape = { ...sampleShapeOf('message.sent'), instruction: null, text: `Please.\n\n${packet}` }
  const text = searchLineOf({ event: event('message.sent', shape) })?.text
  expect(text).toContain('read the price lists · total them')
  expect(text).not.toMatch(/harmony_handoff|source_agent|completed_steps/)
})

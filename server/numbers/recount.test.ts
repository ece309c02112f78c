/** Counters written with the appends, and recounted: both are what the journal says. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeEntry } from '@/lib/mas/decode'
import { type CounterRow, counterOf, HOUR_MS, mergedCounters } from '@/lib/mas/limits/counters'
import { handClock } from '@/test/handClock'
import { type Action, apply, beginning, entriesOf, eventsOf, MAKER_NAMES } from '@/test/histories'
import { memoryData, memoryStore } from '@/test/memoryStore'
import type { Store } from '../store'
import { countersOfErased } from './erasedCounters'
import { countersToDays, openRecount } from './recount'

const ALL = { from: 0, to: 10_000_000, tasks: null }
const KEYS = ['hour', 'task', 'agent', 'model'] as const

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}
const recounting = (store: Store, leads = () => true) => {
  const clock = handClock()
  const recount = openRecount({
    store,
    leads,
    schedule: clock.schedule,
    atOnce: 3,
    onTrouble: (error) => {
      throw error
    },
  })
  return { clock, recount }
}

/** A store in which random histories are appended with their counters, at times that go on. */
async function town() {
  const clock = { now: 1_000 * HOUR_MS }
  const data = memoryData()
  const store = memoryStore({ data, now: () => clock.now })
  const start = beginning()
  let { world } = start
  let { epoch, seq: head } = await store.journal.take('n')
  const append = async (events: { type: string; v: number }[]): Promise<void> => {
    const at = clock.now
    const counters = events.flatMap((event, n) => {
      const entry = decodeEntry({ seq: head + n + 1, at, by: 'test', cause: `c${head}`, event: { ...event } })
      return counterOf(entry) ?? []
    })
    const answer = await store.journal.append(epoch, head, [
      { id: `c${head}`, by: 'test', events: events.map((event) => ({ ...event })), counters },
    ])
    if (answer.r !== 'OK') throw new Error(answer.r)
    head = answer.last
  }
  await append(start.entries.map(({ event }) => event))
  return {
    store,
    data,
    async act([kind, pick, other]: Action) {
      clock.now += (pick % 7) * 600_000
      const entries = entriesOf(world, eventsOf(world, [kind % MAKER_NAMES.length, pick, other]))
      if (entries.length === 0) return
      world = apply(world, entries)
      await append(entries.map(({ event }) => event))
    },
    async takeOver() {
      const took = await store.journal.take('m')
      epoch = took.epoch
      head = took.seq
    },
  }
}

const sorted = (rows: readonly Partial<CounterRow>[]) =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort()

/** What the counters say. */
const summed = async ({ counters }: Store, by: readonly (typeof KEYS)[number][]) =>
  (await counters.sum(by, ALL)).map(({ groups: _, ...row }) => row)

/** What the journal says. */
const counted = async ({ journal }: Store): Promise<CounterRow[]> =>
  mergedCounters((await journal.read(0, 100_000)).flatMap((entry) => counterOf(decodeEntry(entry)) ?? []))

it('[R488] after any history, with takeovers and a recount in the middle of it, the counters are those of the journal', async () => {
  const action = fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000))
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 60 }),
      fc.nat(60),
      fc.nat(60),
      async (actions, recountAt, takeAt) => {
        const place = await town()
        const { clock, recount } = recounting(place.store)
        for (const [n, one] of actions.entries()) {
          if (n === takeAt) await place.takeOver()
          // The slices of the recount run between the appends.
          if (n >= recountAt) {
            clock.pass(5)
            await settle()
          }
          await place.act(one)
        }
        do {
          clock.pass(60_000)
          await settle()
        } while ((await place.store.counters.cursor()) < (await place.store.journal.head()).seq)
        await recount.stop()
        const rows = await summed(place.store, KEYS)
        expect(sorted(rows)).toEqual(sorted(await counted(place.store)))
        // And so they are when days are merged, but for the hours.
        await countersToDays(place.store.counters, 2_000 * HOUR_MS)
        const days = mergedCounters(
          (await counted(place.store)).map((row) => ({ ...row, hour: row.hour - (row.hour % 24) })),
        )
        expect(sorted(await summed(place.store, KEYS.slice(1)))).toEqual(
          sorted(mergedCounters(days.map((row) => ({ ...row, hour: 0 }))).map(({ hour: _, ...row }) => row)),
        )
      },
    ),
    { numRuns: 40, seed: 7 },
  )
})

it('[R488] only the node that decides recounts', async () => {
  const place = await town()
  let leads = false
  const { clock, recount } = recounting(place.store, () => leads)
  clock.pass(1)
  await settle()
  expect(await place.store.counters.cursor()).toBe(0)
  leads = true
  clock.pass(60_000)
  await settle()
  expect(await place.store.counters.cursor()).toBe(3)
  await recount.stop()
})

it('[R569] a recount after a task was erased gives the sums that were there before, with its own', async () => {
  const place = await town()
  for (let n = 0; n < 400; n++) await place.act([n, n * 7, n * 13])
  const counts = async (store: Store): Promise<string[]> => {
    const { clock, recount } = recounting(store)
    do {
      clock.pass(60_000)
      await settle()
    } while ((await store.counters.cursor()) < (await store.journal.head()).seq)
    await recount.stop()
    return sorted(await summed(store, KEYS))
  }
  const before = await counts(place.store)
  const task = (await place.store.counters.sum(['task'], ALL, { by: 'use', most: 1 }))[0]?.task ?? ''
  const counters = await countersOfErased(place.store, task)
  expect(counters.length).toBeGreaterThan(1)
  const copy = memoryStore({ now: () => 1_000 * HOUR_MS })
  const { epoch, seq } = await copy.journal.take('n')
  const erased = { type: 'task.erased', v: 1, task, from: 1, to: seq, counters }
  await copy.journal.append(epoch, seq, [{ id: 'c', by: 'test', events: [erased] }])
  const own = before.filter((row) => row.includes(task))
  expect(own.length).toBeGreaterThan(1)
  expect(await counts(copy)).toEqual(own)
})

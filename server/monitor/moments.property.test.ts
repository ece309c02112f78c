/** Over random histories: a moment of a task is what a page showed at that moment, and holds nothing that is closed now. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canReadMessage, canReadStep, canSeeRequest, taskAccessOf } from '@/lib/mas/access/access'
import type { Entry } from '@/lib/mas/events'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { MessageRecord, RequestRecord, World } from '@/lib/mas/records'
import { isStepOver } from '@/lib/mas/statuses'
import { stepsIn, stepsOfAll } from '@/lib/mas/steps/ownSteps'
import type { AnyRow } from '@/lib/wire/rows'
import { type ParsedView, parseView } from '@/lib/wire/views'
import { type Action, apply, beginning, entriesOf, eventsOf, MAKER_NAMES, PEOPLE, TASKS } from '@/test/histories'
import { memoryStore } from '@/test/memoryStore'
import { openTestMoments } from '@/test/testMoments'
import { freshRows } from '@/test/watching'
import { LEAVES } from '../engine/snapshots/restoredTasks'
import { type Archive, momentKey } from '../store'
import { momentStream, scopeOfMoment, worldOfMoment } from './moments'
import { accessLevelOf, seesThreadsOnly } from './scopes'

const isAll = process.env.CONVENE_ALL === '1'
const action: fc.Arbitrary<Action> = fc.tuple(fc.nat(4 * MAKER_NAMES.length - 1), fc.nat(60), fc.nat(60))
const history = fc.array(action, { minLength: 20, maxLength: 150, size: 'max' })

/** All entries, and the world at each without those by which records leave. */
function walk(actions: readonly Action[]): { entries: Entry[]; worlds: World[] } {
  const start = beginning()
  let [world, shown] = [start.world, start.world]
  const entries = [...start.entries]
  const worlds = [shown]
  for (const one of actions) {
    const made = entriesOf(world, eventsOf(world, one))
    if (made.length === 0 || made.some(({ event }) => event.type === 'task.erased')) continue
    const next = apply(world, made)
    if (isUnruly(world, next)) continue
    world = next
    shown = apply(
      shown,
      made.filter(({ event }) => !LEAVES.has(event.type)),
    )
    entries.push(...made)
    worlds.push(shown)
  }
  return { entries, worlds }
}

/** Only what is over leaves a task that stays. */
const isUnruly = (before: World, after: World): boolean =>
  Object.values(TASKS).some((task) => {
    const left = new Set(stepsOfAll(after.steps[task]).map(({ id }) => id))
    const isThere = after.tasks[task] !== undefined
    return isThere && stepsOfAll(before.steps[task]).some((step) => !isStepOver(step) && !left.has(step.id))
  })

const archiveOf = (entries: readonly Entry[]): Archive => ({
  entriesOf: async (key, id, after = 0, limit = 1_000) =>
    entries.filter((entry) => entry.seq > after && Reflect.get(entry.event, key) === id).slice(0, limit),
})
const momentsOf = (entries: readonly Entry[]) => openTestMoments({ archive: archiveOf(entries) })

const viewsOf = (world: World, task: TaskId): ParsedView[] =>
  [
    ...['task', 'tree', 'timeline'].map((kind) => `${kind}:${task}`),
    ...stepsOfAll(world.steps[task]).map(({ id }) => `step:${id}`),
    'waits',
  ].flatMap((text) => parseView(text) ?? [])

/** As JSON keeps it: a field without a value is no field. */
const plain = (world: World | null): unknown => JSON.parse(JSON.stringify(world))

/** Members are those of now. */
const isOfThen = (row: AnyRow): boolean => row.kind !== 'record' || (row.of !== 'agent' && row.of !== 'team')
const byId = (rows: readonly AnyRow[]) => new Map(rows.filter(isOfThen).map((row) => [row.id, row]))

describe('a view at a moment', () => {
  it('[R620] holds the records that a page showed at that moment, for who sees all', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), async (actions, picks) => {
        const { entries, worlds } = walk(actions)
        const now = worlds.at(-1) ?? beginning().world
        const moments = momentsOf(entries)
        for (const pick of picks) {
          const live = worlds[pick % worlds.length] ?? now
          for (const task of Object.values(TASKS)) {
            const then = await moments.worldAt(task, live.seq)
            expect(then === null).toBe(live.tasks[task] === undefined)
            if (then === null) continue
            const world = worldOfMoment(now, then, task, null)
            for (const view of viewsOf(live, task)) {
              if (view.kind !== 'task' && view.kind !== 'step') continue
              const shown = momentStream(view, 'all', 'g', world, live.seq).snapshot(world)
              expect(byId(shown)).toEqual(byId(freshRows(live, view, 'all')))
              compared += 1
            }
          }
        }
      }),
      { numRuns: isAll ? 300 : 30, ...(isAll ? {} : { seed: 620 }) },
    )
    expect(compared).toBeGreaterThan(200)
  }, 120_000)

  it('[R635] is the same when it is read from points in the store, after a restart', async () => {
    let fromStore = 0
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), fc.integer({ min: 2, max: 9 }), async (actions, pick, storeEvery) => {
        const { entries, worlds } = walk(actions)
        const archive = archiveOf(entries)
        const { snapshots } = memoryStore({})
        const first = openTestMoments({ archive, snapshots, storeEvery })
        for (const task of Object.values(TASKS)) await first.worldAt(task, worlds.at(-1)?.seq ?? 0)
        await first.settled()
        const seq = worlds[pick % worlds.length]?.seq ?? 0
        for (const task of Object.values(TASKS)) {
          const then = await openTestMoments({ archive, snapshots, storeEvery }).worldAt(task, seq)
          expect(plain(then)).toEqual(plain(await momentsOf(entries).worldAt(task, seq)))
          if ((await snapshots.list(momentKey(task, 'world'))).some((row) => row.seq <= seq)) fromStore += 1
        }
      }),
      { numRuns: isAll ? 300 : 20, ...(isAll ? {} : { seed: 635 }) },
    )
    expect(fromStore).toBeGreaterThan(30)
  }, 120_000)

  it('[R621] holds nothing that the person may not read now, and of a former member nothing after the removal', async () => {
    const told = { rows: 0, former: 0 }
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), async (actions, pick) => {
        const { entries, worlds } = walk(actions)
        const now = worlds.at(-1) ?? beginning().world
        const moments = momentsOf(entries)
        const live = worlds[pick % worlds.length] ?? now
        for (const task of Object.values(TASKS)) {
          const then = await moments.worldAt(task, live.seq)
          if (then === null) continue
          for (const person of Object.values(PEOPLE)) {
            const readable = readableNow(now, task, person)
            const known = allOf(then, task)
            for (const view of viewsOf(live, task)) {
              const { scopeKey } = scopeOfMoment(now, then, person, view, { task, seq: live.seq })
              if (scopeKey === null) continue
              const removedAt = now.tasks[task]?.former[person]
              if (removedAt !== undefined) {
                told.former += 1
                if (accessLevelOf(now, person) === 'own') expect(live.seq).toBeLessThanOrEqual(removedAt)
              }
              const isOfThreads = seesThreadsOnly(now, accessLevelOf(now, person) ?? 'own', task)
              const world = worldOfMoment(now, then, task, isOfThreads ? person : null)
              for (const row of momentStream(view, scopeKey, 'g', world, live.seq).snapshot(world)) {
                told.rows += 1
                for (const id of idsOf(row, readable).filter((one) => known.has(one)))
                  expect([view, row.kind, id, readable.has(id)]).toEqual([view, row.kind, id, true])
              }
            }
          }
        }
      }),
      { numRuns: isAll ? 300 : 30, ...(isAll ? {} : { seed: 621 }) },
    )
    expect(told.rows).toBeGreaterThan(500)
    expect(told.former).toBeGreaterThan(0)
  }, 120_000)
})

/** The messages, requests and steps of a task that a person reads in the world of now. */
function readableNow(now: World, task: TaskId, person: AgentId): ReadonlySet<string> {
  const record = now.agents[person]
  if (record === undefined) return new Set()
  const access = taskAccessOf(now, record, task)
  const messages = Object.values<MessageRecord>(now.messages[task] ?? {}).filter((one) => canReadMessage(access, one))
  const requests = Object.values<RequestRecord>(now.requests[task] ?? {}).filter((one) =>
    canSeeRequest(now, record, one),
  )
  const steps = Object.values(now.steps[task] ?? {})
    .flatMap((own) => stepsIn(own))
    .filter((one) => canReadStep(access, one))
  return new Set([...messages, ...requests, ...steps].map(({ id }) => id))
}

const allOf = (world: World, task: TaskId): ReadonlySet<string> =>
  new Set([
    ...Object.keys(world.messages[task] ?? {}),
    ...Object.keys(world.requests[task] ?? {}),
    ...stepsOfAll(world.steps[task]).map(({ id }) => id),
  ])

/** The ids of the messages, requests and steps that a row shows. */
function idsOf(row: AnyRow, readable: ReadonlySet<string>): string[] {
  if (row.kind === 'record')
    return row.of === 'message' || row.of === 'request' || row.of === 'step' ? [row.record.id] : []
  if (row.kind === 'wait') {
    // It stands in the thread of its step, or is seen by who is asked.
    const ids = [row.request, row.message, row.step].filter((id) => id !== null)
    return ids.some((id) => readable.has(id)) ? [] : ids
  }
  return row.kind === 'step' ? [row.id] : []
}

/** The numbers of the team, summed from the counters of the store for one reader. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startOfDay } from '@/lib/format/time'
import { own } from '@/lib/json'
import {
  addCounted,
  type CounterFigures,
  FIRST_TOKEN_BOUNDS_MS,
  HOUR_MS,
  hoursKeptFrom,
  NOTHING_COUNTED,
} from '@/lib/mas/limits/counters'
import type { AgentRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import { selectWaits } from '@/lib/mas/waits/waits'
import type { Figures, Numbers } from '@/lib/wire'
import type { CounterFilter, CounterSum, Store } from '../store'

type NumbersParts = {
  store: Pick<Store, 'journal' | 'counters'>
  world: World
  /** The name of a task that left the world; null: it is not known any more. */
  pastName: (task: string) => Promise<string | null>
  /** Epoch ms. */
  now: number
}

/**
 * from, to  days of the zone, both included
 * tasks     the tasks of a participant; null: all
 */
export type NumbersAsked = CounterFilter & { from: string; to: string; zone: string }

const MOST_TASKS = 50
const MOST_WAITS = 20
const DAY_HOURS = 24

export async function numbersOf({ store, world, pastName, now }: NumbersParts, asked: NumbersAsked): Promise<Numbers> {
  const { counters, journal } = store
  const { from: _, to: __, zone, ...filter } = asked
  const days = daysBetween(asked)
  const kept = hoursKeptFrom(now)
  const spans = days.map((day) => hoursOf(day, zone, kept))
  const wish = { ...filter, from: spans[0]?.[0] ?? 0, to: spans.at(-1)?.[1] ?? 0 }
  // One after the other: a store in this process answers within the same turn of the event loop.
  const byDay = await counters.spans(spans, filter)
  await nextTurn()
  const tasks = await counters.sum(['task'], wish, { by: 'use', most: MOST_TASKS })
  await nextTurn()
  const byMember = await counters.sum(['agent', 'model'], wish)
  await nextTurn()
  const waited = await counters.sum(['agent', 'task'], wish, { by: 'wait', most: MOST_WAITS })
  const [upTo, head] = await Promise.all([counters.cursor(), journal.head()])
  const waits = waited.filter((row) => row.agent !== '')
  const nameOf = await taskNames(world, pastName, [...tasks, ...waits])
  return {
    counted: { upTo, head: head.seq },
    firstTokenBoundsMs: [...FIRST_TOKEN_BOUNDS_MS],
    hoursFrom: utcDay(kept),
    total: figuresOf(total(byDay)),
    days: byDay
      .sort((a, b) => a.place - b.place)
      .map(({ place, activeTasks: tasksActive, waitingTasks: tasksWaiting, ...counted }) => ({
        day: days[place] ?? '',
        ...figuresOf(counted),
        tasksActive,
        tasksWaiting,
      })),
    members: summed(byMember, ({ agent }) => agent).map(({ key: id, ...counted }) => {
      const agent = own<AgentRecord>(world.agents, id)
      return { id, name: agent?.name ?? '', isPerson: agent?.kind === 'human', ...figuresOf(counted) }
    }),
    models: summed(byMember, ({ model }) => model).map(({ key: model, ...counted }) => ({
      model,
      ...figuresOf(counted),
    })),
    tasks: tasks.map(({ task: id = '', groups: _groups, ...counted }) => ({
      id,
      name: nameOf(id),
      ...figuresOf(counted),
    })),
    otherTasks: (tasks[0]?.groups ?? 0) - tasks.length,
    waits: waits.map(({ agent = '', task = '', waits: ended, waitMs, longestWaitMs }) => ({
      on: nameOfMember(world, agent),
      task,
      taskName: nameOf(task),
      waits: ended,
      waitMs,
      longestWaitMs,
    })),
    waitingNow: waitingNow(world, asked),
  }
}

/** Ended steps in each of the last slots, the oldest first, by the key. in: tasks: of a participant; null: all */
export async function recentActivity(
  { counters }: Pick<Store, 'counters'>,
  { of, tasks, now }: { of: 'task' | 'agent'; tasks: readonly string[] | null; now: number },
): Promise<{ slotMs: number; rows: Record<string, number[]> }> {
  const { slots, hours } = ACTIVITY[of]
  const end = Math.floor(now / HOUR_MS) + 1
  const from = end - slots * hours
  const rows: Record<string, number[]> = {}
  for (const row of await counters.sum(['hour', of], { from, to: end, tasks })) {
    const key = row[of] ?? ''
    if (key === '' || row.steps === 0) continue
    const own = rows[key] ?? Array.from({ length: slots }, () => 0)
    const slot = Math.floor(((row.hour ?? from) - from) / hours)
    own[slot] = (own[slot] ?? 0) + row.steps
    rows[key] = own
  }
  return { slotMs: hours * HOUR_MS, rows }
}
/** A task by the hour of the last day; a member by the day of the last two weeks. */
const ACTIVITY = { task: { slots: 24, hours: 1 }, agent: { slots: 14, hours: DAY_HOURS } } as const

const utcDay = (hour: number): string => new Date(hour * HOUR_MS).toISOString().slice(0, 10)

type Span = readonly [from: number, to: number]

/** All days, both included. */
function daysBetween({ from, to }: NumbersAsked): string[] {
  const days: string[] = []
  for (let hour = utcHour(from); hour <= utcHour(to); hour += DAY_HOURS) days.push(utcDay(hour))
  return days
}
const utcHour = (day: string): number => Date.parse(`${day}T00:00:00Z`) / HOUR_MS

/** The hours of a day: of the zone, and of UTC before `kept`, where only days are kept. */
function hoursOf(day: string, zone: string, kept: number): Span {
  const startIn = (later: number): number => Math.ceil((startOfDay(day, zone, later) ?? 0) / HOUR_MS)
  const [utc, end] = [utcHour(day), startIn(1)]
  return [utc < kept ? utc : Math.max(startIn(0), kept), end > kept ? end : Math.min(utc + DAY_HOURS, kept)]
}

function total(rows: readonly CounterFigures[]): CounterFigures {
  const sum = { ...NOTHING_COUNTED }
  for (const row of rows) addCounted(sum, row)
  return sum
}

/** Rows of one key as one, the highest use first. Rows of no key are left out. */
function summed(
  rows: readonly CounterSum[],
  keyOf: (row: CounterSum) => string | undefined,
): (CounterFigures & { key: string })[] {
  const sums = new Map<string, CounterFigures & { key: string }>()
  for (const row of rows) {
    const key = keyOf(row) ?? ''
    if (key === '') continue
    const sum = sums.get(key) ?? { ...NOTHING_COUNTED, key }
    addCounted(sum, row)
    sums.set(key, sum)
  }
  return [...sums.values()].sort(byUse)
}

/** Cost first, then tokens, then steps. */
const byUse = (a: CounterFigures, b: CounterFigures): number =>
  b.nanoUsd - a.nanoUsd ||
  b.promptTokens + b.completionTokens - a.promptTokens - a.completionTokens ||
  b.steps - a.steps

/** The buckets as a list, in order. */
function figuresOf(counted: CounterFigures): Figures {
  const { first0, first1, first2, first3, first4, first5, first6, first7, first8, first9, first10, first11, ...rest } =
    counted
  const low = [first0, first1, first2, first3, first4, first5]
  const high = [first6, first7, first8, first9, first10, first11]
  return { ...rest, firstToken: [...low, ...high] }
}

async function taskNames(
  world: World,
  pastName: NumbersParts['pastName'],
  rows: readonly Pick<CounterSum, 'task'>[],
): Promise<(task: string) => string> {
  const names = new Map<string, string>()
  for (const { task } of rows) {
    if (task === undefined || names.has(task)) continue
    names.set(task, own<TaskRecord>(world.tasks, task)?.name ?? (await pastName(task)) ?? '')
  }
  return (task) => names.get(task) ?? ''
}

const nameOfMember = (world: World, id: string): string => own<AgentRecord>(world.agents, id)?.name ?? ''

function waitingNow(world: World, { tasks, task, agent }: NumbersAsked): Numbers['waitingNow'] {
  const fits = (id: string, among: readonly string[] | null): boolean => among === null || among.includes(id)
  return selectWaits(world)
    .edges.filter(({ lock, on }) => {
      if (!fits(lock.task, tasks) || (task !== undefined && lock.task !== task)) return false
      return agent === undefined || on.some((one) => one === agent)
    })
    .sort((a, b) => a.lock.at - b.lock.at)
    .slice(0, MOST_WAITS)
    .map(({ agent: by, lock, on }) => ({
      on: on.map((one) => selectName(world, one)).join(', '),
      by: selectName(world, by),
      task: lock.task,
      taskName: world.tasks[lock.task]?.name ?? '',
      since: lock.at,
    }))
}

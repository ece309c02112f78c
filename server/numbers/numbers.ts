/** The numbers of the team, summed from the counters of the store for one reader. */
import { dayIn } from '@/lib/format/time'
import { own } from '@/lib/json'
import {
  addCounted,
  type CounterFigures,
  FIRST_TOKEN_BOUNDS_MS,
  HOUR_MS,
  hoursKeptFrom,
  NOTHING_COUNTED,
} from '@/lib/mas/counters'
import type { AgentRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents/agents'
import { selectWaits } from '@/lib/mas/selectors/waits/waits'
import type { Figures, Numbers } from '@/lib/wire'
import type { CounterSum, CounterWish, Store } from '../store'

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
export type NumbersAsked = Omit<CounterWish, 'from' | 'to'> & { from: string; to: string; zone: string }

const MOST_TASKS = 50
const MOST_WAITS = 20
const DAY_HOURS = 24

export async function numbersOf({ store, world, pastName, now }: NumbersParts, asked: NumbersAsked): Promise<Numbers> {
  const { counters, journal } = store
  const dayOf = dayOfHour(asked.zone, now)
  const wish: CounterWish = { ...asked, ...hoursBetween(asked, dayOf) }
  const [byHour, byMember, byModel, upTo, head] = await Promise.all([
    counters.sum(['hour', 'task'], wish),
    counters.sum(['agent', 'task'], wish),
    counters.sum(['model'], wish),
    counters.cursor(),
    journal.head(),
  ])
  const tasks = summed(byHour, ({ task }) => task).sort(byUse)
  const waits = byMember
    .filter((row) => row.waits > 0 && row.agent !== '')
    .sort((a, b) => b.longestWaitMs - a.longestWaitMs)
    .slice(0, MOST_WAITS)
  const listed = tasks.slice(0, MOST_TASKS)
  const nameOf = await taskNames(world, pastName, [...listed.map(({ key }) => key), ...waits.map(({ task }) => task)])
  return {
    counted: { upTo, head: head.seq },
    firstTokenBoundsMs: [...FIRST_TOKEN_BOUNDS_MS],
    hoursFrom: utcDay(hoursKeptFrom(now)),
    total: figuresOf(total(byHour)),
    days: daysOf(byHour, dayOf),
    members: summed(byMember, ({ agent }) => agent)
      .sort(byUse)
      .map(({ key, ...counted }) => {
        const agent = own<AgentRecord>(world.agents, key)
        return { id: key, name: agent?.name ?? '', isPerson: agent?.kind === 'human', ...figuresOf(counted) }
      }),
    models: byModel
      .filter(({ model }) => model !== '')
      .sort(byUse)
      .map(({ model = '', ...counted }) => ({ model, ...figuresOf(counted) })),
    tasks: listed.map(({ key, ...counted }) => ({ id: key, name: nameOf(key), ...figuresOf(counted) })),
    otherTasks: tasks.length - listed.length,
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

type DayOfHour = (hour: number) => string

/** The day of an hour: of the zone, and of UTC where only days are kept. */
function dayOfHour(zone: string, now: number): DayOfHour {
  const kept = hoursKeptFrom(now)
  return (hour) => (hour < kept ? utcDay(hour) : dayIn(hour * HOUR_MS, zone))
}

/** A zone is at most this far from UTC, hours. */
const ZONE_HOURS = 15

/** The hours of the days. */
function hoursBetween({ from, to }: NumbersAsked, dayOf: DayOfHour): { from: number; to: number } {
  const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / HOUR_MS
  let first = startOf(from) - ZONE_HOURS
  while (dayOf(first) < from) first += 1
  let end = startOf(to) + DAY_HOURS + ZONE_HOURS
  while (end > first && dayOf(end - 1) > to) end -= 1
  return { from: first, to: end }
}

function daysOf(rows: readonly CounterSum[], dayOf: DayOfHour): Numbers['days'] {
  const tasksOf = (of: readonly CounterSum[], counts: (row: CounterSum) => boolean): number =>
    new Set(of.filter(counts).map(({ task }) => task)).size
  const days = new Map<string, CounterSum[]>()
  for (const row of rows) {
    const day = dayOf(row.hour ?? 0)
    const own = days.get(day)
    if (own) own.push(row)
    else days.set(day, [row])
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, own]) => ({
      day,
      ...figuresOf(total(own)),
      tasksActive: tasksOf(own, ({ steps }) => steps > 0),
      tasksWaiting: tasksOf(own, ({ waits }) => waits > 0),
    }))
}

function total(rows: readonly CounterSum[]): CounterFigures {
  const sum = { ...NOTHING_COUNTED }
  for (const row of rows) addCounted(sum, row)
  return sum
}

/** Rows of one key as one. Rows of no key are left out. */
function summed(
  rows: readonly CounterSum[],
  keyOf: (row: CounterSum) => string | undefined,
): (CounterFigures & { key: string })[] {
  const sums = new Map<string, CounterFigures & { key: string }>()
  for (const row of rows) {
    const key = keyOf(row) ?? ''
    if (key === '') continue
    const known = sums.get(key)
    if (known) addCounted(known, row)
    else {
      const sum = { ...NOTHING_COUNTED, key }
      addCounted(sum, row)
      sums.set(key, sum)
    }
  }
  return [...sums.values()]
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
  tasks: readonly (string | undefined)[],
): Promise<(task: string | undefined) => string> {
  const names = new Map<string, string>()
  for (const task of new Set(tasks)) {
    if (task === undefined) continue
    names.set(task, own<TaskRecord>(world.tasks, task)?.name ?? (await pastName(task)) ?? '')
  }
  return (task = '') => names.get(task) ?? ''
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

/** What is counted of the journal, for the page of numbers. A counter is derived from one entry alone: a recount needs no world. */
import type { Entry } from '../events'
import type { ModelCall } from '../records'

/** Upper bounds of the times to the first token, ms; the last bucket has no bound. */
export const FIRST_TOKEN_BOUNDS_MS = [250, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 60_000] as const

/** Sums. nanoUsd: 10⁻⁹ US dollars; waits: locks that were released; first0 … first11: calls by time to the first token */
export const SUMS = [
  'calls',
  'failedCalls',
  'repairedCalls',
  'estimatedCalls',
  'unpricedCalls',
  'promptTokens',
  'cachedTokens',
  'completionTokens',
  'reasoningTokens',
  'nanoUsd',
  'first0',
  'first1',
  'first2',
  'first3',
  'first4',
  'first5',
  'first6',
  'first7',
  'first8',
  'first9',
  'first10',
  'first11',
  'steps',
  'failedSteps',
  'waits',
  'waitMs',
  'tasksAsked',
  'tasksFinished',
  'tasksFailed',
] as const
/** Maxima. */
export const MAXIMA = ['longestWaitMs'] as const
export const COUNTED = [...SUMS, ...MAXIMA] as const
/** Whole numbers. */
export type CounterFigures = Record<(typeof COUNTED)[number], number>

/**
 * One counter row: all that was counted in one hour for one task, one member and one model.
 *
 * hour    hours since the epoch, UTC
 * agent   who worked; of waits: who was waited for; of tasks: who asked. Empty: nobody
 * model   of calls; else empty
 */
export type CounterKey = { hour: number; task: string; agent: string; model: string }
export type CounterRow = CounterKey & CounterFigures

export const HOUR_MS = 3_600_000
const NANO = 1e9

export const NOTHING_COUNTED: CounterFigures = {
  calls: 0,
  failedCalls: 0,
  repairedCalls: 0,
  estimatedCalls: 0,
  unpricedCalls: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  nanoUsd: 0,
  first0: 0,
  first1: 0,
  first2: 0,
  first3: 0,
  first4: 0,
  first5: 0,
  first6: 0,
  first7: 0,
  first8: 0,
  first9: 0,
  first10: 0,
  first11: 0,
  steps: 0,
  failedSteps: 0,
  waits: 0,
  waitMs: 0,
  tasksAsked: 0,
  tasksFinished: 0,
  tasksFailed: 0,
  longestWaitMs: 0,
}

type Counter = Omit<CounterKey, 'hour'> & Partial<CounterFigures>

/** out: null: nothing is counted of it. units: at: epoch ms */
export function counterOf({ event, at }: Pick<Entry, 'event' | 'at'>): CounterRow | null {
  const counter = countersOf(event, at)
  return counter === null ? null : { ...NOTHING_COUNTED, hour: Math.floor(at / HOUR_MS), ...counter }
}

/** The same for a recount: an erased task has its sums in the entry that erased it, which are none of a new entry. */
export const recountedOf = (entry: Pick<Entry, 'event' | 'at'>): CounterRow[] =>
  entry.event.type === 'task.erased'
    ? entry.event.counters.map(({ figures, ...key }) => ({ ...NOTHING_COUNTED, ...figures, ...key }))
    : [counterOf(entry)].flatMap((row) => row ?? [])

function countersOf(event: Entry['event'], at: number): Counter | null {
  switch (event.type) {
    case 'model.called':
      return { task: event.task, agent: event.triedBy ?? event.agent, model: event.call.model, ...ofCall(event.call) }
    case 'step.finished':
      return { task: event.task, agent: event.agent, model: '', steps: 1 }
    case 'step.failed':
    case 'step.interrupted':
      return { task: event.task, agent: event.agent, model: '', steps: 1, failedSteps: 1 }
    case 'lock.released': {
      // Several could confirm the call: the wait was for the one who decided.
      const on = event.on ?? (event.outcome === 'answered' ? event.by : null)
      return { task: event.task, agent: on ?? '', model: '', ...ofWait(at - event.since) }
    }
    case 'task.added':
      return event.base || event.conversation || event.talk
        ? null
        : { task: event.task, agent: event.requestedBy ?? '', model: '', tasksAsked: 1 }
    case 'task.finished':
      return {
        task: event.task,
        agent: '',
        model: '',
        ...(event.state === 'finished' ? { tasksFinished: 1 } : { tasksFailed: 1 }),
      }
    default:
      return null
  }
}

function ofCall(call: ModelCall): Partial<CounterFigures> {
  const [prompt, completion] = [call.promptTokens ?? 0, call.completionTokens ?? 0]
  return {
    calls: 1,
    failedCalls: call.outcome === 'failed' ? 1 : 0,
    repairedCalls: call.outcome === 'repaired' ? 1 : 0,
    estimatedCalls: call.estimated ? 1 : 0,
    // A call that used nothing costs nothing.
    unpricedCalls: call.costUsd === null && prompt + completion > 0 ? 1 : 0,
    promptTokens: prompt,
    cachedTokens: call.cachedTokens ?? 0,
    completionTokens: completion,
    reasoningTokens: call.reasoningTokens ?? 0,
    nanoUsd: Math.round((call.costUsd ?? 0) * NANO),
    ...(call.firstTokenMs === null ? {} : { [`first${bucketOf(call.firstTokenMs)}`]: 1 }),
  }
}

/** 0 … 11 */
function bucketOf(ms: number): number {
  const bucket = FIRST_TOKEN_BOUNDS_MS.findIndex((bound) => ms <= bound)
  return bucket === -1 ? FIRST_TOKEN_BOUNDS_MS.length : bucket
}

const ofWait = (ms: number): Partial<CounterFigures> => ({ waits: 1, waitMs: ms, longestWaitMs: ms })

/** Adds `more` to the figures of `into`. */
export function addCounted(into: CounterFigures, more: CounterFigures): void {
  for (const name of SUMS) into[name] += more[name]
  for (const name of MAXIMA) into[name] = Math.max(into[name], more[name])
}

/** Rows of the same key become one. */
export function mergedCounters(rows: readonly CounterRow[]): CounterRow[] {
  const merged = new Map<string, CounterRow>()
  for (const row of rows) {
    const key = `${row.hour} ${row.task} ${row.agent} ${row.model}`
    const known = merged.get(key)
    if (known) addCounted(known, row)
    else merged.set(key, { ...row })
  }
  return [...merged.values()]
}

/** Hours are kept for so many days; older ones become one row for each day (UTC). */
const HOURS_KEPT_DAYS = 60
const DAY_HOURS = 24

/** The first hour that is kept as an hour. in: now: epoch ms */
export const hoursKeptFrom = (now: number): number =>
  (Math.floor(now / HOUR_MS / DAY_HOURS) - HOURS_KEPT_DAYS) * DAY_HOURS

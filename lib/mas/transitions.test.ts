/**
 * Every state against every event that touches it: what it becomes. The tables are total by type, so that a new state or
 * event does not compile before somebody has said what happens.
 */
import { describe, expect, it } from 'vitest'
import { SAMPLES, sampleOf } from '@/test/samples'
import { apply, like, only, sampleWorld } from '@/test/sampleWorld'
import type { EventOf, EventType, MasEvent } from './events'
import {
  type DeliveryState,
  type ExecutionState,
  emptyWorld,
  type PartState,
  type RequestState,
  type StepState,
  type World,
} from './records'

type Events<Prefix extends string> = Extract<EventType, `${Prefix}.${string}`>
type Table<State extends string, Events extends string> = Record<Events, Record<State, State>>

const stays = <State extends string>(states: readonly State[]): Record<State, State> =>
  Object.fromEntries(states.map((state) => [state, state])) as Record<State, State>

const base = sampleWorld

type Row<State extends string> = { name: string; event: MasEvent; row: Record<State, State> }

const rowsOf = <State extends string, Key extends string>(
  table: Record<Key, Record<State, State>>,
  eventOf: (key: Key) => MasEvent,
): Row<State>[] =>
  (Object.entries(table) as [Key, Record<State, State>][]).map(([name, row]) => ({ name, row, event: eventOf(name) }))

/** Run the rows of a table: put the record into each state, apply each event, compare. */
function check<State extends string>(
  rows: readonly Row<State>[],
  put: (world: World, state: State) => World,
  read: (world: World) => State,
): void {
  for (const { name, event, row } of rows) {
    for (const [from, to] of Object.entries(row) as [State, State][]) {
      it(`${from} + ${name} → ${to}`, () => expect(read(apply(put(base, from), event))).toBe(to))
    }
  }
}

describe('step', () => {
  const all: readonly StepState[] = ['init', 'pending', 'running', 'finished', 'failed']
  const over = { finished: 'finished', failed: 'failed' } as const
  const ends = (to: StepState): Record<StepState, StepState> => ({ init: to, pending: to, running: to, ...over })
  const table: Table<StepState, Events<'step'>> = {
    'step.added': stays(all),
    'step.started': ends('running'),
    'step.instructed': stays(all),
    'step.held': ends('pending'),
    'step.approved': stays(all),
    'step.finished': ends('finished'),
    'step.failed': ends('failed'),
    'step.cancelled': ends('failed'),
    'step.requeued': ends('init'),
    'step.interrupted': ends('failed'),
    'step.moved': stays(all),
    'step.prioritized': stays(all),
    'step.retired': stays(all),
  }
  const step = (world: World) => only(only(only(world.steps)))
  check(
    rowsOf(table, sampleOf),
    (world, state) => {
      const record = { ...step(world), state }
      return { ...world, steps: { [record.task]: { [record.agent]: { [record.id]: record } } } }
    },
    (world) => step(world).state,
  )
})

describe('stage', () => {
  const all: readonly ExecutionState[] = ['init', 'running', 'finished', 'failed']
  const table: Table<ExecutionState, Exclude<Events<'stage'>, 'stage.added' | 'stage.finished'>> = {
    'stage.renamed': stays(all),
    'stage.started': { ...stays(all), init: 'running' },
    'stage.agentStateChanged': stays(all),
    'stage.completionSubmitted': stays(all),
    'stage.partHanded': stays(all),
    'stage.judging': stays(all),
  }
  const ends: Record<EventOf<'stage.finished'>['state'], Record<ExecutionState, ExecutionState>> = {
    finished: { ...stays(all), init: 'finished', running: 'finished' },
    failed: { ...stays(all), init: 'failed', running: 'failed' },
  }
  const stage = (world: World) => only(only(world.stages))
  check(
    [...rowsOf(table, sampleOf), ...rowsOf(ends, (state) => like('stage.finished', { state }))],
    (world, state) => {
      const record = { ...stage(world), state }
      return { ...world, stages: { [record.task]: { [record.id]: record } } }
    },
    (world) => stage(world).state,
  )
})

describe('part of a stage', () => {
  const over = { finished: 'finished', failed: 'failed' } as const
  const table: Table<PartState, 'stage.agentStateChanged' | 'stage.completionSubmitted'> = {
    'stage.agentStateChanged': { idle: 'working', working: 'working', ...over },
    'stage.completionSubmitted': { idle: 'finished', working: 'finished', ...over },
  }
  const stage = (world: World) => only(only(world.stages))
  check(
    rowsOf(table, sampleOf),
    (world, state) => {
      const record = stage(world)
      const parts = Object.fromEntries(Object.keys(record.parts).map((agent) => [agent, state]))
      return { ...world, stages: { [record.task]: { [record.id]: { ...record, parts } } } }
    },
    (world) => only<PartState>(stage(world).parts),
  )
})

describe('task', () => {
  const all: readonly ExecutionState[] = ['init', 'running', 'finished', 'failed']
  const table: Table<
    ExecutionState,
    Exclude<Events<'task'>, 'task.added' | 'task.archived' | 'task.erased' | 'task.woken'>
  > = {
    'task.started': { ...stays(all), init: 'running' },
    'task.participantsChanged': stays(all),
    'task.managerChanged': stays(all),
    'task.toolRuled': stays(all),
    'task.renamed': stays(all),
    'task.paused': stays(all),
    'task.resumed': stays(all),
    'task.finished': { ...stays(all), init: 'finished', running: 'finished' },
    'task.rated': stays(all),
    'task.changeBegun': stays(all),
  }
  check(
    rowsOf(table, sampleOf),
    (world, state) => {
      const record = { ...only(world.tasks), state }
      return { ...world, tasks: { [record.id]: record } }
    },
    (world) => only(world.tasks).state,
  )
})

describe('request', () => {
  const all: readonly RequestState[] = ['open', 'claimed', 'answered', 'released', 'expired', 'superseded']
  const ends = (to: RequestState): Record<RequestState, RequestState> => ({ ...stays(all), open: to, claimed: to })
  const table: Table<RequestState, Exclude<Events<'request'>, 'request.ended' | 'request.reopened'>> = {
    'request.opened': stays(all),
    'request.claimed': ends('claimed'),
    'request.reminded': stays(all),
    'request.transferOffered': stays(all),
    'request.transferSettled': stays(all),
    'request.escalated': stays(all),
    'request.answered': ends('answered'),
  }
  const over: Record<EventOf<'request.ended'>['state'], Record<RequestState, RequestState>> = {
    released: ends('released'),
    expired: ends('expired'),
    superseded: ends('superseded'),
  }
  // The sample was answered in words: only what was marked as done is open again.
  const reopens: Record<EventOf<'request.reopened'>['because'], Record<RequestState, RequestState>> = {
    undone: { ...stays(all), claimed: 'open' },
    raised: { ...stays(all), claimed: 'open' },
    urgent: { ...stays(all), claimed: 'open' },
  }
  const request = (world: World) => only(only(world.requests))
  check(
    [
      ...rowsOf(table, sampleOf),
      ...rowsOf(over, (state) => like('request.ended', { state })),
      ...rowsOf(reopens, (because) => like('request.reopened', { because })),
    ],
    (world, state) => {
      const record = { ...request(world), state }
      return { ...world, requests: { [record.task]: { [record.id]: record } } }
    },
    (world) => request(world).state,
  )
})

describe('delivery', () => {
  const settled = {
    done: 'done',
    answered: 'answered',
    released: 'released',
    expired: 'expired',
    failed: 'failed',
    superseded: 'superseded',
  } as const
  const _settledStates = Object.values(settled)
  const table: Table<DeliveryState, Exclude<Events<'message'>, 'message.sent'>> = {
    'message.asked': {
      queued: 'queued',
      delivered: 'delivered',
      shown: 'shown',
      acknowledged: 'acknowledged',
      ...settled,
    },
    // The sample says shown: only what was not yet seen goes on by it.
    'message.delivery': {
      queued: 'shown',
      delivered: 'shown',
      shown: 'shown',
      acknowledged: 'acknowledged',
      ...settled,
    },
  }
  const { receiver } = only(only(only(base.deliveries)))
  // Others may have the message too by then; this one's delivery is looked at.
  const delivery = (world: World) => only(only(world.deliveries)[receiver] ?? {})
  check(
    rowsOf(table, sampleOf),
    (world, state) => {
      const record = { ...delivery(world), state }
      return { ...world, deliveries: { [record.task]: { [record.receiver]: { [record.message]: record } } } }
    },
    (world) => delivery(world).state,
  )
})

describe('[R14] any event', () => {
  it.each(SAMPLES.map((event) => [event.type, event] as const))(
    '%s bears a world without the records that it names',
    (_type, event) => {
      expect(() => apply(emptyWorld, event)).not.toThrow()
    },
  )
  it.each(SAMPLES.map((event) => [event.type, event] as const))(
    '%s survives JSON and says the same twice',
    (_type, event) => {
      const again: MasEvent = JSON.parse(JSON.stringify(event))
      expect(apply(base, again)).toEqual(apply(base, event))
    },
  )
})

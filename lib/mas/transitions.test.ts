/**
 * Every state against every event that touches it: what it becomes. The tables are total by type, so that a new state or
 * event does not compile before somebody has said what happens.
 */
import { describe, expect, it } from 'vitest'
import { SAMPLES, sampleOf } from '@/test/samples'
import { apply, only, sampleWorld } from '@/test/sampleWorld'
import type { EventType, MasEvent } from './events'
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

/** Run a table: put the record into each state, apply each event, compare. */
function check<State extends string, Event extends EventType>(
  table: Table<State, Event>,
  put: (world: World, state: State) => World,
  read: (world: World) => State,
): void {
  for (const [type, row] of Object.entries(table) as [Event, Record<State, State>][]) {
    for (const [from, to] of Object.entries(row) as [State, State][]) {
      it(`${from} + ${type} → ${to}`, () => expect(read(apply(put(base, from), sampleOf(type)))).toBe(to))
    }
  }
}

describe('step', () => {
  const all: readonly StepState[] = ['init', 'pending', 'running', 'finished', 'failed']
  const over = { finished: 'finished', failed: 'failed' } as const
  const ends = (to: StepState): Record<StepState, StepState> => ({ init: to, pending: to, running: to, ...over })
  const table: Table<StepState, Events<'step'>> = {
    'step.added': stays(all),
    'step.inserted': stays(all),
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
    'step.hurried': stays(all),
    'step.retired': stays(all),
  }
  const step = (world: World) => only(only(only(world.steps)))
  check(
    table,
    (world, state) => {
      const record = { ...step(world), state }
      return { ...world, steps: { [record.task]: { [record.agent]: { [record.id]: record } } } }
    },
    (world) => step(world).state,
  )
})

describe('stage', () => {
  const all: readonly ExecutionState[] = ['init', 'running', 'finished', 'failed']
  const table: Table<ExecutionState, Exclude<Events<'stage'>, 'stage.added'>> = {
    'stage.renamed': stays(all),
    'stage.started': { ...stays(all), init: 'running' },
    'stage.agentStateChanged': stays(all),
    'stage.completionSubmitted': stays(all),
    'stage.partHanded': stays(all),
    'stage.judging': stays(all),
    'stage.finished': { ...stays(all), init: 'finished', running: 'finished' },
    'stage.failed': { ...stays(all), init: 'failed', running: 'failed' },
  }
  const stage = (world: World) => only(only(world.stages))
  check(
    table,
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
    table,
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
    'task.participantsAdded': stays(all),
    'task.participantsRemoved': stays(all),
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
    table,
    (world, state) => {
      const record = { ...only(world.tasks), state }
      return { ...world, tasks: { [record.id]: record } }
    },
    (world) => only(world.tasks).state,
  )
})

describe('request', () => {
  const over = { answered: 'answered', released: 'released', expired: 'expired', superseded: 'superseded' } as const
  const ends = (to: RequestState): Record<RequestState, RequestState> => ({ open: to, claimed: to, ...over })
  const table: Table<RequestState, Events<'request'>> = {
    'request.opened': { open: 'open', claimed: 'claimed', ...over },
    'request.claimed': ends('claimed'),
    'request.reminded': stays(['open', 'claimed', 'answered', 'released', 'expired', 'superseded']),
    // The sample was answered in words: only what was marked as done is open again.
    'request.reopened': { ...stays(['open', 'answered', 'released', 'expired', 'superseded']), claimed: 'open' },
    'request.snoozed': stays(['open', 'claimed', 'answered', 'released', 'expired', 'superseded']),
    'request.offered': stays(['open', 'claimed', 'answered', 'released', 'expired', 'superseded']),
    'request.handed': stays(['open', 'claimed', 'answered', 'released', 'expired', 'superseded']),
    'request.raised': { ...stays(['open', 'answered', 'released', 'expired', 'superseded']), claimed: 'open' },
    'request.escalated': stays(['open', 'claimed', 'answered', 'released', 'expired', 'superseded']),
    'request.answered': ends('answered'),
    'request.released': ends('released'),
    'request.expired': ends('expired'),
    'request.superseded': ends('superseded'),
  }
  const request = (world: World) => only(only(world.requests))
  check(
    table,
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
    table,
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

// A world made of the samples of events (test/samples.ts), changed by events with other words.
import { type EventShape, type EventType, event, type MasEvent } from '@/lib/mas/events'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { sampleOf, sampleShapeOf } from './samples'

/** at: epoch ms. */
export const apply = (world: World, made: MasEvent, at = 1_000): World =>
  reduceEntry(world, { seq: world.seq + 1, at, event: made })

/** The sample of that event with other words. */
export const like = <Type extends EventType>(type: Type, change: Partial<EventShape<Type>> = {}): MasEvent =>
  event(type, { ...sampleShapeOf(type), ...change })

/** The world after these events, all at one second. */
export const having = (world: World, ...events: MasEvent[]): World =>
  reduceAll(
    world,
    events.map((made, n) => ({ seq: world.seq + 1 + n, at: 1_000, by: 'test', cause: 'test', event: made })),
  )

/** The world in which each sample finds its records. */
export const sampleWorld: World = having(
  emptyWorld,
  ...(['task.added', 'stage.added', 'agent.created', 'step.added', 'message.sent', 'request.opened'] as const).map(
    (type) => sampleOf(type),
  ),
)

/** The first value of a map or list. */
export function only<Value>(list: readonly Value[]): Value
export function only<Value>(map: Readonly<Record<string, Value>> | undefined): Value
export function only<Value>(from: readonly Value[] | Readonly<Record<string, Value>> | undefined): Value {
  const [value] = Object.values(from ?? {})
  if (value === undefined) throw new Error('there is no record')
  return value
}

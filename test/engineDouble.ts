/**
 * An engine for tests of what faces outward: true decisions and a true journal in memory, but nothing runs by itself.
 */
import { Fault } from '@/lib/faults'
import { decide } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry, MasEvent } from '@/lib/mas/events'
import { counterOf } from '@/lib/mas/limits/counters'
import { emptyWorld, type Json, type World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import type { Ephemeral } from '@/lib/wire'
import { isSystem } from '@/server/engine/commands/commandQueue'
import type { CommitAnswer, Engine } from '@/server/engine/port'
import type { BatchItem, Store } from '@/server/store'

export type EngineDouble = Engine & {
  /** Facts that nobody decided: the state that a test starts from. */
  put(events: MasEvent[]): Promise<void>
  /** What was committed, in order. */
  readonly envelopes: Envelope[]
  breakStore(why: string): void
  /** The next commit throws this: a defect of the engine. */
  failNext(error: Error): void
}

export async function engineDouble(store: Pick<Store, 'journal' | 'bodies'>, now: () => number): Promise<EngineDouble> {
  const listeners = new Set<(entries: Entry[], world: World) => void>()
  const ephemerals = new Set<(note: Ephemeral) => void>()
  const envelopes: Envelope[] = []
  let broken: string | null = null
  let failure: Error | null = null
  const { epoch, seq } = await store.journal.take('test')
  let world: World = { ...emptyWorld, seq, epoch }
  let lane: Promise<unknown> = Promise.resolve()

  const inLane = <T>(work: () => Promise<T>): Promise<T> => {
    const next = lane.then(work)
    lane = next.catch(() => {})
    return next
  }

  async function append(item: Omit<BatchItem, 'events'>, events: MasEvent[]): Promise<void> {
    const at = Math.max(now(), world.at)
    const counters = events.flatMap((event) => counterOf({ event, at }) ?? [])
    const answer = await store.journal.append(epoch, world.seq, [{ ...item, events, counters }], at)
    if (answer.r !== 'OK') throw new Error(`the journal said ${answer.r}`)
    const entries = events.map(
      (event, index): Entry => ({ seq: answer.first + index, at: answer.at, by: item.by, cause: item.id, event }),
    )
    world = reduceAll(world, entries)
    if (entries.length > 0) for (const listener of listeners) listener(entries, world)
  }

  async function commit(envelope: Envelope): Promise<CommitAnswer> {
    envelopes.push(envelope)
    if (failure) {
      const error = failure
      failure = null
      throw error
    }
    if (broken !== null) return { ok: false, fault: new Fault('STORE_BROKEN') }
    const known = await store.journal.outcome(envelope.id, envelope.by)
    if (known?.seq) return { ok: true, seq: known.seq, reply: known.reply as Json }
    if (envelope.until !== undefined && envelope.until <= now()) return { ok: false, fault: new Fault('EXPIRED') }
    const decided = decide(world, envelope, now())
    if (!decided.ok) return decided
    const { id, by, until, session = null } = envelope
    const made = isSystem(envelope) ? {} : { session }
    const { bodies, envelopes: exchanged, reply } = decided
    await append({ id, by, until, ...made, bodies, envelopes: exchanged, reply }, decided.events)
    return { ok: true, seq: world.seq, reply: decided.reply }
  }

  let puts = 0
  return {
    node: 'test',
    envelopes,
    world: () => world,
    commit: (envelope) => inLane(() => commit(envelope)),
    caughtUp: () => Promise.resolve(),
    leads: () => true,
    onLead: () => () => {},
    put: (events) => inLane(() => append({ id: `put:${puts++}`, by: 'system:test' }, events)),
    onDecision(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEphemeral(listener) {
      ephemerals.add(listener)
      return () => ephemerals.delete(listener)
    },
    sendEphemeral(note) {
      for (const listener of ephemerals) listener(note)
    },
    textOf: () => null,
    doingOf: () => null,
    storeState: () => (broken === null ? { is: 'ok' } : { is: 'lost', reason: broken }),
    breakStore(why) {
      broken = why
    },
    failNext(error) {
      failure = error
    },
  }
}

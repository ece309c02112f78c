/** Decides commands in order, each on the world after the previous ones. */
import { Fault } from '@/lib/faults'
import { asJson } from '@/lib/json'
import { type Decided, decide } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import { counterOf } from '@/lib/mas/limits/counters'
import type { World } from '@/lib/mas/records'
import type { BatchItem, Unfit } from '../../store'
import type { CommitAnswer, CommitMeter } from '../port'
import { type CommandQueue, isSystem, type Waiting } from './commandQueue'

/** A batch closes at this many commands, or when deciding has taken this long. A commit costs as much for one as for fifty. */
const BATCH_COMMANDS = 200
const BATCH_MS = 10

export type Decision = {
  waiting: Waiting
  item: BatchItem
  answer: (seq: number) => CommitAnswer
  /** When it was decided, epoch ms. */
  at: number
}

/** `after`: the world after all decisions. */
export type DecidedBatch = { decisions: Decision[]; after: World }

export type DecideParts = {
  /** Epoch ms. */
  now: () => number
  /** Measures how long deciding takes, ms. */
  clock: () => number
  /** Deciding a command threw: a defect, to be logged. */
  onMistake: (error: unknown, envelope: Envelope) => void
  /** Optional metrics. */
  meter?: CommitMeter
}

/** Take commands out of the queue and decide them, as many as one batch holds. */
export function decideBatch(world: World, queue: CommandQueue, parts: DecideParts): DecidedBatch {
  const { now, clock, onMistake, meter } = parts
  const decisions: Decision[] = []
  const ids = new Set<string>()
  const until = clock() + BATCH_MS
  let ahead = world
  // One time for all, never before the head: the journal uses the same, so nothing is reduced twice.
  const at = Math.max(now(), world.at)
  while (decisions.length < BATCH_COMMANDS && clock() < until) {
    const waiting = queue.first()
    // The same id twice in one batch: the second waits for the next batch and gets the first one's outcome.
    if (!waiting || ids.has(waiting.envelope.id)) break
    queue.take()
    ids.add(waiting.envelope.id)
    meter?.queued(clock() - waiting.since)
    try {
      const decided = decide(ahead, waiting.envelope, at)
      if (decided.ok) ahead = decided.world
      decisions.push(decisionOf(waiting, decided, at))
    } catch (error) {
      // A command whose decision throws is refused; the other commands continue.
      onMistake(error, waiting.envelope)
      decisions.push(decisionOf(waiting, { ok: false, fault: new Fault('INTERNAL') }, at))
    }
  }
  return { decisions, after: ahead }
}

function decisionOf(waiting: Waiting, decided: Decided | { ok: false; fault: Fault }, at: number): Decision {
  const { id, by, until, session = null } = waiting.envelope
  const head = {
    id,
    by,
    ...(until === undefined ? {} : { until }),
    ...(isSystem(waiting.envelope) ? {} : { session }),
  }
  if (!decided.ok) {
    const { code, data, message } = decided.fault
    return {
      waiting,
      at,
      item: { ...head, events: [], fault: { code, data: data ?? null, message } },
      answer: () => ({ ok: false, fault: decided.fault }),
    }
  }
  return {
    waiting,
    at,
    item: {
      ...head,
      events: decided.events,
      bodies: decided.bodies,
      ...(decided.envelopes.length === 0 ? {} : { envelopes: decided.envelopes }),
      counters: decided.events.flatMap((event) => counterOf({ event, at }) ?? []),
      reply: decided.reply,
    },
    answer: (seq) => ({ ok: true, seq, reply: decided.reply }),
  }
}

/** The entries of these decisions, numbered from there. */
export function entriesDecided(decisions: readonly Decision[], first: number, at: number): Entry[] {
  let seq = first - 1
  return decisions.flatMap(({ item }) =>
    item.events.map((event) => {
      seq += 1
      return decodeEntry({ seq, at, by: item.by, cause: item.id, event })
    }),
  )
}

/** A repeat gets the first answer. */
export function firstOutcome(outcome: Unfit): CommitAnswer {
  if (outcome === 'FOREIGN') return { ok: false, fault: new Fault('COMMAND_ID_TAKEN') }
  if (outcome === 'EXPIRED') return { ok: false, fault: new Fault('EXPIRED') }
  if (outcome.fault) return { ok: false, fault: Fault.again(outcome.fault) }
  return { ok: true, seq: outcome.seq ?? 0, reply: asJson(outcome.reply) }
}

/**
 * The one lane by which anything happens: commands are decided in order, appended as one batch, reduced, answered.
 *
 * Append, take and tail never overlap: they all happen inside this lane. Numbers come from the journal's answer alone.
 */

import { Fault, isFaultCode } from '@/lib/faults'
import { type Decided, decide } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import type { Json, World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import {
  type BatchItem,
  type Journal,
  type Store,
  StoreBrokenError,
  type StoredFault,
  type StoreState,
  StoreUnansweredError,
  type Unfit,
} from '../store'
import type { CommitAnswer, CommitMeter } from './port'

/** A batch closes at this many commands, or when deciding has taken this long. */
const BATCH_COMMANDS = 200
const BATCH_MS = 5
/** An outcome that waits is decided after so many commands of people, however many of them wait. */
const PEOPLE_IN_A_ROW = 4
const READ_PAGE = 1_000
/** Sockets and timers wait for the lane no longer than this, and one batch decided, appended or told. */
const TURN_MS = 10
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** since: when it was put into the queue, by clock(). */
type Waiting = { envelope: Envelope; since: number; settle: (answer: CommitAnswer) => void }
type Decision = {
  waiting: Waiting
  item: BatchItem
  answer: (seq: number) => CommitAnswer
  /** When it was decided, epoch ms. */
  at: number
}

/** `after`: the world as it was decided to be behind all of them. */
type DecidedBatch = { decisions: Decision[]; after: World }

type CommitterParts = {
  journal: Journal
  health: Pick<Store, 'state' | 'onState'>
  node: string
  /** Epoch ms. */
  now: () => number
  /** Measures how long deciding takes, ms. */
  clock: () => number
  /** After each durable batch: its entries and the world after them. */
  onEntries: (entries: Entry[], world: World) => void
  /** The store will not be written any more; nothing is accepted from here on. */
  onBroken: (error: unknown) => void
  /** A command made decide itself fail: a mistake of ours, to be recorded. */
  onMistake: (error: unknown, envelope: Envelope) => void
  /** Left out: nothing is counted. */
  meter?: CommitMeter
}

export interface Committer {
  world(): World
  epoch(): number
  /** Take the lease and read on from the given world to the head. */
  open(world: World): Promise<void>
  commit(envelope: Envelope): Promise<CommitAnswer>
  /** ok: commands are taken. */
  state(): StoreState
  /** From now on a store that cannot be written is waited for; before that it is the end. */
  hold(): void
  /** The process stops: nobody waits any longer for a store that cannot be written. */
  letGo(): void
  /** Refuse new commands and wait for those taken. */
  close(): Promise<void>
}

export function createCommitter({
  journal,
  health,
  node,
  now,
  clock,
  onEntries,
  onBroken,
  onMistake,
  meter,
}: CommitterParts): Committer {
  let world: World
  let epoch = 0
  let broken: unknown = null
  /** A write failed, and the store has not come back yet. */
  let refusing: StoreBrokenError | null = null
  let isHolding = false
  let isClosing = false
  /** People first: a person's wish never stands behind a crowd of outcomes. But people who never pause hold no agent back. */
  const people: Waiting[] = []
  const runners: Waiting[] = []
  let lane: Promise<void> | null = null
  let turnedAt = clock()
  /** Commands of people since the last outcome. */
  let peopleInARow = 0

  function counted(envelope: Envelope, answer: CommitAnswer): CommitAnswer {
    meter?.settled(envelope.command.type, answer.ok ? null : answer.fault.code)
    return answer
  }

  const takeLease = async (): Promise<void> => {
    const took = await journal.take(node)
    epoch = took.epoch
    await readOn()
  }

  async function readOn(): Promise<void> {
    for (;;) {
      const page = await journal.read(world.seq, READ_PAGE)
      if (page.length === 0) return
      const entries = page.map(decodeEntry)
      world = reduceAll(world, entries)
      onEntries(entries, world)
    }
  }

  const fail = (error: unknown): void => {
    broken = error
    isHolding = false
    refuseWaiting()
    onBroken(error)
  }

  const mayHold = ({ by, command }: Envelope): boolean => isHolding && HELD.has(by) && command.type !== 'wakeTask'

  /** Refuse all that wait, but for what is held until the store can be written again. */
  function refuseWaiting(): void {
    for (const queue of [people, runners]) {
      for (const waiting of queue.splice(0)) {
        if (mayHold(waiting.envelope)) queue.push(waiting)
        else waiting.settle({ ok: false, fault: new Fault('STORE_BROKEN') })
      }
    }
  }

  /** What the failed append wanted may be there or not: those who repeat it meet its outcome, under the same command id. */
  function stumble(error: unknown, decisions: Decision[]): void {
    requeue(decisions)
    if (isHolding && error instanceof StoreBrokenError && health.state().is !== 'lost') {
      refusing = error
      refuseWaiting()
    } else fail(error)
  }

  /** out: whether commands can be decided again */
  async function comeBack(): Promise<boolean> {
    if (health.state().is !== 'ok') return false
    try {
      const head = await journal.head()
      if (head.seq < world.seq) throw new Error(`the journal ends at ${head.seq}, but ${world.seq} was acknowledged`)
      await takeLease()
      refusing = null
    } catch (error) {
      stumble(error, [])
    }
    return refusing === null && broken === null
  }

  health.onState((state) => {
    if (refusing === null || broken !== null) return
    if (state.is === 'lost') fail(new Error(state.reason))
    else if (state.is === 'ok') kick()
  })

  const isTurnOfRunners = (): boolean => people.length === 0 || (runners.length > 0 && peopleInARow >= PEOPLE_IN_A_ROW)

  /** Decide commands one after the other, each against the world as it will be after those before it. */
  function decideBatch(): DecidedBatch {
    const decisions: Decision[] = []
    const ids = new Set<string>()
    const until = clock() + BATCH_MS
    let ahead = world
    // One time for all of them, and never before what is there: the journal gives the same, and nothing is reduced twice.
    const at = Math.max(now(), world.at)
    while (decisions.length < BATCH_COMMANDS && clock() < until) {
      const queue = isTurnOfRunners() ? runners : people
      const waiting = queue[0]
      // The same id twice in one batch: the second waits for the next batch and meets the first one's outcome.
      if (!waiting || ids.has(waiting.envelope.id)) break
      queue.shift()
      peopleInARow = queue === people ? peopleInARow + 1 : 0
      ids.add(waiting.envelope.id)
      meter?.queued(clock() - waiting.since)
      try {
        const decided = decide(ahead, waiting.envelope, at)
        if (decided.ok) ahead = decided.world
        decisions.push(decisionOf(waiting, decided, at))
      } catch (error) {
        // A command that makes decide itself fail is refused; the lane goes on for everybody else.
        onMistake(error, waiting.envelope)
        decisions.push(decisionOf(waiting, { ok: false, fault: new Fault('INTERNAL') }, at))
      }
    }
    return { decisions, after: ahead }
  }

  async function takeTurn(): Promise<void> {
    if (clock() - turnedAt < TURN_MS) return
    await nextTurn()
    turnedAt = clock()
  }

  async function runLane(): Promise<void> {
    while (broken === null) {
      if (refusing !== null && !(await comeBack())) return
      if (people.length + runners.length === 0) return
      // A store in this process answers without a turn of the loop: sockets and timers would never come to their own.
      await takeTurn()
      const batch = decideBatch()
      // One large command alone can take long to decide, to append and to tell.
      await takeTurn()
      try {
        await appendBatch(batch)
      } catch (error) {
        stumble(error, batch.decisions)
      }
    }
  }

  async function appendBatch({ decisions, after }: DecidedBatch): Promise<void> {
    const items = decisions.map(({ item }) => item)
    const began = clock()
    let answer: Awaited<ReturnType<Journal['append']>>
    try {
      answer = await journal.append(epoch, world.seq, items, decisions[0]?.at)
    } catch (error) {
      if (!(error instanceof StoreUnansweredError)) throw error
      // Nobody knows whether it was written: take again, read on, then ask each command what became of it.
      await takeLease()
      requeue(decisions)
      return
    }
    switch (answer.r) {
      case 'OK':
        meter?.appended(clock() - began, answer.last - answer.first + 1)
        await takeTurn()
        confirm({ decisions, after }, answer.first, answer.at)
        return
      case 'SORT': {
        const { bad } = answer
        const rest = decisions.filter(({ item, waiting }) => {
          const outcome = bad[item.id]
          if (outcome === undefined) return true
          waiting.settle(firstOutcome(outcome))
          return false
        })
        requeue(rest)
        return
      }
      case 'MOVED':
        // This process miscounted: what it believes is worth nothing, so it reads on and takes the lease again.
        await takeLease()
        requeue(decisions)
        return
      case 'FENCED':
        throw new Error(`another process took the journal (epoch ${answer.epoch})`)
      default:
        answer satisfies never
    }
  }

  const requeue = (decisions: Decision[]): void => {
    const again = decisions.map(({ waiting }) => ({ ...waiting, since: clock() }))
    people.unshift(...again.filter(({ envelope }) => !isSystem(envelope)))
    runners.unshift(...again.filter(({ envelope }) => isSystem(envelope)))
  }

  function confirm({ decisions, after }: DecidedBatch, first: number, at: number): void {
    const entries = entriesOf(decisions, first, at)
    const wasForeseen = after.seq === first + entries.length - 1 && decisions.every((one) => one.at === at)
    // The very numbers and time that it was decided with: nothing is reduced twice.
    world = wasForeseen ? after : reduceAll(world, entries)
    if (entries.length > 0) onEntries(entries, world)
    let last = first - 1
    for (const { waiting, item, answer } of decisions) {
      last += item.events.length
      waiting.settle(answer(last))
    }
  }

  /** Run the lane unless it runs; one turn later, so that commands of the same moment share an append. */
  function kick(): void {
    lane ??= Promise.resolve()
      .then(runLane)
      .finally(() => {
        lane = null
        // One that came while the lane was closing, or a store that came back then.
        if (broken !== null) return
        if (refusing === null ? people.length + runners.length > 0 : health.state().is === 'ok') kick()
      })
  }

  return {
    world: () => world,
    epoch: () => epoch,
    async open(from) {
      world = from
      await takeLease()
    },
    commit(envelope) {
      const refuse = (code: 'STORE_BROKEN' | 'STOPPING' | 'COMMAND_ID_TAKEN'): Promise<CommitAnswer> =>
        Promise.resolve(counted(envelope, { ok: false, fault: new Fault(code) }))
      if (broken !== null) return refuse('STORE_BROKEN')
      if (isClosing) return refuse('STOPPING')
      // The program's own ids have a colon, and some of them can be computed by anybody.
      if (!isSystem(envelope) && envelope.id.includes(':')) return refuse('COMMAND_ID_TAKEN')
      if (refusing !== null && !mayHold(envelope)) return refuse('STORE_BROKEN')
      return new Promise((resolve) => {
        const queue = isSystem(envelope) ? runners : people
        queue.push({ envelope, since: clock(), settle: (answer) => resolve(counted(envelope, answer)) })
        if (refusing === null) kick()
      })
    },
    state() {
      if (broken !== null) return { is: 'lost', reason: broken instanceof Error ? broken.message : String(broken) }
      return refusing === null ? health.state() : { is: 'refusing', reason: refusing.message }
    },
    hold() {
      isHolding = true
    },
    letGo() {
      isHolding = false
      if (refusing !== null) refuseWaiting()
    },
    async close() {
      isClosing = true
      while (lane) await lane
    },
  }
}

/** The entries that these decisions are, numbered from there on. */
function entriesOf(decisions: readonly Decision[], first: number, at: number): Entry[] {
  let seq = first - 1
  return decisions.flatMap(({ item }) =>
    item.events.map((event) => {
      seq += 1
      return decodeEntry({ seq, at, by: item.by, cause: item.id, event })
    }),
  )
}

/** These hand in what has happened already and cannot be had a second time; nobody outside waits for their answer. */
const HELD: ReadonlySet<string> = new Set(['system:runner', 'system:timer', 'system:notify', 'system:faces'])

const isSystem = ({ by }: Envelope): boolean => by.startsWith('system:')

function decisionOf(waiting: Waiting, decided: Decided | { ok: false; fault: Fault }, at: number): Decision {
  const { id, by, until } = waiting.envelope
  const head = { id, by, ...(until === undefined ? {} : { until }) }
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
    item: { ...head, events: decided.events, bodies: decided.bodies, reply: decided.reply },
    answer: (seq) => ({ ok: true, seq, reply: decided.reply }),
  }
}

/** A repeat hears what the first one heard. */
function firstOutcome(outcome: Unfit): CommitAnswer {
  if (outcome === 'FOREIGN') return { ok: false, fault: new Fault('COMMAND_ID_TAKEN') }
  if (outcome === 'EXPIRED') return { ok: false, fault: new Fault('EXPIRED') }
  if (outcome.fault) return { ok: false, fault: faultOf(outcome.fault) }
  return { ok: true, seq: outcome.seq ?? 0, reply: jsonOf(outcome.reply) }
}

/** A stored refusal as it was said; its words are kept, whatever the table says today. */
function faultOf(stored: StoredFault): Fault {
  return isFaultCode(stored.code) ? Fault.again(stored.code, stored.data, stored.message) : new Fault('INTERNAL')
}

const jsonOf = (value: unknown): Json => (value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json))

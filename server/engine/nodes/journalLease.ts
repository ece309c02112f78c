/**
 * This process's state of the journal: the world after its newest known entry, and whether it decides or follows another
 * node. Entry numbers come only from the journal's answers.
 */
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import {
  type Journal,
  JournalTakenError,
  type Lease,
  type LeaseHolder,
  StoreUnansweredError,
  type Unfit,
} from '../../store'
import { type DecidedBatch, type Decision, entriesDecided, firstOutcome } from '../commands/decideBatch'
import type { CommitMeter } from '../port'

const READ_PAGE = 1_000

export type LeaseParts = {
  journal: Journal
  /** Absent: no other process can use the store, and this one always decides. */
  lease?: Lease
  node: string
  clock: () => number
  /** It never decides. */
  follows?: boolean
  /** After each durable batch: its entries and the world after them. */
  onEntries: (entries: Entry[], world: World) => void
  meter?: CommitMeter
}

/** This process's state of the journal. takeTurn: lets sockets and timers run between an append and its notifications */
export function createJournalLease(parts: LeaseParts, takeTurn: () => Promise<void> | undefined) {
  const { journal, lease, node, clock, onEntries, meter } = parts
  let world: World
  let epoch = 0
  let isLeading = false
  let holder: LeaseHolder | null = null
  let isSteppingDown = parts.follows ?? false

  async function take(): Promise<void> {
    isLeading = false
    try {
      epoch = await takeWhole(journal, node, world.seq)
    } catch (error) {
      // Another node was faster: the next check shows which.
      if (lease && error instanceof JournalTakenError) return
      throw error
    }
    await readOn()
    holder = null
    isLeading = true
  }

  /** Get or renew the lease; if another node has it, read on. faults: those of the store */
  async function check(): Promise<void> {
    if (isSteppingDown && isLeading) await release()
    const other = (await lease?.hold(!isSteppingDown)) ?? null
    if (other === null) {
      if (!isLeading) await take()
      return
    }
    isLeading = false
    holder = other.holder
    ensureWhole(other.seq, world.seq)
    if (other.seq > world.seq) await readOn()
  }

  /** Let another node decide, at once. */
  async function release(): Promise<void> {
    isLeading = false
    await lease?.release()
  }

  /** Reads to the head, in whole decisions. */
  async function readOn(): Promise<void> {
    for await (const entries of decisionsAfter(journal, world.seq)) {
      world = reduceAll(world, entries)
      onEntries(entries, world)
    }
  }

  function confirm({ decisions, after }: DecidedBatch, first: number, at: number): void {
    const entries = entriesDecided(decisions, first, at)
    const wasForeseen = after.seq === first + entries.length - 1 && decisions.every((one) => one.at === at)
    // Numbers and time are those of the decision: nothing is reduced twice.
    world = wasForeseen ? after : reduceAll(world, entries)
    if (entries.length > 0) onEntries(entries, world)
    let last = first - 1
    for (const { waiting, item, answer } of decisions) {
      last += item.events.length
      waiting.settle(answer(last))
    }
  }

  return {
    world: () => world,
    epoch: () => epoch,
    leads: () => isLeading,
    /** The deciding node; null: this one, or none. */
    holder: () => holder,
    /** Read from the given world to the head, and decide from there unless another node does. */
    async open(from: World): Promise<void> {
      world = from
      await check()
    },
    check,
    /** After a failure: take the journal again and read on. faults: those of the store; Error: acknowledged entries are missing */
    async takeAgain(): Promise<void> {
      ensureWhole((await journal.head()).seq, world.seq)
      isLeading = false
      await check()
    },
    release,
    /** From the next check on: let another node decide, and follow it. */
    stepDown(): void {
      isSteppingDown = true
    },
    /** Appends a batch and answers its commands. out: those to decide again, perhaps at another node. Throws the errors of the store. */
    async append(batch: DecidedBatch): Promise<Decision[]> {
      const { decisions } = batch
      const items = decisions.map(({ item }) => item)
      const began = clock()
      const answer = await journal.append(epoch, world.seq, items, decisions[0]?.at).catch(unanswered)
      switch (answer.r) {
        case 'OK':
          meter?.appended(clock() - began, answer.last - answer.first + 1)
          await takeTurn()
          confirm(batch, answer.first, answer.at)
          return []
        case 'SORT':
          return withoutKnown(decisions, answer.bad)
        case 'MOVED':
        case 'UNANSWERED':
          // The head is not the expected one, or it is unknown whether these were written: take again, read on, then look up each outcome.
          await take()
          return decisions
        case 'FENCED':
          if (!lease) throw new Error(`another process took the journal (epoch ${answer.epoch})`)
          isLeading = false
          return decisions
        default:
          return answer satisfies never
      }
    },
  }
}

function unanswered(error: unknown): { r: 'UNANSWERED' } {
  if (error instanceof StoreUnansweredError) return { r: 'UNANSWERED' }
  throw error
}

/** Answers those that the journal has already. out: the others */
const withoutKnown = (decisions: readonly Decision[], known: Record<string, Unfit>): Decision[] =>
  decisions.filter(({ item, waiting }) => {
    const outcome = known[item.id]
    if (outcome) waiting.settle(firstOutcome(outcome))
    return outcome === undefined
  })

/** out: the epoch */
async function takeWhole(journal: Journal, node: string, known: number): Promise<number> {
  const { epoch, seq } = await journal.take(node)
  // The take itself wrote the last entry.
  ensureWhole(seq - 1, known)
  return epoch
}

/** A standby that replaced the server may lack entries: then the journal no longer matches the world. */
function ensureWhole(end: number, known: number): void {
  if (end < known) throw new Error(`the journal ends at ${end}, but ${known} was acknowledged`)
}

async function* decisionsAfter(journal: Journal, seq: number): AsyncGenerator<Entry[]> {
  let after = seq
  for (let limit = READ_PAGE; ; ) {
    const page = await journal.read(after, limit)
    const entries = page.length < limit ? page : withoutLastDecision(page)
    if (entries.length > 0) yield entries.map(decodeEntry)
    if (page.length < limit) return
    after = entries.at(-1)?.seq ?? after
    limit = entries.length > 0 ? READ_PAGE : limit * 2
  }
}

/** The last decision of a full page may continue on the next one. */
function withoutLastDecision<Row extends { cause: string }>(page: readonly Row[]): Row[] {
  const last = page.at(-1)?.cause
  return page.slice(0, page.findLastIndex(({ cause }) => cause !== last) + 1)
}

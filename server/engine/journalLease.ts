/** The journal as this process holds it: its lease, and the world after the newest entry. Numbers come from the journal's answer alone. */
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { type Journal, StoreUnansweredError } from '../store'
import { type DecidedBatch, type Decision, entriesDecided, firstOutcome } from './decideBatch'
import type { CommitMeter } from './port'

const READ_PAGE = 1_000

export type LeaseParts = {
  journal: Journal
  node: string
  clock: () => number
  /** After each durable batch: its entries and the world after them. */
  onEntries: (entries: Entry[], world: World) => void
  meter?: CommitMeter
}

type JournalLease = {
  world(): World
  epoch(): number
  /** Take the lease and read on from the given world to the head. */
  open(world: World): Promise<void>
  /** After trouble: take it again and read on. faults: the store's; Error: the journal lacks what was acknowledged */
  takeAgain(): Promise<void>
  /** Appends a batch and answers its commands. out: those to decide again. Throws the store's errors, Error: lease lost. */
  append(batch: DecidedBatch): Promise<Decision[]>
}

/** in: takeTurn: lets sockets and timers come to their own between an append and the telling of it */
export function createJournalLease(parts: LeaseParts, takeTurn: () => Promise<void>): JournalLease {
  const { journal, node, clock, onEntries, meter } = parts
  let world: World
  let epoch = 0

  async function take(): Promise<void> {
    epoch = (await journal.take(node)).epoch
    for (;;) {
      const page = await journal.read(world.seq, READ_PAGE)
      if (page.length === 0) return
      const entries = page.map(decodeEntry)
      world = reduceAll(world, entries)
      onEntries(entries, world)
    }
  }

  function confirm({ decisions, after }: DecidedBatch, first: number, at: number): void {
    const entries = entriesDecided(decisions, first, at)
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

  return {
    world: () => world,
    epoch: () => epoch,
    async open(from) {
      world = from
      await take()
    },
    async takeAgain() {
      const head = await journal.head()
      if (head.seq < world.seq) throw new Error(`the journal ends at ${head.seq}, but ${world.seq} was acknowledged`)
      await take()
    },
    async append(batch) {
      const { decisions } = batch
      const items = decisions.map(({ item }) => item)
      const began = clock()
      let answer: Awaited<ReturnType<Journal['append']>>
      try {
        answer = await journal.append(epoch, world.seq, items, decisions[0]?.at)
      } catch (error) {
        if (!(error instanceof StoreUnansweredError)) throw error
        // It is unknown whether it was written: take again, read on, then look up the outcome of each command.
        await take()
        return decisions
      }
      switch (answer.r) {
        case 'OK':
          meter?.appended(clock() - began, answer.last - answer.first + 1)
          await takeTurn()
          confirm(batch, answer.first, answer.at)
          return []
        case 'SORT': {
          const { bad } = answer
          return decisions.filter(({ item, waiting }) => {
            const outcome = bad[item.id]
            if (outcome === undefined) return true
            waiting.settle(firstOutcome(outcome))
            return false
          })
        }
        case 'MOVED':
          // This process miscounted: what it believes is worth nothing, so it reads on and takes the lease again.
          await take()
          return decisions
        case 'FENCED':
          throw new Error(`another process took the journal (epoch ${answer.epoch})`)
        default:
          return answer satisfies never
      }
    },
  }
}

/**
 * A store that forgets: the whole contract without a disk, for tests of everything above the store. Two handles on one
 * `memoryData()` see each other like two nodes on one database.
 */

import { randomBytes } from 'node:crypto'
import { JournalTakenError, StoreClosedError } from '@/server/store/errors'
import type { Lease, NodeSelf, Store, StoreOptions } from '@/server/store/interfaces'
import { accountsOf } from '@/server/store/shared/accounts'
import { envelopesOf } from '@/server/store/shared/envelopes'
import { journalClock } from '@/server/store/shared/journalClock'
import { personalRowsOf } from '@/server/store/shared/people'
import { memoryBodies } from './memoryBodies'
import { type MemoryData, memoryData } from './memoryData'
import { memoryJournal } from './memoryJournal'
import { memorySearch } from './memorySearch'
import { memorySnapshots } from './memorySnapshots'
import { memoryCounters, memorySteps, memoryTables } from './memoryTables'

/** Made per store; `ensureOpen` throws StoreClosedError after close(). */
export type MemoryContext = {
  data: MemoryData
  now: () => number
  random: (n: number) => Uint8Array
  ensureOpen: () => void
}

export function memoryStore(options: StoreOptions & { data?: MemoryData } = {}): Store {
  let isClosed = false
  const random = options.random ?? ((n: number) => new Uint8Array(randomBytes(n)))
  const clock = journalClock({ wall: options.now ?? Date.now, elapsed: options.elapsed ?? null })
  const context: MemoryContext = {
    data: options.data ?? memoryData(),
    now: clock.now,
    random,
    ensureOpen: () => {
      if (isClosed) throw new StoreClosedError()
    },
  }
  clock.heard(context.data.at)
  const journal = memoryJournal(context)
  const tables = memoryTables(context)
  const lease = options.self ? memoryLease(context.data, options.self) : null
  const hint = (): void => {
    for (const listener of context.data.lease.hints) setImmediate(listener)
  }
  return {
    state: () => ({ is: 'ok' }),
    onState: () => () => {},
    ...(lease ? { lease } : {}),
    journal: lease
      ? {
          ...journal,
          async take(node) {
            if ((await lease.hold()) !== null) throw new JournalTakenError()
            const took = await journal.take(node)
            hint()
            return took
          },
          async append(...wish) {
            const answer = await journal.append(...wish)
            hint()
            return answer
          },
        }
      : journal,
    archive: journal,
    bodies: memoryBodies(context),
    snapshots: memorySnapshots(context),
    people: personalRowsOf(tables, context.now),
    accounts: accountsOf(tables, context.now, context.random),
    search: memorySearch(context),
    steps: memorySteps(context),
    counters: memoryCounters(context),
    envelopes: envelopesOf(tables, context.now),
    async verify() {
      context.ensureOpen()
      const { entries, bodies } = context.data
      // What is in memory is what was written.
      return {
        decisions: new Set(entries.map(({ cause }) => cause)).size,
        entries: entries.length,
        bodies: bodies.size,
        damage: [],
      }
    },
    now: clock.now,
    clock,
    async close() {
      isClosed = true
    },
  }
}

/** `data.lease.isFree` is what the death of its holder sets. */
function memoryLease({ lease, entries }: MemoryData, self: NodeSelf): Lease {
  const hint = (): void => {
    for (const listener of lease.hints) setImmediate(listener)
  }
  return {
    async hold(wants = true) {
      if (!wants) return { holder: lease.isFree ? null : lease.holder, seq: entries.length }
      if (!lease.isFree && lease.holder !== null && lease.holder.node !== self.node)
        return { holder: lease.holder, seq: entries.length }
      Object.assign(lease, { isFree: false, holder: { ...self, pid: 1, host: 'test', since: 0 } })
      return null
    },
    async release() {
      if (lease.holder?.node !== self.node) return
      lease.isFree = true
      hint()
    },
    onChange(listener) {
      lease.hints.add(listener)
      return () => lease.hints.delete(listener)
    },
  }
}

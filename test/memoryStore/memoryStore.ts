/**
 * A store that forgets: the whole contract without a disk, for tests of everything above the store. Two handles on one
 * `memoryData()` see each other like two nodes on one database.
 */
import { randomBytes } from 'node:crypto'
import { StoreClosedError } from '@/server/store/errors'
import type { Store, StoreOptions } from '@/server/store/interfaces'
import { memoryAccounts } from './memoryAccounts'
import { memoryBodies } from './memoryBodies'
import { type MemoryData, memoryData } from './memoryData'
import { memoryJournal } from './memoryJournal'
import { memoryPeople } from './memoryPeople'
import { memorySearch } from './memorySearch'
import { memorySnapshots } from './memorySnapshots'

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
  const context: MemoryContext = {
    data: options.data ?? memoryData(),
    now: options.now ?? Date.now,
    random,
    ensureOpen: () => {
      if (isClosed) throw new StoreClosedError()
    },
  }
  const journal = memoryJournal(context)
  return {
    state: () => ({ is: 'ok' }),
    onState: () => () => {},
    journal,
    archive: journal,
    bodies: memoryBodies(context),
    snapshots: memorySnapshots(context),
    people: memoryPeople(context),
    accounts: memoryAccounts(context),
    search: memorySearch(context),
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
    async makeRoom() {
      context.ensureOpen()
    },
    async close() {
      isClosed = true
    },
  }
}

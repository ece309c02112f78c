import { join } from 'node:path'
import type { Store, StoreOptions } from '@/server/store/interfaces'
import { journalClock } from '@/server/store/shared/journalClock'
import { openConnection } from '@/server/store/sqlite/database/connection'
import { openHandle } from '@/server/store/sqlite/openSqliteStore'

/** A second handle on a data folder, without its lock. */
export function openUnlocked(folder: string, options: StoreOptions = {}): Store {
  const connection = openConnection(join(folder, 'convene.db'))
  const clock = journalClock({ wall: options.now ?? Date.now, elapsed: null })
  const parts = openHandle(folder, { ...options, now: clock.now }, connection)
  return { ...parts, now: clock.now, clock, state: () => ({ is: 'ok' }), onState: () => () => {} }
}

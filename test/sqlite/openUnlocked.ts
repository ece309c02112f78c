import { join } from 'node:path'
import type { Store, StoreOptions } from '@/server/store/interfaces'
import { openConnection } from '@/server/store/sqlite/database/connection'
import { openHandle } from '@/server/store/sqlite/openSqliteStore'

/** A second handle on a data folder, without its lock. */
export function openUnlocked(folder: string, options: StoreOptions = {}): Store {
  const connection = openConnection(join(folder, 'convene.db'))
  return { ...openHandle(folder, options, connection), state: () => ({ is: 'ok' }), onState: () => () => {} }
}

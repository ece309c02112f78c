/** A database that several processes share, in place of the embedded store. */
import { extensionPoint } from '../shared/packages'
import type { Store, StoreOptions } from './interfaces'
import type { MoveSource, MoveTarget } from './moveRows'
import type { WholeHead } from './shared/wholeStore'

/** seq: the last entry; null: there is no journal yet. holder: the process that uses it */
export type SeenDatabase = {
  shown: string
  server: string
  encrypted: boolean
  seq: number | null
  holder: { pid: number; host: string } | null
}

type DatabaseKind = {
  /** For messages: the address without its password. faults: DatabaseUnfitError */
  shown(url: string): string
  /** sessions: maximum number of connections */
  open(url: string, options: StoreOptions & { sessions?: number }): Promise<Store>
  /** Its state, also while a process uses it. faults: DatabaseUnfitError */
  look(url: string): Promise<SeenDatabase>
  moveFrom(url: string): Promise<MoveSource>
  moveTo(url: string, head: WholeHead): Promise<MoveTarget>
}

/** PostgreSQL; filled by packages/cluster. */
export const SHARED_DATABASE = extensionPoint<DatabaseKind>('cluster')

export {
  type Damage,
  damageText,
  JournalMissingError,
  StoreBrokenError,
  StoreClosedError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
  StoreUnansweredError,
} from './errors'
export type {
  Accounts,
  AppendAnswer,
  Archive,
  BatchItem,
  Bodies,
  CommandOutcome,
  IdPair,
  Journal,
  JournalHead,
  NewBody,
  People,
  PersonRow,
  SearchIndex,
  SearchLine,
  SearchMember,
  SearchQuery,
  Snapshot,
  SnapshotRow,
  Snapshots,
  Store,
  StoredEntry,
  StoredEvent,
  StoredFault,
  StoredSession,
  StoreOptions,
  StoreState,
  Unfit,
  Verified,
} from './interfaces'
export { type Aside, emptyAside, lookAside } from './sqlite/aside'
export { type CopiedDatabase, copyDatabase } from './sqlite/copyDatabase'
export { openSqliteStore } from './sqlite/openSqliteStore'
export { type Salvaged, salvage } from './sqlite/salvage'
export { verifyFolder } from './sqlite/verifyFolder'

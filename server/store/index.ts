export {
  type Damage,
  DatabaseUnfitError,
  damageText,
  JournalMissingError,
  JournalTakenError,
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
  Lease,
  LeaseHolder,
  NewBody,
  NodeSelf,
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
export { type MovedCounts, moveRows, withBoth } from './moveRows'
export { lookAtDatabase, openStore, placeShown, type StorePlace, verifyPlace } from './openStore'
export { readAddress } from './postgres/address'
export { canonicalJson } from './shared/canonicalJson'
export { type Aside, emptyAside, lookAside } from './sqlite/aside'
export { type CopiedDatabase, copyDatabase } from './sqlite/copyDatabase'
export { openSqliteStore } from './sqlite/openSqliteStore'
export { type Salvaged, salvage } from './sqlite/salvage'

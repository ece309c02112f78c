export {
  type Damage,
  DatabaseUnfitError,
  damageText,
  JournalTakenError,
  JournalUnfitError,
  StoreBrokenError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
  StoreUnansweredError,
} from './errors'
export type {
  Accounts,
  ActEntry,
  AppendAnswer,
  Archive,
  BatchItem,
  Bodies,
  Clock,
  ClockState,
  CounterFilter,
  CounterSum,
  Counters,
  Envelopes,
  IdPair,
  Journal,
  Lease,
  LeaseHolder,
  NewBody,
  People,
  PersonRow,
  PlaceKey,
  SearchMember,
  SessionOrigin,
  Snapshots,
  Store,
  StoredEntry,
  StoredEvent,
  StoredSession,
  StoreState,
  Unfit,
  Verified,
} from './interfaces'
export { KNOWN_HEAD_REMEDY, keepHead, keepHeadOften, missingEntries, writeKnownHead } from './knownHead'
export { type MovedCounts, moveRows, withBoth } from './moveRows'
export { lookAtDatabase, openStore, placeShown, type StorePlace, verifyPlace } from './openStore'
export { momentKey } from './shared/snapshots'
export { emptyAside, lookAside } from './sqlite/bodies/aside'
export { copyDatabase } from './sqlite/database/copyDatabase'
export { openSqliteStore } from './sqlite/openSqliteStore'
export type { IndexedStep, StepChange, StepIndex, StepLane } from './stepIndex'

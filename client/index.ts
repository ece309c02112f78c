export { type ApiResult, type CallRefused, call, command, commandDeadline, type NoAnswer, newId } from './api'
export type { ConnectionState, ConnectionWord } from './connection'
export { draftAt, type TextDraft, useDraft, useDraftPlaces, useHasDraft } from './drafts'
export {
  type RowsOf,
  type TotalsOf,
  useConnect,
  useConnection,
  useDrafting,
  useLog,
  usePresence,
  usePresences,
  useRow,
  useRows,
  useRowsById,
  useStepText,
  useTotals,
  useViewStatus,
  type ViewStatus,
} from './hooks'
export {
  type MessageInput,
  type OutboxItem,
  type OutboxState,
  queueMessage,
  retryMessage,
  takeBackMessage,
  useOutbox,
} from './outbox'
export { getPageClient } from './pageClient'
export type { Drafter, StepText } from './views/live'
export { useViewPages, type ViewPage } from './views/viewPages'

/** Front door of the browser's end of the wire. What screens use is here; the rest is inside. */
export { type CallRefused, type CallResult, call, command, type NoAnswer, newId, untilNow } from './api'
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
  useStepText,
  useTotals,
  useViewStatus,
  type ViewStatus,
} from './hooks'
export type { Drafter, StepText } from './live'
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
export { useViewPages, type ViewPage } from './viewPages'

/** Front door of the browser's end of the wire. What screens use is here; the rest is inside. */
export { type CallResult, call, command, type NoAnswer, newId, type CallRefused, untilNow } from './api'
export type { ConnectionState, ConnectionWord } from './connection'
export { type TextDraft, draftAt, useDraft, useDraftPlaces, useHasDraft } from './drafts'
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
  retryMessage,
  queueMessage,
  takeBackMessage,
  useOutbox,
} from './outbox'
export { getPageClient } from './page'
export { useViewPages, type ViewPage } from './viewPages'

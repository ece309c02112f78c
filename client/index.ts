/** Front door of the browser's end of the wire. What screens use is here; the rest is inside. */
export { type Answer, call, command, type NoAnswer, newId, type Refused, untilNow } from './api'
export type { ConnectionState, ConnectionWord } from './connection'
export { type Draft, draftAt, useDraft, useDraftPlaces, useHasDraft } from './drafts'
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
  type MessageWish,
  type OutboxItem,
  type OutboxState,
  retryMessage,
  sendMessage,
  takeBackMessage,
  useOutbox,
} from './outbox'
export { thePage } from './page'
export { useViewPages, type ViewPage } from './viewPages'

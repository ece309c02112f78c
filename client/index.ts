export { type ApiResult, type CallRefused, call, command, newId } from './api'
export type { ConnectionState, ConnectionWord } from './connection'
export { draftAt, type TextDraft, useDraft, useDraftPlaces, useHasDraft } from './drafts'
export {
  useConnection,
  useDrafting,
  usePresence,
  usePresences,
  useRecords,
  useRow,
  useRows,
  useRowsById,
  useStepDoing,
  useStepText,
  useTotals,
  useViewStatus,
  type ViewStatus,
} from './hooks'
export type { MessageInput } from './outbox'
export { getPageClient } from './pageClient'
export { useViewPages } from './views/viewPages'

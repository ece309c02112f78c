/** Front door of the browser's end of the wire. What screens use is here; the rest is inside. */
export type { ConnectionState, ConnectionWord } from './connection'
export {
  type RowsOf,
  type TotalsOf,
  useConnect,
  useConnection,
  useDrafting,
  useLog,
  useRow,
  useRows,
  useStepText,
  useTotals,
  useViewStatus,
  type ViewStatus,
} from './hooks'
export type { Drafter, StepText } from './live'
export { thePage } from './page'

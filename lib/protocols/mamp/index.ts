/** Front door of the MAMP codec: messages, their parts and errors, the card. */
export { MampCard } from './card'
export {
  AgentUri,
  MampContent,
  callbackOf,
  MAMP_ERRORS,
  MAMP_VERSION,
  type MampError,
  type MampErrorCode,
  MampMessage,
  type MampReading,
  mampError,
  type MampPart,
  mampParts,
  MampReceipt,
  readMampMessage,
  type MampSource,
  splitUri,
} from './message'

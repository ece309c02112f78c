/** Front door of the MAMP codec: messages, their parts and errors, the card. */
export { MampCard } from './card'
export {
  AgentUri,
  Content,
  callbackOf,
  MAMP_ERRORS,
  MAMP_VERSION,
  type MampError,
  type MampErrorCode,
  MampMessage,
  type MampReading,
  mampError,
  type Part,
  partsOf,
  Received,
  readMampMessage,
  type Source,
  splitUri,
} from './message'

export { CardDevice, CardOwner, MampCard } from './card'
export {
  AgentUri,
  callbackOf,
  MAMP_ERRORS,
  MAMP_VERSION,
  MampContent,
  type MampError,
  type MampErrorCode,
  MampMessage,
  type MampPart,
  type MampReading,
  MampReceipt,
  type MampSource,
  mampError,
  mampParts,
  readMampMessage,
  splitUri,
} from './message'

export { CardDevice, CardOwner, MampCard } from './card'
export {
  callbackOf,
  MAMP_ERRORS,
  MAMP_VERSION,
  MampContent,
  MampMessage,
  type MampPart,
  MampReceipt,
  type MampSource,
  mampError,
  mampParts,
  readMampMessage,
  splitUri,
} from './message'

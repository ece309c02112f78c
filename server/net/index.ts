/** HTTP calls to other systems, addresses of clients, and connections counted by client. */

export {
  isLoopback,
  isPrivateHost,
  mayReach,
  PrivateAddressError,
  type PrivateReach,
} from './addresses'
export { type Clients, openClients } from './clients'
export {
  NoAnswerError,
  type Outbound,
  type OutboundAnswer,
  openCall,
  openOutbound,
} from './outbound'
export { openSlots, showedWhoItIs } from './slots'

/** Front door of calls to the outside: which addresses are public, and a request that goes nowhere else. */

export { isPrivateHost, PrivateAddressError } from './addresses'
export { type Clients, openClients } from './clients'
export { NoAnswerError, type Outbound, type OutboundAnswer, type OutboundRequest, openOutbound } from './outbound'
export { openSlots, showedWhoItIs } from './slots'

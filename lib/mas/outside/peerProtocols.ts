/** The protocols of other systems, and what may be named of a peer. */

export const PROTOCOLS = ['mamp', 'envelope', 'harmony', 'map', 'a2a'] as const
/** The protocols of other systems: one adapter each (packages/interop/adapters). */
export type Protocol = (typeof PROTOCOLS)[number]

/**
 * What a protocol can do, as far as decisions depend on it.
 *
 * messages     it carries messages to agents of a peer
 * actions      a message may call an action; our agents and theirs register
 * saysBegun    a message tells that work has begun; without it the answer to the request does
 * checkpoints  a peer reports checkpoints
 * signs        its messages may be signed
 */
type ProtocolTraits = Record<'messages' | 'actions' | 'saysBegun' | 'checkpoints' | 'signs', boolean>

export const PROTOCOL_TRAITS: Readonly<Record<Protocol, ProtocolTraits>> = {
  mamp: { messages: true, actions: false, saysBegun: false, checkpoints: false, signs: true },
  envelope: { messages: true, actions: true, saysBegun: true, checkpoints: false, signs: true },
  harmony: { messages: true, actions: false, saysBegun: false, checkpoints: false, signs: true },
  map: { messages: false, actions: false, saysBegun: false, checkpoints: true, signs: false },
  a2a: { messages: true, actions: false, saysBegun: false, checkpoints: false, signs: false },
}

/** An operator may use only such variables, because the value is sent to the peer's address. */
export const PEER_VARIABLE = /^CONVENE_PEER_[A-Z0-9_]{1,100}$/

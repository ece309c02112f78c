/** The fields of commands of operators about other systems. */
import * as z from 'zod'
import type { AgentId, PeerId } from '../../ids'
import { idOf } from '../../setup/schemas/fields'
import { agentUri, peer } from '../../setup/schemas/peer'

const which = { peer: idOf<PeerId>() }
/** What may be said of a peer that is made in the console, and changed later. */
const peerSpec = peer.extend({ ...which, agents: z.array(idOf<AgentId>()) })
export type PeerSpec = z.infer<typeof peerSpec>

export const peerCommands = {
  addPeer: peerSpec.extend({ uri: agentUri }),
  changePeer: peerSpec,
  /** The previous key becomes invalid. */
  renewPeerKey: z.object(which),
  removePeer: z.object(which),
  /** A test message to an agent of the peer, which needs no answer. */
  testPeer: z.object({ ...which, uri: agentUri, text: z.string().min(1).max(2_000) }),
}

/** The way between several processes on one database. Alone in its database a process has none. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { AgentId, ConversationId, PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Json } from '@/lib/mas/records'
import type { Ephemeral, Quiet, SignedOut } from '@/lib/wire/views'
import type { PersonAnswer, PersonCall } from '@/server/shared/personCall'
import type { Schedule } from '../shared/later'
import { extensionPoint } from '../shared/packages'

/** A socket of a peer, with the URIs of its agents that have spoken on it, or the stream of a conversation. */
export type PeerWay = { protocol: Protocol; peer: PeerId; agents: string[] } | { conversation: ConversationId }

/** What pages and memories of other nodes need to know. Lost where a node is away; nothing of it is in the journal. */
export type NodeNote =
  | { is: 'ephemeral'; note: Ephemeral }
  /** What the pages of one node say of a person together; null: they have none there. */
  | { is: 'present'; person: AgentId; said: { isActive: boolean; quiet: Quiet | null } | null }
  | { is: 'signedOut'; person: AgentId; session: string | null; reason: Exclude<SignedOut['reason'], 'expired'> }
  /** Rows of a person that are kept in memory changed: settings, browsers for notices. */
  | { is: 'person'; person: AgentId }
  /**
   * This node runs steps: the attempts that it has in hand. process: names it among all that had the node's name. isLeaving: it
   * stops, and takes no more. lacksFiles: it has no workspace
   */
  | { is: 'runs'; process: string; inHand: string[]; isLeaving?: boolean; lacksFiles?: boolean }
  /** Keys or sign-ins at tool servers in the accounts changed. */
  | { is: 'secrets' }
  /** All calls of models that wait for a person at this node. */
  | { is: 'personCalls'; calls: PersonCall[] }
  | { is: 'settleCall'; to: string; question: string; call: string; answer: PersonAnswer }
  /** isTaken: false: the call waited no longer */
  | { is: 'callSettled'; question: string; isTaken: boolean }
  /** All streams and sockets of peers that this node holds. */
  | { is: 'peerWays'; ways: PeerWay[] }
  /** Refusals of unknown senders at this node since its start. */
  | { is: 'refusedSenders'; counts: { protocol: Protocol; code: string; count: number }[] }
  /** A broadcast of a peer, for its sockets at other nodes. */
  | { is: 'peerBroadcast'; peer: PeerId; text: string }

/** What the node that decides says of a command. seq: where its world was then. null: it does not decide (any more). */
export type ForwardedAnswer =
  | { ok: true; seq: number; reply: Json }
  | { ok: false; seq: number; fault: { code: string; data: Json; message: string } }
  | null

/** Each follower has one connection to the deciding node; it carries commands, their answers and notes. */
export type Nodes = {
  /** The name of this node. */
  node: string
  /** `host:port` */
  address: string
  /** Identifies the key that all nodes have. */
  mark: string
  /** Accept commands of the others from now on; null: this node does not decide, and the others look for another. */
  serve(decide: ((envelope: Envelope) => Promise<ForwardedAnswer>) | null): void
  /** Stay connected to the deciding node; null: to none. */
  connect(address: string | null): void
  isConnected(): boolean
  /** Whether no other node is connected. */
  isAlone(): boolean
  /** Forward a command to the deciding node. out: null: it is unreachable or does not decide, so the outcome is unknown */
  forward(envelope: Envelope): Promise<ForwardedAnswer>
  /** Send to all other reachable nodes. */
  tell(note: NodeNote): void
  /** Called with a note of the node `from`. */
  onNote(listener: (note: NodeNote, from: string) => void): () => void
  /** Called when a node connects, or this one has reconnected: send it the current state again. */
  onJoined(listener: () => void): () => void
  /** Called when that node is unreachable; null: all of them. */
  onLeft(listener: (node: string | null) => void): () => void
  close(): Promise<void>
}

export type NodesParts = {
  node: string
  /** CONVENE_SECRET_KEY, the same at each node. */
  secret: string
  /** `host:port` for the others: a name or IP address, and a port; port 0: any free one. */
  address: string
  schedule: Schedule
  onTrouble: (error: unknown) => void
}

/** Filled by packages/cluster: listens; faults: those of listening. */
export const NODES = extensionPoint<(parts: NodesParts) => Promise<Nodes>>('cluster')

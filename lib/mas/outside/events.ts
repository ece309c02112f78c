/** Events about other systems: peers, conversations, envelopes, checkpoints. */

import type { AgentId, ConversationId, MessageId, PeerId, TaskId } from '../ids'
import type { CheckpointRecord } from './checkpointRecords'
import type { ConversationRecord, OutgoingRecord, PeerConfig, TakenRecord } from './records'

export type OutsideEvents = {
  /** A peer is new or changed, by the configuration or an operator. */
  'peer.added': { peer: PeerId; config: PeerConfig }
  'peer.removed': { peer: PeerId }
  /** It used its key; recorded once a minute at most. */
  'peer.seen': { peer: PeerId }
  'conversation.opened': { conversation: ConversationId } & Pick<
    ConversationRecord,
    'peer' | 'protocol' | 'task' | 'agent' | 'ours' | 'shared' | 'openedBy' | 'callback'
  >
  /** The other side set the shared id. */
  'conversation.named': { conversation: ConversationId; peer: PeerId; shared: string }
  'conversation.closed': { conversation: ConversationId; peer: PeerId; reason: string }
  /** An envelope of a peer was taken. `ours`: the addressed agent of ours. */
  'envelope.taken': Omit<TakenRecord, 'at' | 'seq'> & { peer: PeerId; ours: AgentId | null; callback: string | null }
  /** A message must be sent to an outside agent. */
  'envelope.queued': Pick<OutgoingRecord, 'task' | 'message' | 'agent' | 'peer' | 'conversation'> & { ours: AgentId }
  /** Stored before the call, so that a crash in between is detected. */
  'envelope.started': { task: TaskId; message: MessageId; agent: AgentId; attempt: number; node: string }
  /** An attempt has ended. `next`: the time of the next one, epoch ms. */
  'envelope.sent': {
    task: TaskId
    message: MessageId
    agent: AgentId
    verdict: 'delivered' | 'retry' | 'failed'
    next: number | null
  }
  /** A checkpoint of an agent. timestamp: of its reporter; null: the time of this entry. */
  'checkpoint.reported': Omit<CheckpointRecord, 'id' | 'at' | 'seq'> & { checkpoint: string; timestamp: number | null }
}

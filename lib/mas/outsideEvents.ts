/** Events about other systems: peers, conversations, envelopes, checkpoints. */
import type { CheckpointRecord } from './checkpointRecords'
import type { AgentId, ConversationId, MessageId, PeerId, TaskId } from './ids'
import type { ConversationRecord, EnvelopeRecord, OutgoingRecord, PeerConfig, SentBy } from './outsideRecords'
import type { BodyRef } from './records'

export type OutsideShapes = {
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
  /** An incoming envelope of an authenticated peer, and its outcome. `ours`: the addressed agent of ours. */
  'envelope.received': Omit<EnvelopeRecord, 'direction' | 'by' | 'at' | 'seq'> & {
    peer: PeerId
    ours: AgentId | null
    callback: string | null
  }
  /** The immediate answer to a peer: an outgoing envelope that is not a message. */
  'envelope.answered': Pick<
    EnvelopeRecord,
    'protocol' | 'theirs' | 'verdict' | 'status' | 'why' | 'bytes' | 'sha' | 'body'
  > & {
    peer: PeerId
  }
  /** A message must be sent to an outside agent. */
  'envelope.queued': Pick<OutgoingRecord, 'task' | 'message' | 'agent' | 'peer' | 'conversation'> & { ours: AgentId }
  /** Stored before the call, so that a crash in between is detected. */
  'envelope.started': { task: TaskId; message: MessageId; agent: AgentId; attempt: number; node: string }
  /** An attempt has ended. `next`: the time of the next one, epoch ms. */
  'envelope.sent': Omit<EnvelopeRecord, 'direction' | 'body' | 'at' | 'seq' | 'task' | 'outsider' | 'message'> & {
    peer: PeerId
    task: TaskId
    agent: AgentId
    message: MessageId
    verdict: 'delivered' | 'retry' | 'failed'
    by: SentBy
    /** Absent: it was not stored. */
    body?: BodyRef | null
    next: number | null
  }
  /** A checkpoint of an agent. timestamp: of its reporter; null: the time of this entry. */
  'checkpoint.reported': Omit<CheckpointRecord, 'id' | 'at' | 'seq'> & { checkpoint: string; timestamp: number | null }
}

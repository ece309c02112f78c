/** Events about other systems: peers, conversations, envelopes, checkpoints. */
import type { CheckpointRecord } from './checkpointRecords'
import type { AgentId, ConversationId, MessageId, PeerId, TaskId } from './ids'
import type { ConversationRecord, DeliveryRecord, EnvelopeRecord, PeerConfig, SentBy } from './outsideRecords'
import type { BodyRef } from './records'

export type OutsideShapes = {
  /** Another system is named, by the configuration or an operator: new or changed. */
  'peer.added': { peer: PeerId; config: PeerConfig }
  'peer.removed': { peer: PeerId }
  /** It showed a key of its own; said once a minute at most. */
  'peer.seen': { peer: PeerId }
  'conversation.opened': { conversation: ConversationId } & Pick<
    ConversationRecord,
    'peer' | 'protocol' | 'task' | 'agent' | 'ours' | 'shared' | 'openedBy' | 'callback'
  >
  /** The other side gave it the id that both know. */
  'conversation.named': { conversation: ConversationId; peer: PeerId; shared: string }
  'conversation.closed': { conversation: ConversationId; peer: PeerId; reason: string }
  /** An envelope of an authenticated peer came in: what became of it. `ours`: who of us it was for. */
  'envelope.received': Omit<EnvelopeRecord, 'direction' | 'by' | 'at' | 'seq'> & {
    peer: PeerId
    ours: AgentId | null
    callback: string | null
  }
  /** The immediate answer to a peer: an outgoing envelope that is no message. */
  'envelope.answered': Pick<
    EnvelopeRecord,
    'protocol' | 'theirs' | 'verdict' | 'status' | 'why' | 'bytes' | 'sha' | 'body'
  > & {
    peer: PeerId
  }
  /** A message is to be sent to an agent outside. */
  'envelope.queued': Pick<DeliveryRecord, 'task' | 'message' | 'agent' | 'peer' | 'conversation'> & { ours: AgentId }
  /** Written down before the call goes out, so that a crash in the middle is known. */
  'envelope.started': { task: TaskId; message: MessageId; agent: AgentId; attempt: number; node: string }
  /** A try is over. `next`: when it is tried again, epoch ms. */
  'envelope.sent': Omit<EnvelopeRecord, 'direction' | 'body' | 'at' | 'seq' | 'task' | 'outsider' | 'message'> & {
    peer: PeerId
    task: TaskId
    agent: AgentId
    message: MessageId
    verdict: 'delivered' | 'retry' | 'failed'
    by: SentBy
    /** Left out: it was not kept. */
    body?: BodyRef | null
    next: number | null
  }
  /** What an agent reached. timestamp: as its reporter says it; null: when this is written. */
  'checkpoint.reported': Omit<CheckpointRecord, 'id' | 'at' | 'seq'> & { checkpoint: string; timestamp: number | null }
}

/** Commands about other systems: messages, deliveries, checkpoints, and who brings them. */

import type { AgentId, MessageId, PeerId, StageId, StepId, TaskId } from '../../ids'
import type { AskedAction, Attachment, ImportedRecord, Json } from '../../records'
import type { CheckpointRecord } from '../checkpointRecords'
import type { EnvelopeRecord, SentBy, UnsentReason, WorkState } from '../records'

export type OutsideCommandFields = {
  /** A message of an outside agent, decoded and checked by an adapter. `theirs`: the sender's id for it; `from`: its URI. */
  takeFromOutside: Pick<EnvelopeRecord, 'protocol' | 'theirs' | 'status' | 'bytes' | 'sha' | 'body'> & {
    peer: PeerId
    from: string
    to: AgentId
    /** Others whom it is for as well. Whom the peer may not reach there does not get it. */
    also?: AgentId[]
    /** The conversation's id that both sides know; null: a new one. */
    shared: string | null
    text: string
    attachments: Attachment[]
    /** Does it want an answer? null: it does not say. */
    needReply: boolean | null
    /** The message of ours that it names as the one it answers. */
    inReplyTo: string | null
    /** The state of the work that we asked for, if the message gives it. */
    workState?: WorkState
    /** The sender's own message that this one adds to, where it answers no question. */
    continues?: MessageId
    /** It asks for a task explicitly. */
    begins?: boolean
    callback: string | null
  }
  /** The other system no longer wants what this message of its agent asked for. */
  cancelFromOutside: Pick<EnvelopeRecord, 'protocol' | 'status' | 'bytes' | 'sha' | 'body'> & {
    peer: PeerId
    message: MessageId
  }
  /** A conversation held elsewhere, decoded and checked by an adapter; a person or an outside agent brings it. */
  importConversation: {
    from: Bringer
    messages: { text: string; attachments: Attachment[]; imported: ImportedRecord }[]
    /** A question to the agent that receives the list; both are decided together. Left out: none. */
    asks?: { text: string; attachments: Attachment[] }
  }
  /** A person hands an agent a job with all that belongs to it; a peer's comes as its message. */
  openHandoff: { person: AgentId; to: AgentId; objective: string; text: string }
  /** A peer showed its key. */
  seePeer: { peer: PeerId }
  /** The tool `send_to_agent`: from within a task, to an agent outside by its URI. */
  sendOutside: {
    sender: AgentId
    task: TaskId
    stage: StageId | null
    step: StepId | null
    uri: string
    text: string
    attachments: Attachment[]
    conversation: string | null
    /** Left out: an answer is wanted. */
    needReply?: boolean
    /** The requested action; absent: a question in text. */
    action?: AskedAction
  }
  /** A checkpoint of an agent outside. checkpoint, agentName: as its system names them; timestamp: as it says, or null. */
  reportCheckpoint: Pick<CheckpointRecord, 'agentName' | 'label' | 'session' | 'metadata'> & {
    peer: PeerId
    uri: string
    checkpoint: string
    timestamp: number | null
  }
  /** The tool `report_milestone`: a checkpoint that an agent of ours sets within its work. */
  reportMilestone: {
    agent: AgentId
    task: TaskId
    stage: StageId | null
    step: StepId
    label: string
    metadata: Record<string, Json>
  }
  /** name: null leaves it as it is. */
  registerOutside: { peer: PeerId; uri: string; name: string | null; capabilities: string[] }
  startSending: { task: TaskId; message: MessageId; agent: AgentId; node: string }
  /** shared: the id that the other side gave the conversation. closes: it knows the conversation no more. */
  finishSending: Pick<EnvelopeRecord, 'status' | 'bytes' | 'sha' | 'body'> & {
    task: TaskId
    message: MessageId
    agent: AgentId
    verdict: 'delivered' | 'retry' | 'failed'
    why: UnsentReason | null
    by: SentBy
    shared: string | null
    next: number | null
    closes: boolean
  }
}

/** Who brings something from elsewhere. uri: of the agent outside that brings it, with its envelope's size and digest. */
export type Bringer =
  | { person: AgentId }
  | { peer: PeerId; uri: string; theirs: string; bytes: number; sha: string; body: string | null }

/** Records of other systems, independent of protocols. Their agents, messages and tasks are ordinary records. */
import type * as z from 'zod'
import type { AgentId, ConversationId, MessageId, PeerId, TaskId } from '../ids'
import type { peer, peerLimits } from '../setup/schemas/peer'
import type { unsentReason } from '../setup/schemas/unsent'
import type { Protocol } from './peerProtocols'

/**
 * For a peer that was created in the console: its author, and its keys.
 *
 * keySha      SHA-256, in hex, of the key that it sends to us: a long random text, so its hash reveals nothing
 * *KeyEnv     the variables with the key that we send to it, and with the signing key; null: none
 */
export type PeerMade = { by: AgentId; keySha: string } & Pick<PeerFields, 'sendKeyEnv' | 'signingKeyEnv'>

/** The built-in tool server with which our agents write to agents of other systems. */
export const AGENTS_SERVER = 'agents'

export const WORK_STATES = ['working', 'input_required', 'paused', 'stopped', 'finished', 'failed'] as const
/** The state of work that another system requested. stopped: a limit was reached, and people decide. */
export type WorkState = (typeof WORK_STATES)[number]

type PeerFields = z.infer<typeof peer>
export type PeerLimits = z.infer<typeof peerLimits>

/**
 * Another system, from the configuration or an operator. It does not contain keys.
 *
 * uri     an agent's URI, or a pattern with `*` for the URIs of its agents
 * agents  ours that it may address
 * limits  absent: PEER_LIMITS
 * made    absent: it is from the configuration
 */
export type PeerConfig = Omit<PeerFields, 'agents' | 'sendKeyEnv' | 'signingKeyEnv'> & {
  id: PeerId
  uri: string
  agents: AgentId[]
  made?: PeerMade
}

/** The cost for a peer within a few minutes. from: the first call, epoch ms; costUsd null: no known price. */
export type PeerSpent = { from: number; tokens: number; costUsd: number | null }

export type PeerRecord = PeerConfig & {
  /** In the last 24 hours, oldest first; absent: none. */
  spent?: PeerSpent[]
  /** Removed from the configuration or by an operator: it has no rights any more. */
  removed: boolean
  addedAt: number
  /** Epoch ms, to the minute; null: never. */
  seenAt: number | null
}

/** The agent of another system behind an agent of kind `outside`. */
export type OutsideIdentity = {
  uri: string
  peer: PeerId
  /** Its reported abilities. */
  capabilities?: string[]
}

/** A conversation with an agent of another system, and its task. */
export type ConversationRecord = {
  id: ConversationId
  peer: PeerId
  protocol: Protocol
  task: TaskId
  /** The agent outside. */
  agent: AgentId
  /** The team member in it: the one addressed first, or the last writer. */
  ours: AgentId
  /** The shared id; null until the other side has set one. Internal ids are never sent. */
  shared: string | null
  openedBy: 'us' | 'them'
  /** The address for answers, instead of the peer's own address. */
  callback: string | null
  createdAt: number
  lastMessageAt: number
  closedAt: number | null
  closedBecause: string | null
}

/** A message to be sent to another system. It is done when its delivery is no longer `queued`. */
export type OutgoingRecord = {
  task: TaskId
  message: MessageId
  /** The outside receiver. */
  agent: AgentId
  peer: PeerId
  conversation: ConversationId
  queuedAt: number
  attempts: number
  /** Not before this, epoch ms. */
  nextAt: number
}

/** How an envelope was sent: to the peer's address, to a callback address, on an open stream of the peer. */
export type SentBy = 'call' | 'callback' | 'stream'

/** Outcomes of accepted envelopes. in: taken, repeat, in_progress, answers_nothing; out: delivered, retry, failed. */
export const VERDICTS = [
  'taken',
  'repeat',
  'answered',
  'in_progress',
  'answers_nothing',
  'delivered',
  'retry',
  'failed',
] as const
export type Verdict = (typeof VERDICTS)[number]

export type UnsentReason = z.infer<typeof unsentReason>

/** One incoming or outgoing envelope and its outcome, in the log of the store. Its content is a message. */
export type EnvelopeRecord = {
  /** Of its writer: the same id is kept once. */
  id: string
  peer: PeerId
  direction: 'in' | 'out'
  protocol: Protocol
  conversation: ConversationId | null
  task: TaskId | null
  /** The outside agent, once known. */
  outsider: AgentId | null
  /** The message made from it, or sent in it. */
  message: MessageId | null
  /** The id given by its sender. */
  theirs: string
  /** One of VERDICTS, or the code of the refusal. */
  verdict: string
  /** The HTTP status, if any. */
  status: number | null
  /** In the team's language, or the message to its sender. */
  why: string | null
  /** Absent: none. */
  reason?: UnsentReason | null
  by: SentBy | null
  /** Of the envelope as sent. */
  bytes: number
  sha: string
  /** SHA-256 of the content of the message, independent of the envelope; absent: no message. */
  content?: string
  /** SHA-256 of what was stored of the envelope; null: nothing. */
  body: string | null
  at: number
  /** Its place in the log, by the store. */
  number: number
}
export type NewEnvelope = Omit<EnvelopeRecord, 'at' | 'number'>

/** What an envelope that was taken brought about: a repeat of it has no second effect. */
export type TakenRecord = Pick<
  EnvelopeRecord,
  'protocol' | 'conversation' | 'task' | 'outsider' | 'message' | 'theirs' | 'content' | 'at'
> & { seq: number }

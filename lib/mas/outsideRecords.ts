/**
 * The records of what reaches us from other systems, and what we send them. Their agents, messages and tasks are ours:
 * these say who they are, which conversation is which task, what is still to be sent, and what came and went.
 *
 * Nothing here knows one protocol.
 */
import type { AgentId, ConversationId, MessageId, PeerId, TaskId } from './ids'
import type { BodyRef } from './records/values'

export const PROTOCOLS = ['mamp', 'a2a', 'harmony', 'map'] as const
/** The languages in which other systems speak with us: one face each (server/adapters). */
export type Protocol = (typeof PROTOCOLS)[number]

export const SIGNATURE_FORMS = ['v1', 'v2'] as const
/** How a peer signs: v2 with the time of each attempt, v1 over the body alone. */
export type SignatureForm = (typeof SIGNATURE_FORMS)[number]

/**
 * Of a peer that was made in the console: by whom, and what of its keys is kept.
 *
 * keySha      SHA-256, in hex, of the key that it shows to us: a long random text, so its hash tells nobody anything
 * *KeyEnv     the variables that hold what we show to it, and what both sign with; null: none
 * signature   left out: v2
 */
export type PeerMade = {
  by: AgentId
  keySha: string
  sendKeyEnv: string | null
  signingKeyEnv: string | null
  signature?: SignatureForm
}

/** The built-in tool server by which ours speak with agents of other systems. */
export const AGENTS_SERVER = 'agents'

/** Only such variables may an operator name: the value is sent to the peer's address. */
export const PEER_VARIABLE = /^CONVENE_PEER_[A-Z0-9_]{1,100}$/

export const WORK_STATES = ['working', 'input_required', 'paused', 'stopped', 'finished', 'failed'] as const
/** The state of work that another system asked for. stopped: a limit was reached, and people decide how it continues. */
export type WorkState = (typeof WORK_STATES)[number]

/** tasks: at once. The rest in 24 hours, in tokens and US dollars; null: no limit. */
export type PeerLimits = { tasks: number; tokensPerDay: number | null; costPerDay: number | null }

/** Another system, as the configuration or an operator names it. Its keys are not in it. */
export type PeerConfig = {
  id: PeerId
  /** An agent's URI, or a pattern with `*` that its agents' URIs fit. */
  uri: string
  /** Where it takes what we send; null: it is reached by callback addresses only. */
  baseUrl: string | null
  may: Protocol[]
  /** What it may ask for by name, where a protocol has such names. */
  actions: string[]
  /** Our agents that it may address. */
  agents: AgentId[]
  /** Its addresses may lie in a private network. */
  allowPrivate: boolean
  /** How much work its agents may ask for; left out: PEER_LIMITS. */
  limits?: PeerLimits
  /** Left out: the configuration names it. */
  made?: PeerMade
}

/** What was spent for a peer within a few minutes. from: its first call, epoch ms; costUsd null: no price is known. */
export type PeerSpent = { from: number; tokens: number; costUsd: number | null }

export type PeerRecord = PeerConfig & {
  /** In the last 24 hours, oldest first; left out: nothing. */
  spent?: PeerSpent[]
  /** Gone from the configuration, or taken out by an operator: it may nothing any more. */
  removed: boolean
  addedAt: number
  /** Epoch ms, to the minute; null: never. */
  seenAt: number | null
}

/** Which agent of which system an agent of kind `outside` is. */
export type OutsideIdentity = {
  uri: string
  peer: PeerId
  /** What it said it can do. */
  capabilities?: string[]
}

/** A conversation with an agent of another system: which of our tasks it is. */
export type ConversationRecord = {
  id: ConversationId
  peer: PeerId
  protocol: Protocol
  task: TaskId
  /** The agent outside. */
  agent: AgentId
  /** The team member who speaks with it: addressed first, or who spoke last. */
  ours: AgentId
  /** The id that both systems know; null until the other side has given one. Our own ids never leave. */
  shared: string | null
  openedBy: 'us' | 'them'
  /** Where answers are to go, in place of the peer's own address. */
  callback: string | null
  createdAt: number
  lastMessageAt: number
  closedAt: number | null
  closedBecause: string | null
}

/** A message on its way to another system. It is over when its receipt is not `queued` any more. */
export type DeliveryRecord = {
  task: TaskId
  message: MessageId
  /** The receiver outside. */
  agent: AgentId
  peer: PeerId
  conversation: ConversationId
  queuedAt: number
  attempts: number
  /** A try is under way there, or its node is gone; null: none is. */
  startedBy: string | null
  /** Not before this, epoch ms. */
  nextAt: number
}

/** How an envelope was sent: to the peer's address, to a callback address, on a stream that the peer holds open. */
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

/** Why an envelope did not arrive: a code and its values, shown in the reader's language. says: the peer's or network's words. */
export type UnsentReason =
  | { code: 'noAddress' | 'notConnected' | 'noWay' | 'toBeFetched' }
  | { code: 'answered'; status: number; says: string }
  | { code: 'private'; host: string }
  | { code: 'late'; seconds: number }
  | { code: 'network'; says: string }

/** One envelope in or out. What it said is a message; here stands what became of it. */
export type EnvelopeRecord = {
  direction: 'in' | 'out'
  protocol: Protocol
  conversation: ConversationId | null
  task: TaskId | null
  /** The agent outside, once it is known. */
  outsider: AgentId | null
  /** Our message that it became, or that it carried. */
  message: MessageId | null
  /** The id by which its sender knows it. */
  theirs: string
  /** One of VERDICTS, or the code with which it was refused. */
  verdict: string
  /** Of HTTP, where there was one. */
  status: number | null
  /** In the team's language, or what its sender was told. */
  why: string | null
  /** Left out: there is none, or the line is older than such reasons. */
  reason?: UnsentReason | null
  by: SentBy | null
  /** Of the envelope as it went over the wire. */
  bytes: number
  sha: string
  /** SHA-256 of what a message said, however its envelope was written; left out: it became no message, or the line is older. */
  content?: string
  /** The envelope itself, when it was kept. */
  body: BodyRef | null
  at: number
  seq: number
}

/**
 * What the pages of the directory read of other systems: peers, conversations, their agents, checkpoints, the exchange.
 */

import type { CheckpointRecord } from '../mas/checkpointRecords'
import type { ConversationId, PeerId, TaskId } from '../mas/ids'
import type { ConversationRecord, EnvelopeRecord, PeerRecord, Protocol, SignatureForm } from '../mas/outsideRecords'
import type { Json } from '../mas/records'
import type { CommandAnswer, CommandHead } from './http'
import type { Who } from './rows'

export const DIRECTORY_LISTS = ['peers', 'conversations', 'registry', 'checkpoints', 'exchange'] as const
export type DirectoryList = (typeof DIRECTORY_LISTS)[number]

/** One page of a list, what happened last first. next: the cursor of the page after it. */
export type DirectoryPage<Shown> = { rows: Shown[]; total: number; next: string | null }

/** A task as a link; a task that left the world has no name here. */
export type TaskLink = { id: TaskId; name: string | null }

/** A variable of the environment that an operator named, and whether it held anything when the program started. */
export type KeyVariable = { variable: string; isSet: boolean }

export type PeerShown = Omit<PeerRecord, 'agents' | 'made'> & {
  /** By whom in the console; null: the configuration names it. */
  made: { by: Who; sendKey: KeyVariable | null; signingKey: KeyVariable | null; signature: SignatureForm } | null
  /** Our agents that it may address. */
  agents: Who[]
  /** How many of its agents we know, and how many conversations are open. */
  known: number
  open: number
}

export type ConversationShown = Omit<ConversationRecord, 'task' | 'agent' | 'ours'> & {
  peerUri: string
  task: TaskLink
  outsider: Who
  uri: string
  ours: Who
}

/** An agent of another system, as it stands in the team. */
export type RegisteredShown = {
  who: Who
  uri: string
  peer: PeerId
  capabilities: string[]
  /** Of conversations with it that are open. */
  open: number
  /** When something of it came last, epoch ms; null: nothing yet. */
  seenAt: number | null
  addedAt: number
  removed: boolean
}

export type CheckpointShown = Omit<CheckpointRecord, 'agent' | 'task' | 'metadata'> & {
  agent: Who
  task: TaskLink | null
  /** Which stage of the task it was, from 1; null: none, or its task left the world. */
  stageNumber: number | null
}

/** What can be read of a checkpoint by name. */
export type CheckpointDetail = {
  checkpoint: CheckpointShown
  /** null: nothing was said beside the label. */
  metadata: Json
  artifacts: string[]
}

/** A piece of an artifact. sha, bytes: of the whole. next: where the next piece begins; null: this is the last. */
export type ArtifactPiece = {
  name: string
  mime: string
  bytes: number
  sha: string
  base64: string
  next: number | null
}

export type EnvelopeShown = Omit<EnvelopeRecord, 'outsider' | 'task' | 'body'> & {
  peer: PeerId
  peerUri: string
  outsider: Who | null
  task: TaskLink | null
  conversation: ConversationId | null
  /** The envelope itself can be read. */
  isKept: boolean
}
export type ExchangePage = DirectoryPage<EnvelopeShown> & {
  /** Refused before anybody knew whose it was, since the start: counted only. */
  refused: { protocol: Protocol; code: string; count: number }[]
}
/** text: the envelope as it came, its beginning when it is long. null: it was not kept. */
export type EnvelopeDetail = { envelope: EnvelopeShown; text: string | null; isCut: boolean }

/** PUT /api/directory/peers/<id>: what it may, where it is, and the names of the variables of its keys. */
export type PutPeer = CommandHead & {
  baseUrl: string | null
  may: Protocol[]
  actions: string[]
  agents: string[]
  allowPrivate: boolean
  sendKeyEnv: string | null
  signingKeyEnv: string | null
  /** Left out: v2. */
  signature?: SignatureForm
}
/** POST /api/directory/peers */
export type PostPeer = PutPeer & { uri: string }
/** key: here and nowhere else; null: an earlier answer to the same command held it. */
export type PeerKeyAnswer = CommandAnswer & { key: string | null }

/** The engine's interface for gateway, monitor, adapters and notifications. */
import type { Fault, FaultCode } from '@/lib/faults'
import type { CommandType, Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { Json, World } from '@/lib/mas/records'
import type { DoingNow, Ephemeral } from '@/lib/wire/views'
import type { StoreState } from '../store'

/** ok: durable and reduced. `seq` is the last entry of the decision; a repeated id gets its first answer again. */
export type CommitAnswer = { ok: true; seq: number; reply: Json } | { ok: false; fault: Fault }

/** What the committer counts. Called on the hot path: each call must be cheap and must not throw. Times in ms. */
export type CommitMeter = {
  /** A command was answered. code: of the refusal; null: done. */
  settled(kind: CommandType, code: FaultCode | null): void
  /** A command left the queue after this time. */
  queued(ms: number): void
  /** The journal answered an append after this time. entries: the number written. */
  appended(ms: number, entries: number): void
}

export interface Engine {
  readonly node: string
  /** The confirmed world: every entry in it is durable. */
  world(): World
  commit(envelope: Envelope): Promise<CommitAnswer>
  /**
   * Resolves when the world has all that was acknowledged before the call, at any node; after 1 s in any case, since reading works
   * without the store.
   */
  caughtUp(): Promise<void>
  /** Whether this node decides, and so delivers, notifies and runs maintenance for all nodes. A single node always does. */
  leads(): boolean
  /** Called when that changes. */
  onLead(listener: (leads: boolean) => void): () => void
  /** Called after each durable decision, with its entries in order and the world after them. Never inside a decision. */
  onDecision(listener: (entries: Entry[], world: World) => void): () => void
  onEphemeral(listener: (note: Ephemeral) => void): () => void
  /** Sends to the pages of all nodes; presence only to pages of this one. */
  sendEphemeral(note: Ephemeral): void
  /** The current streaming text of a running step, for late subscribers. */
  textOf(step: string): { attempt: number; text: string } | null
  /** What a running step does now, for the same. */
  doingOf(step: string): (DoingNow & { attempt: number }) | null
  /** Not ok: writing is refused now (refusing) or permanently (lost), with the reason. Reading works. */
  storeState(): StoreState
}

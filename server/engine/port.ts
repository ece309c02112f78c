/** The engine's interface for the gateway, monitor, adapters and notices. */
import type { Fault, FaultCode } from '@/lib/faults'
import type { CommandType, Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { Json, World } from '@/lib/mas/records'
import type { Ephemeral } from '@/lib/wire/views'
import type { StoreState } from '../store'

/** ok: durable and reduced. `seq` is the last entry of the decision; a repeated id gets its first answer again. */
export type CommitAnswer = { ok: true; seq: number; reply: Json } | { ok: false; fault: Fault }

/** What the committer counts. Called on the hot path: each call must be cheap and must not throw. Times in ms. */
export type CommitMeter = {
  /** A command was answered. code: why it was refused; null: it was done. */
  settled(kind: CommandType, code: FaultCode | null): void
  /** A command left the queue after that time, to be decided. */
  queued(ms: number): void
  /** The journal answered an append after that time. entries: how many it wrote. */
  appended(ms: number, entries: number): void
}

export interface Engine {
  readonly node: string
  /** The confirmed world: every entry in it is durable. */
  world(): World
  commit(envelope: Envelope): Promise<CommitAnswer>
  /** Does this node decide, and so do what is done once for all nodes: deliver, notify, tidy up? Alone it always does. */
  leads(): boolean
  /** Called when that changes. */
  onLead(listener: (leads: boolean) => void): () => void
  /** Called after each durable decision, with its entries in order and the world after them. Never inside a decision. */
  onDecision(listener: (entries: Entry[], world: World) => void): () => void
  onEphemeral(listener: (note: Ephemeral) => void): () => void
  /** To the pages of all nodes; of presence, to those of this one. */
  sendEphemeral(note: Ephemeral): void
  /** Streaming text so far of a step that runs, for late subscribers. */
  textOf(step: string): { attempt: number; text: string } | null
  /** Not ok: nothing is accepted now (refusing), or not any more (lost), and why. Everything can be read. */
  storeState(): StoreState
}

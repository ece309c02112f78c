/**
 * What the engine offers to those who face outward: gateway, monitor, faces, notify.
 *
 * Owns: the engine's public shape. Not here: the committer, runner and recovery behind it.
 */

import type { Fault } from '@/lib/faults'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { Json, World } from '@/lib/mas/records'
import type { Ephemeral } from '@/lib/wire/views'
import type { StoreState } from '../store'

/** ok: durable and reduced. `seq` is the last entry of the decision; a repeated id gets its first answer again. */
export type CommitAnswer = { ok: true; seq: number; reply: Json } | { ok: false; fault: Fault }

export interface Engine {
  readonly node: string
  /** The confirmed world: every entry in it is durable. */
  world(): World
  commit(envelope: Envelope): Promise<CommitAnswer>
  /** Called after each durable decision, with its entries in order and the world after them. Never inside a decision. */
  onDecision(listener: (entries: Entry[], world: World) => void): () => void
  onEphemeral(listener: (note: Ephemeral) => void): () => void
  sendEphemeral(note: Ephemeral): void
  /** Streaming text so far of a step that runs here, for those who come later. */
  textOf(step: string): { attempt: number; text: string } | null
  /** Not ok: nothing is accepted now (refusing), or not any more (lost), and why. Everything can be read. */
  storeState(): StoreState
}

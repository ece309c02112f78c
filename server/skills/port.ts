/** What the engine and a skill say to each other. */
import type { NewBody } from '@/lib/mas/commands/command'
import type { StepId } from '@/lib/mas/ids'
import type { StepOutcome } from '@/lib/mas/outcome'
import type { Attachment, BodyRef, ModelCall, StepRecord, World } from '@/lib/mas/records'
import type { Model } from '../models/model'
import type { ToolCall } from '../tools'

/** Bodies by reference: whole texts for prompts, and new ones, kept until the decision that names them is durable. */
export interface BodyCache {
  text(ref: BodyRef): Promise<string>
  /** As it was kept, for what is no text. */
  bytes(ref: BodyRef): Promise<Uint8Array>
  /** Make a reference for a text; the body itself travels in `made` with the command. */
  make(text: string, mime: string): BodyRef
  readonly made: NewBody[]
}

export type SkillRun = {
  world: World
  step: StepRecord
  /** Server time, epoch ms: the only clock a skill has. */
  now: number
  attempt: number
  model: Model
  bodies: BodyCache
  /** Reads files of the workspace that this step sends along; left: what cannot be sent. Left out: there is no workspace. */
  filesAt?(paths: readonly string[]): Promise<{ files: Attachment[]; left: string[] }>
  /** The short list of a server's abilities, for instruction_generation; a sentence of what is wrong when it cannot be had. */
  abilities(server: string): Promise<string>
  /** Why a server would not take this call (no such tool, arguments that do not fit), in words; null: it may. */
  doubtCall(server: string, call: ToolCall): Promise<string | null>
  signal: AbortSignal
  /** Text as it streams. */
  onText(text: string): void
  /** A call that gave nothing to take: kept at once. */
  onCall(call: ModelCall): Promise<void>
  newId(): string
  /** Measures durations only. */
  clock(): number
}

export type RunSkill = (run: SkillRun) => Promise<StepOutcome>
export type { StepId }

/** The interface between the engine and skills. */
import type { NewBody } from '@/lib/mas/commands/command'
import type { Attachment, BodyRef, ModelCall, StepRecord, World } from '@/lib/mas/records'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import type { StepDoing } from '@/lib/wire/views'
import type { Model } from '../models/model'
import type { RecentMap } from '../shared/recentMap'
import type { ToolCall, ToolInfo } from '../tools'
import type { WrittenItem } from './prompt/historySection'
import type { ShownPrompt } from './prompt/told'

/** Bodies by reference: texts for prompts; new ones are kept until the decision that names them is durable. */
export interface BodyCache {
  text(ref: BodyRef): Promise<string>
  /** The stored bytes of a body that is no text. */
  bytes(ref: BodyRef): Promise<Uint8Array>
  /** Makes a reference for a text; the body itself is sent in `made` with the command. */
  make(text: string, mime: string): BodyRef
  readonly made: NewBody[]
  /** Is it known to be durable, so that it need not be made? */
  has(sha: string): boolean
  /** Items of histories as they were last written, by the record of their step: 2.9 instead of 5.1 ms of CPU a step after 300. */
  readonly items: WeakMap<StepRecord, WrittenItem>
  /** The turns of the newest prompts with their texts, by the hash of the prompt: a conversation is not read whole for each step. */
  readonly prompts: RecentMap<string, ShownPrompt>
}

export type SkillRun = {
  world: World
  step: StepRecord
  /** Server time, epoch ms: a skill's only clock. */
  now: number
  attempt: number
  model: Model
  bodies: BodyCache
  /** Loads workspace files that this step sends; left: those that cannot be sent. Left out: there is no workspace. */
  filesAt?(paths: readonly string[]): Promise<{ files: Attachment[]; left: string[] }>
  /** The short list of a server's abilities, for instruction_generation; a sentence when it cannot be loaded. */
  abilities(server: string): Promise<string>
  /** The tools of a server; none while it cannot be reached. */
  toolsOf(server: string): Promise<readonly ToolInfo[]>
  /** Every tool of the agent that one server alone has, with that server: where an answer names such an executor. */
  serversOfTools?: ReadonlyMap<string, string>
  /** Why a server would reject this call (unknown tool, wrong arguments); null: it may accept it. */
  doubtCall(server: string, call: ToolCall): Promise<string | null>
  signal: AbortSignal
  /** Streamed text. */
  onText(text: string): void
  /** What the step does from now on. */
  onDoing(doing: StepDoing): void
  /** Records a call without a usable answer at once. */
  onCall(call: ModelCall): Promise<void>
  newId(): string
  /** For durations only. */
  clock(): number
}

export type RunSkill = (run: SkillRun) => Promise<StepOutcome>

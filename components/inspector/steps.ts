import type { AgentId, StepId } from '@/lib/mas/ids'
import type { ModelCall, StepRecord, StepRef, World } from '@/lib/mas/records'
import { batchOf, stepIn } from '@/lib/mas/steps/ownSteps'

/** The step of an agent that a reference names. */
export const stepOf = (steps: World['steps'], agent: AgentId, ref: StepRef): StepRecord | undefined =>
  stepIn(steps[ref.task]?.[agent], ref.step)

/** From its start to its end; null: it has not begun, or is not over. */
export const tookMs = ({ startedAt, endedAt }: Pick<StepRecord, 'startedAt' | 'endedAt'>): number | null =>
  startedAt === null || endedAt === null ? null : endedAt - startedAt

/** A tool runs without a model. out: the step whose model wrote its call, perhaps with others; null: no other step's */
export const writerOf = (step: Pick<StepRecord, 'type' | 'calls' | 'batch' | 'boundTo'>): StepId | null =>
  step.type === 'tool' && step.calls.length === 0 ? batchOf(step) : null

/** Why this call was made: what was wrong with the answer of the call before it; null: that one was not sent back. */
export function reasonBefore({ calls }: Pick<StepRecord, 'calls'>, call: ModelCall): string | null {
  const before = calls[calls.indexOf(call) - 1]
  return before?.outcome === 'repaired' || before?.outcome === 'cut' ? before.error : null
}

/** Why no model was called for a step, as a key of the texts. */
export const whyNoCall = ({ ahead, endedSeq }: StepRecord): 'writtenAhead' | 'noCalls' =>
  ahead !== undefined && endedSeq !== null ? 'writtenAhead' : 'noCalls'

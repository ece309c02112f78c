/**
 * One call of a model: its stream put together, measured, and what became of it.
 *
 * Owns: collecting pieces, times, the record of a call.
 * Not here: what is asked (prompt.ts), whether the answer is taken (run.ts), the clients (server/models).
 */

import type { ModelCall, PromptRef } from '@/lib/mas/records'
import { ModelError, type ModelUsage, type Turn } from '../models/model'
import type { SkillRun } from './port'

type CallTimes = { firstTokenMs: number | null; totalMs: number }

export type CallResult =
  | ({ ended: true; text: string; isCut: boolean; usage: ModelUsage; modelVersion: string } & CallTimes)
  | ({ ended: false; text: string; fault: ModelError } & CallTimes)

/**
 * Call the model once.
 *
 * in      the run (its signal, its clock, who listens to the text); the turns
 * out     the whole text with its usage (`isCut`: the model's own length limit ended it); or the fault and what had come
 *         so far: a stream without its end is a fault of its own, MODEL_CUT
 * units   clock() in ms, durations only
 * faults  anything that is no ModelError goes through
 */
export async function callModel(run: SkillRun, turns: Turn[]): Promise<CallResult> {
  const began = run.clock()
  let text = ''
  let firstTokenMs: number | null = null
  const times = (): CallTimes => ({ firstTokenMs, totalMs: Math.max(0, run.clock() - began) })
  try {
    for await (const piece of run.model.call(turns, { signal: run.signal })) {
      if (piece.type === 'end') {
        const { usage, modelVersion } = piece
        return { ended: true, text, isCut: piece.finish === 'length', usage, modelVersion, ...times() }
      }
      firstTokenMs ??= Math.max(0, run.clock() - began)
      text += piece.text
      run.onText(piece.text)
    }
  } catch (error) {
    if (run.signal.aborted) return { ended: false, text, fault: aborted(), ...times() }
    if (error instanceof ModelError) return { ended: false, text, fault: error, ...times() }
    throw error
  }
  if (run.signal.aborted) return { ended: false, text, fault: aborted(), ...times() }
  const fault = new ModelError('MODEL_CUT', 'the answer broke off before its end', true)
  return { ended: false, text, fault, ...times() }
}

const aborted = (): ModelError => new ModelError('MODEL_ABORTED', 'the call was stopped', false)

/** The record that a call is kept as. Unknown numbers are null, never 0. */
export function recordOf(
  run: SkillRun,
  prompt: PromptRef,
  result: CallResult,
  outcome: ModelCall['outcome'],
  error: string | null,
): ModelCall {
  const usage = result.ended ? result.usage : null
  return {
    id: run.newId(),
    attempt: run.attempt,
    model: run.model.name,
    modelVersion: result.ended ? result.modelVersion : null,
    prompt,
    answer: result.text === '' ? null : run.bodies.make(result.text, 'text/plain'),
    outcome,
    error,
    promptTokens: usage?.promptTokens ?? null,
    completionTokens: usage?.completionTokens ?? null,
    estimated: usage?.estimated ?? false,
    costUsd: usage?.costUsd ?? null,
    firstTokenMs: result.firstTokenMs,
    totalMs: result.totalMs,
    at: run.now,
  }
}

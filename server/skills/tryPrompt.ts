/** One call of the model of a step with a prompt that a person wrote. Its answer is text as it came: nothing reads it. */

import { bodyOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import type { ModelCall, StepRecord, World } from '@/lib/mas/records'
import type { Model, TextTurn } from '../models/model'
import { type CallingStep, callModel, outcomeOfFault, recordOf } from './callModel'
import type { BodyCache } from './port'
import { ownTurn, storePrompt } from './prompt/turnList'

/** Sections of one role in a row are one turn, as in the step's own prompt. */
export type TriedSection = { name: string; role: TextTurn['role']; text: string }

type TriedParts = Pick<CallingStep, 'now' | 'signal' | 'newId' | 'clock'> & {
  world: World
  step: StepRecord
  model: Model
}

/**
 * out     the record of the call, also of one that failed; the answer; the bodies that the record refers to
 * faults  errors other than those of models
 */
export async function tryPrompt(
  parts: TriedParts,
  sections: readonly TriedSection[],
): Promise<{ call: ModelCall; text: string; reasoning: string | null; bodies: NewBody[] }> {
  const made: NewBody[] = []
  const bodies: Pick<BodyCache, 'make' | 'has'> = {
    has: () => false,
    make(text, mime) {
      const { body, ref } = bodyOf(text, mime)
      made.push(body)
      return ref
    },
  }
  const run: CallingStep = { ...parts, bodies, attempt: 1, onText: () => {}, onDoing: () => {} }
  const result = await callModel(run, turnsOf(sections))
  const turns = sections.map((section) => ownTurn(section, section.text))
  const prompt = storePrompt(turns, bodies)
  const outcome = !result.ended ? outcomeOfFault(result.fault) : result.isCut ? 'cut' : 'taken'
  const error = result.ended ? null : result.fault.message
  return {
    call: recordOf(run, prompt, result, outcome, error),
    text: result.text,
    reasoning: result.reasoning,
    bodies: made,
  }
}

function turnsOf(sections: readonly TriedSection[]): TextTurn[] {
  const turns: TextTurn[] = []
  for (const { role, text } of sections) {
    const last = turns.at(-1)
    if (last?.role === role) last.content += `\n\n${text}`
    else turns.push({ role, content: text })
  }
  return turns
}

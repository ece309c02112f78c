/** How a skill is written: one entry that says which tags it asks for, what it sees, and what an answer leads to. */

import { type AnswerTag, type ExpectedTags, type Fixup, type ParsedAnswer, parseAnswer } from '@/lib/mas/formats'
import type { MemoryChange, StepOutcome } from '@/lib/mas/outcome'
import type { SkillName } from '@/lib/mas/records'
import type { SkillRun } from './port'
import type { Sees } from './prompt'

type Definition<Main extends AnswerTag, Also extends AnswerTag> = {
  name: SkillName
  sees: Sees
  asks: ExpectedTags<Main, Also>
  /** When it fails for good, the agent's part of the stage fails with it. */
  failsPart?: boolean
  /** Why an answer of the right form can never be taken. */
  refuses?(answer: ParsedAnswer<Main, Also>): string | null
  /** What is wrong with an answer of the right form. It is shown to the model once or twice; if it insists, the answer is taken. */
  doubts?(answer: ParsedAnswer<Main, Also>, run: SkillRun): string | null
  does(answer: ParsedAnswer<Main, Also>, run: SkillRun): StepOutcome
}

/** An answer of the right form: what it leads to, and what speaks against taking it at once. */
export type SkillReading =
  | { ok: true; doubt: string | null; memory: MemoryChange[]; mends: Fixup[]; outcome(): StepOutcome }
  | { ok: false; reason: string }

export type Skill = {
  name: SkillName
  sees: Sees
  asks: ExpectedTags<AnswerTag, AnswerTag>
  failsPart: boolean
  read(text: string, run: SkillRun): SkillReading
}

export function defineSkill<Main extends AnswerTag, Also extends AnswerTag = never>(
  definition: Definition<Main, Also>,
): Skill {
  return {
    name: definition.name,
    sees: definition.sees,
    asks: definition.asks,
    failsPart: definition.failsPart ?? false,
    read(text, run) {
      const reading = parseAnswer(text, definition.asks)
      if (!reading.ok) return reading
      const { answer } = reading
      const refusal = definition.refuses?.(answer) ?? null
      if (refusal !== null) return { ok: false, reason: refusal }
      const doubt = definition.doubts?.(answer, run) ?? answer.memoryProblem
      const { memory, mends } = answer
      return { ok: true, doubt, memory, mends, outcome: () => definition.does(answer, run) }
    },
  }
}

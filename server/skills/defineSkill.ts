/** How a skill is written: one entry that says which tags it asks for, what it sees, and what an answer leads to. */
import { whyRefused } from '@/lib/mas/commands/steps/sync'
import { type AnswerTag, type ExpectedTags, type Fixup, type ParsedAnswer, parseAnswer } from '@/lib/mas/formats'
import { type MemoryChange, plainOutcome, type StepOutcome } from '@/lib/mas/outcome'
import type { SkillName } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import type { SkillRun } from './port'
import type { Sees } from './prompt'

type Definition<Main extends AnswerTag, Also extends AnswerTag> = {
  name: SkillName
  sees: Sees
  asks: ExpectedTags<Main, Also>
  /** When it fails for good, the agent's part of the stage fails with it. */
  failsPart?: boolean
  /** Why an answer of the right form can never be taken, beside what the system itself would refuse. */
  refuses?(answer: ParsedAnswer<Main, Also>, run: SkillRun): string | null
  /** Why this step cannot be left out; null: it may be, which is also the default. */
  mayNotSkip?(run: SkillRun): string | null
  /** What is wrong with an answer of the right form. It is shown to the model once or twice; if it insists, the answer is taken. */
  doubts?(answer: ParsedAnswer<Main, Also>, run: SkillRun): string | null
  does(answer: ParsedAnswer<Main, Also>, run: SkillRun): StepOutcome
}

/** An answer of the right form: what it leads to, and what speaks against taking it at once. */
export type SkillReading =
  | { ok: true; doubt: string | null; memory: MemoryChange[]; fixups: Fixup[]; outcome: StepOutcome }
  | { ok: false; reason: string }

export type Skill = {
  name: SkillName
  sees: Sees
  asks: ExpectedTags<AnswerTag, AnswerTag>
  failsPart: boolean
  /** The step may be left out. */
  maySkip(run: SkillRun): boolean
  /** isReasoningApart: the model's reasoning is not in the text. */
  read(text: string, run: SkillRun, isReasoningApart?: boolean): SkillReading
}

/** A skill from its definition: reads an answer, refuses it with a reason, or makes an outcome of it. */
export function defineSkill<Main extends AnswerTag, Also extends AnswerTag = never>(
  definition: Definition<Main, Also>,
): Skill {
  return {
    name: definition.name,
    sees: definition.sees,
    asks: definition.asks,
    failsPart: definition.failsPart ?? false,
    maySkip: (run) => (definition.mayNotSkip?.(run) ?? null) === null,
    read(text, run, isReasoningApart) {
      const reading = parseAnswer(text, definition.asks, isReasoningApart)
      if (!reading.ok) return readSkip(text, run, definition.mayNotSkip) ?? reading
      const { answer } = reading
      const refusal = definition.refuses?.(answer, run) ?? null
      if (refusal !== null) return { ok: false, reason: refusal }
      const outcome = definition.does(answer, run)
      // What the system would refuse now is shown back: a refused step leaves work undone, and its answer is paid for.
      const refused = outcome.state === 'failed' ? null : whyRefused(run.world, run.step, outcome.sync, run.now)
      if (refused !== null) return { ok: false, reason: refused }
      const doubt = definition.doubts?.(answer, run) ?? answer.memoryProblem
      const { memory, fixups } = answer
      return { ok: true, doubt, memory, fixups, outcome }
    },
  }
}

/** An answer that has none of the skill's tags and says that the step is not needed; null when it does not say so. */
function readSkip(
  text: string,
  run: SkillRun,
  mayNotSkip: ((run: SkillRun) => string | null) | undefined,
): SkillReading | null {
  const reading = parseAnswer(text, { oneOf: ['skip'], also: [] })
  if (!reading.ok) return null
  const refusal = mayNotSkip?.(run) ?? null
  if (refusal !== null) return { ok: false, reason: refusal }
  const { main, memory, memoryProblem, fixups } = reading.answer
  const says = sayInLanguage(run.world.team.language, 'notNeeded', { why: main.value })
  const outcome = plainOutcome(says)
  return {
    ok: true,
    doubt: memoryProblem,
    memory,
    fixups,
    outcome: { ...outcome, result: { ...outcome.result, kind: 'none' } },
  }
}

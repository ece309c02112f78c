/** Definition of a skill: its tags, and the outcome of an answer. */

import {
  type AnswerTag,
  type ExpectedTags,
  type Fixup,
  type ParsedAnswer,
  parseAnswer,
  type ReadOptions,
} from '@/lib/mas/formats'
import type { SkillName } from '@/lib/mas/records'
import { whyRefused } from '@/lib/mas/steps/commands/sync'
import { type MemoryChange, type PlannedStep, plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { sayInLanguage } from '@/lib/mas/words'
import { meanSteps } from './meant'
import type { SkillRun } from './port'
import { keepAhead } from './writtenAhead'

type Definition<Main extends AnswerTag, Also extends AnswerTag> = {
  name: SkillName
  asks: ExpectedTags<Main, Also>
  /** A final failure also fails the agent's part of the stage. */
  failsPart?: boolean
  /** The steps that an answer plans. */
  plans?(answer: ParsedAnswer<Main, Also>): PlannedStep[]
  /** Why a well-formed answer can never be accepted, beside the system's own refusals. */
  refuses?(answer: ParsedAnswer<Main, Also>, run: SkillRun): string | null
  /** Why this step cannot be skipped; null, the default: it may be. */
  mayNotSkip?(run: SkillRun): string | null
  /** Objections to a well-formed answer. They are shown to the model up to twice; if it insists, the answer is accepted. */
  doubts?(answer: ParsedAnswer<Main, Also>, run: SkillRun): string | null
  does(answer: ParsedAnswer<Main, Also>, run: SkillRun): StepOutcome
}

/** A well-formed answer: its outcome, and the objections to accepting it at once. */
export type SkillReading =
  | { ok: true; doubt: string | null; memory: MemoryChange[]; fixups: Fixup[]; outcome: StepOutcome }
  | { ok: false; reason: string }

export type Skill = {
  name: SkillName
  asks: ExpectedTags<AnswerTag, AnswerTag>
  failsPart: boolean
  /** May the step be skipped? */
  maySkip(run: SkillRun): boolean
  read(text: string, run: SkillRun, options?: ReadOptions): SkillReading
}

/** Makes a skill of its definition: reads an answer, refuses it with a reason, or makes an outcome. */
export function defineSkill<Main extends AnswerTag, Also extends AnswerTag = never>(
  definition: Definition<Main, Also>,
): Skill {
  return {
    name: definition.name,
    asks: definition.asks,
    failsPart: definition.failsPart ?? false,
    maySkip: (run) => (definition.mayNotSkip?.(run) ?? null) === null,
    read(text, run, options) {
      const reading = parseAnswer(text, definition.asks, options)
      if (!reading.ok) return readSkip(text, run, definition.mayNotSkip) ?? reading
      const { answer } = reading
      if (meanSteps(definition.plans?.(answer) ?? [], run)) answer.fixups.push('value_spelling')
      const refusal = definition.refuses?.(answer, run) ?? null
      if (refusal !== null) return { ok: false, reason: refusal }
      const outcome = keepAhead(definition.does(answer, run), run)
      // Shows what the system would refuse: a refused step would leave work undone although its answer is paid for.
      const refused = outcome.state === 'failed' ? null : whyRefused(run.world, run.step, outcome.sync, run.now)
      if (refused !== null) return { ok: false, reason: refused }
      const doubt = definition.doubts?.(answer, run) ?? answer.memoryProblem
      const { memory, fixups } = answer
      return { ok: true, doubt, memory, fixups, outcome }
    },
  }
}

/** An answer without tags of the skill that says the step is not needed; null: it does not say so. */
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

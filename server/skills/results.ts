/** Outcomes in the forms that skills share. */
import { previewOf } from '@/lib/mas/bodies'
import type { NeededStep, PlannedStepFormat } from '@/lib/mas/formats'
import type { Json, Language, SkillName } from '@/lib/mas/records'
import { isSkill, PART_ENDING_SKILLS } from '@/lib/mas/records'
import { type PlannedStep, plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { sayInLanguage } from '@/lib/mas/words'
import type { SkillRun } from './port'
import { allowedSkills, plannableSkills } from './prompt/role'

/** The team's language. */
export const languageOf = (run: SkillRun): Language => run.world.team.language

/** A finished step with a text of any length; a long one becomes a body. */
export function finishedWith(run: SkillRun, text: string, made: Json = null): StepOutcome {
  const preview = previewOf(text)
  const outcome = plainOutcome(preview, made)
  if (preview === text) return outcome
  const body = { ...run.bodies.make(text, 'text/markdown'), preview: '' }
  return { ...outcome, result: { ...outcome.result, body } }
}

/** What exceeds its limit, for the model; null: nothing. */
export function refuseLarger(text: string, limitBytes: number, what: string): string | null {
  const bytes = new TextEncoder().encode(text).length
  return bytes <= limitBytes ? null : `${what} has ${bytes} bytes; the limit is ${limitBytes}`
}

/** Steps that only the runtime adds. */
const RUNTIME_ADDS: readonly string[] = ['planning', 'instruction_generation', 'tool_decision', 'process_message']

/** Removes steps that this skill may not plan. */
export function withoutForbidden(
  steps: PlannedStep[],
  forbidden: readonly string[] = [],
): { kept: PlannedStep[]; dropped: PlannedStep[] } {
  const isForbidden = (step: PlannedStep): boolean =>
    step.type === 'skill' && (RUNTIME_ADDS.includes(step.executor) || forbidden.includes(step.executor))
  return { kept: steps.filter((step) => !isForbidden(step)), dropped: steps.filter(isForbidden) }
}

/** Planned steps that the agent cannot run, for the model; null: it can run all. */
export function doubtSteps(steps: PlannedStepFormat[], run: SkillRun): string | null {
  const agent = run.world.agents[run.step.agent]
  if (!agent) return null
  const always: readonly string[] = [...RUNTIME_ADDS, ...PART_ENDING_SKILLS]
  const skills: readonly string[] = [...allowedSkills(agent), ...always]
  const misplaced = steps.flatMap(({ type, executor, calls, send_message }) => [
    ...(calls !== undefined && type !== 'tool' ? [`calls belong to a step of type tool, not to ${executor}`] : []),
    ...(send_message !== undefined && executor !== ('send_message' satisfies SkillName)
      ? [`send_message belongs to a send_message step, not to ${executor}`]
      : []),
  ])
  if (misplaced.length > 0) return misplaced.join('; ')
  const wrong = steps.flatMap((step) => {
    if (step.type === 'skill') return skills.includes(step.executor) ? [] : [`${step.executor} is no skill of yours`]
    if (agent.tools.includes(step.executor)) return []
    return [isSkill(step.executor) ? `${step.executor} is a skill, not a tool` : `${step.executor} is no tool of yours`]
  })
  if (wrong.length === 0) return null
  return `${[...new Set(wrong)].join('; ')}. Your skills: ${plannableSkills(run.world, agent).join(', ')}. Your tools: ${agent.tools.join(', ') || 'none'}`
}

/** The step that checks the work so far. */
export const checkStep = (run: SkillRun): PlannedStep => ({
  step_intention: sayInLanguage(languageOf(run), 'checkPart'),
  type: 'skill',
  executor: 'reflection',
  text_content: sayInLanguage(languageOf(run), 'checkPartText'),
})

/** The steps as a list for people and later prompts, and what was left out. */
export function describePlan(run: SkillRun, steps: PlannedStep[], dropped: PlannedStep[]): string {
  const language = languageOf(run)
  const lines = steps.map((step) => `- ${step.step_intention} (${step.executor})`)
  const head = sayInLanguage(language, 'stepsPlanned', { n: steps.length })
  const names = [...new Set(dropped.map((step) => step.executor))].join(', ')
  return [head, ...lines, ...(dropped.length === 0 ? [] : [sayInLanguage(language, 'stepsDropped', { names })])].join(
    '\n',
  )
}

/** The step that finds out what the step needs to know. */
export const decisionStep = (need: NeededStep): PlannedStep => ({
  step_intention: need.step_intention,
  type: 'skill',
  executor: 'decision',
  text_content: need.text_content,
})

/** Why a step that ends a part cannot be skipped. */
export const ofPart = (run: SkillRun): string | null =>
  run.step.stage === null ? null : 'your part of the stage would never end: write its summary'

/** A step that runs again without new steps would ask the same without end. */
export const refuseNoSteps = (steps: PlannedStep[]): string | null =>
  withoutForbidden(steps, PART_ENDING_SKILLS).kept.length > 0
    ? null
    : 'the list holds no step that gets what is missing; if nothing is, give the answer itself'

/** <get_more_info>: adds a decision step; <decision_step>: adds these steps. Then the step runs again. */
export function getMoreFirst(run: SkillRun, need: NeededStep | PlannedStep[]): StepOutcome {
  const again: PlannedStep = {
    step_intention: run.step.intention,
    type: 'skill',
    executor: run.step.executor,
    text_content: run.step.text,
  }
  const first = Array.isArray(need) ? withoutForbidden(need, PART_ENDING_SKILLS).kept : [decisionStep(need)]
  const what = first.map((step) => step.step_intention).join('; ')
  const outcome = finishedWith(run, sayInLanguage(languageOf(run), 'neededFirst', { intention: what }), { again: true })
  return { ...outcome, steps: { add: [], insert: [...first, again] } }
}

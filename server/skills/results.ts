/** What skills hand back, in the few forms that they share. */
import { previewOf } from '@/lib/mas/bodies'
import type { NeededStep } from '@/lib/mas/formats'
import { type PlannedStep, plainOutcome, type StepOutcome } from '@/lib/mas/outcome'
import type { Json, Language } from '@/lib/mas/records'
import { isSkill } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import type { SkillRun } from './port'
import { allowedSkills, plannableSkills } from './prompt/role'

/** The language of the team. */
export const languageOf = (run: SkillRun): Language => run.world.team.language

/** A finished step with a text of any length: longer ones are kept as a body. */
export function finishedWith(run: SkillRun, text: string, made: Json = null): StepOutcome {
  const preview = previewOf(text)
  const outcome = plainOutcome(preview, made)
  if (preview === text) return outcome
  const body = { ...run.bodies.make(text, 'text/markdown'), preview: '' }
  return { ...outcome, result: { ...outcome.result, body } }
}

/** What is larger than its limit, in words for the model; null when it is not. */
export function refuseLarger(text: string, limitBytes: number, what: string): string | null {
  const bytes = new TextEncoder().encode(text).length
  return bytes <= limitBytes ? null : `${what} has ${bytes} bytes; the limit is ${limitBytes}`
}

/** Steps that the runtime adds by itself. */
const RUNTIME_ADDS: readonly string[] = ['planning', 'instruction_generation', 'tool_decision', 'process_message']

/** Take out what that skill may not plan. */
export function withoutForbidden(
  steps: PlannedStep[],
  forbidden: readonly string[] = [],
): { kept: PlannedStep[]; dropped: PlannedStep[] } {
  const isForbidden = (step: PlannedStep): boolean =>
    step.type === 'skill' && (RUNTIME_ADDS.includes(step.executor) || forbidden.includes(step.executor))
  return { kept: steps.filter((step) => !isForbidden(step)), dropped: steps.filter(isForbidden) }
}

/** Which planned steps the agent cannot run, in words for the model; null when it can run all. */
export function doubtSteps(steps: PlannedStep[], run: SkillRun): string | null {
  const agent = run.world.agents[run.step.agent]
  if (!agent) return null
  const always: readonly string[] = [...RUNTIME_ADDS, 'reflection', 'summary']
  const skills: readonly string[] = [...allowedSkills(agent), ...always]
  const wrong = steps.flatMap((step) => {
    if (step.type === 'skill') return skills.includes(step.executor) ? [] : [`${step.executor} is no skill of yours`]
    if (agent.tools.includes(step.executor)) return []
    return [isSkill(step.executor) ? `${step.executor} is a skill, not a tool` : `${step.executor} is no tool of yours`]
  })
  if (wrong.length === 0) return null
  return `${[...new Set(wrong)].join('; ')}. Your skills: ${plannableSkills(run.world, agent).join(', ')}. Your tools: ${agent.tools.join(', ') || 'none'}`
}

/** The step that looks at what was done so far. */
export const checkStep = (run: SkillRun): PlannedStep => ({
  step_intention: sayInLanguage(languageOf(run), 'checkPart'),
  type: 'skill',
  executor: 'reflection',
  text_content: sayInLanguage(languageOf(run), 'checkPartText'),
})

/** The steps as a list that people and later prompts can read, and what was left out. */
export function sayPlan(run: SkillRun, steps: PlannedStep[], dropped: PlannedStep[]): string {
  const language = languageOf(run)
  const lines = steps.map((step) => `- ${step.step_intention} (${step.executor})`)
  const head = sayInLanguage(language, 'stepsPlanned', { n: steps.length })
  const names = [...new Set(dropped.map((step) => step.executor))].join(', ')
  return [head, ...lines, ...(dropped.length === 0 ? [] : [sayInLanguage(language, 'stepsDropped', { names })])].join(
    '\n',
  )
}

/** The step that decides what the step needed to know. */
export const decisionStep = (need: NeededStep): PlannedStep => ({
  step_intention: need.step_intention,
  type: 'skill',
  executor: 'decision',
  text_content: need.text_content,
})

/** Why a step that ends a part cannot be left out. */
export const ofPart = (run: SkillRun): string | null =>
  run.step.stage === null ? null : 'your part of the stage would never end: write its summary'

/** Skills that check or end a part: only its plan and its reflection hold them. */
export const OF_PARTS: readonly string[] = ['reflection', 'summary']

/** A step that runs again after nothing would ask the same once more, without an end. */
export const refuseNoSteps = (steps: PlannedStep[]): string | null =>
  withoutForbidden(steps, OF_PARTS).kept.length > 0
    ? null
    : 'the list holds no step that gets what is missing; if nothing is, give the answer itself'

/** <get_more_info>: a decision step gets it; <decision_step>: these steps get it. Then the step itself runs again. */
export function getMoreFirst(run: SkillRun, need: NeededStep | PlannedStep[]): StepOutcome {
  const again: PlannedStep = {
    step_intention: run.step.intention,
    type: 'skill',
    executor: run.step.executor,
    text_content: run.step.text,
  }
  const first = Array.isArray(need) ? withoutForbidden(need, OF_PARTS).kept : [decisionStep(need)]
  const what = first.map((step) => step.step_intention).join('; ')
  const outcome = finishedWith(run, sayInLanguage(languageOf(run), 'neededFirst', { intention: what }), { again: true })
  return { ...outcome, steps: { add: [], insert: [...first, again] } }
}

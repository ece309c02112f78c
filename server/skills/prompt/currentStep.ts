import { escapeTags } from '@/lib/mas/formats'
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { MessageRecord, NewStage, RequestRecord, StageRecord, StepRecord, World } from '@/lib/mas/records'
import { selectStagePlace } from '@/lib/mas/stages/plan'
import { selectCauseMessage } from '@/lib/mas/steps/history'
import { selectName } from '@/lib/mas/team/agents'
import { stageHandle, stepHandle } from '@/lib/mas/team/handles'
import { sayInLanguage } from '@/lib/mas/words'
import type { SkillPrompt } from '../prompts'
import { messageWithAttachments, writeAnswersTo, writeMessage } from './message'
import { writeRatings } from './ratings'
import { CLOSE_SECTION, indented, openSection, tag } from './section'
import { writeTaskState } from './taskState'

/** The section current_part: the agent's part of the stage, equal for all its steps; null outside of a part. */
export function writePart(world: World, step: StepRecord): string | null {
  const stage = stageOf(world, step)
  const own = stage?.allocation[step.agent]
  if (stage === undefined || own === undefined) return null
  return [
    ...writeStage(world, stage),
    `stage_goal: ${indented(escapeTags(stage.intention))}`,
    `your_goal: ${indented(escapeTags(own))}`,
  ].join('\n')
}

/** The opening of the section: the skill, and the place of a step outside of a part. */
export function writeStepHead(world: World, step: StepRecord): string {
  const stage = stageOf(world, step)
  const where =
    stage === undefined
      ? ['stage: none', 'stage_id: no_relative']
      : stage.allocation[step.agent] === undefined
        ? writeStage(world, stage)
        : []
  return [
    openSection('current_step'),
    `skill: ${step.executor}`,
    ...where,
    ...(stage !== undefined && plans(step) ? writeOtherGoals(world, stage, step) : []),
  ].join('\n')
}

const stageOf = (world: World, { task, stage }: StepRecord): StageRecord | undefined =>
  stage === null ? undefined : world.stages[task]?.[stage]

/** The message that the step answers or stands for: its text is in the part that varies by step. */
export function messagesOfStep(world: World, step: StepRecord): MessageId[] {
  if (step.answers !== null) return [step.answers.message]
  const message = selectCauseMessage(world, step)
  return message !== null && standsForMessage(step, message) ? [message.id] : []
}

/** What the turns above show already: the text of the step; the agent's own answers. */
type Above = { text: boolean; answers: boolean }

/** The part that varies by step. */
export function writeStepNow(world: World, step: StepRecord, now: number, above: Above): string {
  const message = selectCauseMessage(world, step)
  const stands = step.answers === null && message !== null && standsForMessage(step, message)
  const isSaid = stands && step.text.trim() === message.text.trim()
  const text = isSaid || above.text || standsElsewhere(step) || step.answers !== null ? '' : step.text
  return [
    `step: ${stepHandle(step)}`,
    `time: ${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')}`,
    ...writeState(world, step, above.answers),
    ...writeRatings(world, step),
    ...writeAnswered(world, step),
    ...(stands ? [writeMessage(world, message)] : []),
    tag('step_intention', escapeTags(step.intention)),
    ...(text === '' ? [] : [tag('step_text', escapeTags(text))]),
    ...writeSentBack(world, step),
  ].join('\n')
}

/** The goals of a part, and the tool step whose call is written, have sections of their own. */
const standsElsewhere = (step: StepRecord): boolean => (plans(step) && step.stage !== null) || step.boundTo !== null

/** The rules of a skill, in tags with the forms of the answer; in the base task also what it may do there. */
export function writeRules({ rules, format, inBase }: SkillPrompt, isBase: boolean, isInTags: boolean): string {
  const more = isBase ? inBase : null
  const inner = (text: string, also: string | undefined): string => ['', text, ...(also ? [also] : []), ''].join('\n')
  return [
    tag('rules', inner(rules, more?.rules)),
    ...(isInTags ? [tag('answer_format', inner(format, more?.format))] : []),
  ].join('\n')
}

/** What the step may be answered with, and the end of the section. */
export const writeAnswerLine = (skill: SkillPrompt, isBase: boolean): string =>
  [`answer: ${answersOf(skill, isBase)}`, CLOSE_SECTION].join('\n')

/** The tags of the forms of an answer, which are the names of its functions. */
function answersOf({ format, inBase }: SkillPrompt, isBase: boolean): string {
  const forms = [format, ...(isBase && inBase !== null ? [inBase.format] : [])].join('\n')
  return [...new Set([...forms.matchAll(/^<([a-z_]+)>/gm)].map(([, name = '']) => name))].join(' | ')
}

function writeStage(world: World, stage: StageRecord): string[] {
  const { number, of } = selectStagePlace(world, stage.task, stage.id)
  return [`stage: ${number} of ${of}`, `stage_id: ${stageHandle(world, stage)}`]
}

/** The text of a planning step is the goal of the stage and the agent's own. */
const plans = (step: StepRecord): boolean => step.executor === 'planning'

/** The work of other members in this stage, so that it is neither requested nor done twice. */
function writeOtherGoals(world: World, stage: StageRecord, step: StepRecord): string[] {
  const others = (Object.entries(stage.allocation) as [AgentId, string][]).filter(([agent]) => agent !== step.agent)
  if (others.length === 0) return []
  const lines = others.map(
    ([agent, goal]) => `- ${escapeTags(selectName(world, agent))}: ${indented(escapeTags(goal))}`,
  )
  return ['parts_of_others:', ...lines]
}

/** Managers see the state of the task. */
function writeState(world: World, step: StepRecord, isAnswerAbove: boolean): string[] {
  const task = world.tasks[step.task]
  if (!task || task.base || task.manager !== step.agent) return []
  return [writeTaskState(world, task, isAnswerAbove ? step.agent : null)]
}

function writeAnswered(world: World, step: StepRecord): string[] {
  if (step.answers === null) return []
  const message = world.messages[step.task]?.[step.answers.message]
  const text = message ? messageWithAttachments(message) : escapeTags(step.text)
  return [writeAnswersTo(world, step.answers.to, step.answers.waiting !== null, text)]
}

/** Plans of this step that people sent back, and what they want changed. */
const writeSentBack = (world: World, step: StepRecord): string[] =>
  Object.values<RequestRecord>(world.requests[step.task] ?? {}).flatMap(({ kind, step: of, answer, plan }) => {
    if (kind !== 'plan' || of !== step.id || answer?.decision !== 'refuse' || plan === undefined) return []
    const parts = (allocation: NewStage['allocation']): string[] =>
      (Object.entries(allocation) as [AgentId, string][]).map(
        ([agent, goal]) => `  - ${escapeTags(selectName(world, agent))}: ${indented(escapeTags(goal))}`,
      )
    const lines = [
      '',
      `by: ${escapeTags(selectName(world, answer.by))}`,
      `comment: ${indented(escapeTags(answer.text))}`,
      `what_to_do: ${sayInLanguage(world.team.language, 'planAgain')}`,
      'plan:',
      ...plan.stages.flatMap(({ intention, allocation }) => [
        `- ${indented(escapeTags(intention))}`,
        ...parts(allocation),
      ]),
      '',
    ]
    return [tag('plan_sent_back', lines.join('\n'))]
  })

function standsForMessage(step: StepRecord, message: MessageRecord): boolean {
  const judges = message.instruction?.type === 'judge_stage' || message.instruction?.type === 'judge_task'
  if (step.executor === 'task_manager' && judges) return true
  return step.executor === 'process_message' || step.text.trim() === message.text.trim()
}

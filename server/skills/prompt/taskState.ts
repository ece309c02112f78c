/** The section stages with the results that an agent sees, and for a task's manager its state in a few lines. */
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import { escapeAttribute, escapeTags, estimateTokens } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import type { OwnSteps, StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { isJudging } from '@/lib/mas/stages/judge'
import { replacementOf, selectPlan } from '@/lib/mas/stages/plan'
import { isPartOver, isStageOver } from '@/lib/mas/statuses'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { selectName } from '@/lib/mas/team/agents'
import { stageHandle } from '@/lib/mas/team/handles'
import { sayInLanguage } from '@/lib/mas/words'
import { callsIn, writeFiles } from './files'
import { handleOf } from './message'
import { kindOf } from './role'
import { tag } from './section'
import type { Told } from './told'

const GOAL_CHARACTERS = 120

/** Estimated tokens of one result for agents that do not judge it: about 200 words. */
const RESULT_TOKENS = 300
/** What a person decided is cut later. */
const PERSON_TOKENS = 1_200
/** Shown of a result for which there is no room. */
const LEAST_TOKENS = 40

/**
 * The results of stages in the order of the plan: for the task's manager those whose parts are over, for all others the stages
 * that have ended; and of the stage at hand the parts whose results the agent's own part needs.
 *
 * in      the step; tokens of the section; what the conversation shows already, as the agent's own results
 * out     null without results. The manager gets them whole as far as there is room; others get the beginning of long ones, those
 *         of people and those that they need first. A block does not change once it is complete: judgements are in task_state
 */
export function writeStages(
  world: World,
  task: TaskRecord,
  step: StepRecord,
  tokens: number,
  told: Told | null,
): string | null {
  const judges = task.manager === step.agent
  const stages = selectPlan(world, task.id)
  const plan = stages
    .filter((stage) => judges || !isDoneAgain(stages, stage))
    .map((stage) => ({ stage, agents: resultsIn(stage, step, judges, told !== null) }))
  const parts = plan.flatMap(({ stage, agents }) => agents.map((agent) => ({ stage, agent })))
  if (parts.length === 0) return null
  const whole = new Map(parts.map(({ stage, agent }) => [`${stage.id} ${agent}`, stage.summaries[agent] ?? '']))
  const size = [...whole.values()].reduce((sum, text) => sum + estimateTokens(text), 0)
  const texts = judges && size <= tokens ? whole : fitting(world, step, parts, tokens)
  const blocks = plan.flatMap(({ stage, agents }) =>
    agents.length === 0 ? [] : [writeStageDone(world, stage, agents, texts, judges, told)],
  )
  const untold = blocks.filter((block) => !told?.holds('stages', block))
  if (untold.length === 0) return null
  const isCut = [...texts].some(([key, text]) => text !== whole.get(key))
  return [...untold, ...(isCut ? [sayInLanguage(world.team.language, 'resultsCut')] : [])].join('\n')
}

/** Was it replaced, and is that over? Then the results of the replacement stand for it. */
const isDoneAgain = (plan: readonly StageRecord[], stage: StageRecord): boolean => {
  const replacement = replacementOf(plan, stage)
  return replacement.id !== stage.id && isStageOver(replacement)
}

/** The parts of a stage whose results the step's agent sees, in the order of the stage. */
function resultsIn(stage: StageRecord, step: StepRecord, judges: boolean, isOwnTold: boolean): AgentId[] {
  const all = Object.keys(stage.allocation) as AgentId[]
  const agents = isOwnTold && !judges ? all.filter((agent) => agent !== step.agent) : all
  if (judges ? isWorkOver(stage) : isStageOver(stage)) return agents
  const needed = stage.id === step.stage ? (stage.needs?.[step.agent] ?? []) : []
  return agents.filter((agent) => needed.includes(agent) && isPartOver(stage.parts[agent]))
}

const isWorkOver = (stage: StageRecord): boolean =>
  isStageOver(stage) || (stage.state === 'running' && Object.values(stage.parts).every(isPartOver))

type Result = { stage: StageRecord; agent: AgentId }

/** The texts that are shown, by part: needed ones first, then those of people, then the newest. */
function fitting(world: World, step: StepRecord, parts: readonly Result[], tokens: number): Map<string, string> {
  const isPerson = ({ agent }: Result): boolean => world.agents[agent]?.kind === 'human'
  const rank = (part: Result): number => (part.stage.id === step.stage ? 0 : isPerson(part) ? 1 : 2)
  const ordered = parts.toReversed().sort((one, other) => rank(one) - rank(other))
  const shown = new Map<string, string>()
  let left = tokens
  for (const part of ordered) {
    const text = part.stage.summaries[part.agent] ?? ''
    const most = Math.min(isPerson(part) ? PERSON_TOKENS : RESULT_TOKENS, Math.max(LEAST_TOKENS, left))
    const short = beginningWithin(text, most)
    left -= estimateTokens(short)
    shown.set(`${part.stage.id} ${part.agent}`, short)
  }
  return shown
}

/** The text, or its beginning with how long it is. */
function beginningWithin(text: string, tokens: number): string {
  const size = estimateTokens(text)
  if (size <= tokens) return text
  return `${beginningOf(text, Math.floor((text.length * tokens) / size))} … [${text.length} characters]`
}

function writeStageDone(
  world: World,
  stage: StageRecord,
  agents: readonly AgentId[],
  texts: ReadonlyMap<string, string>,
  judges: boolean,
  told: Told | null,
): string {
  const parts = agents.map((agent) => {
    const goal = stage.allocation[agent] ?? ''
    const summary = texts.get(`${stage.id} ${agent}`) ?? ''
    // Who judges compares the two. For others the summary of an agent says enough; a person's may be one word.
    const isSaid = judges ? (told?.wrote(goal) ?? false) : summary !== '' && kindOf(world.agents[agent]) === 'agent'
    return writePart(world, stage, agent, summary, isSaid ? null : goal)
  })
  // For its manager a stage whose parts are over is shown before it is judged.
  const state = judges || !isStageOver(stage) ? '' : ` state="${stage.state}"`
  return [
    `<stage id="${stageHandle(world, stage)}"${state}>`,
    tag('stage_goal', escapeTags(stage.intention)),
    ...(!judges && stage.state === 'failed' && stage.reason ? [tag('failure', escapeTags(stage.reason))] : []),
    ...parts,
    '</stage>',
  ].join('\n')
}

function writePart(world: World, stage: StageRecord, agent: AgentId, summary: string, goal: string | null): string {
  const state = stage.parts[agent] ?? 'idle'
  const reason = stage.partReasons[agent]
  return [
    `<part agent="${escapeAttribute(selectName(world, agent))}" agent_id="${escapeAttribute(handleOf(world, agent))}" state="${state}">`,
    ...(goal === null ? [] : [tag('goal', escapeTags(goal))]),
    ...(state === 'failed' && reason ? [tag('failure', escapeTags(reason))] : []),
    `${tag('part_summary', escapeTags(summary))}</part>`,
  ].join('\n')
}

/** The tag task_state. judged: whose judgements the conversation shows already */
export function writeTaskState(world: World, task: TaskRecord, judged: AgentId | null): string {
  const owns: OwnSteps[] = Object.values(world.steps[task.id] ?? {})
  const calls = owns.flatMap(callsIn).sort((a, b) => (a.endedSeq ?? 0) - (b.endedSeq ?? 0))
  const lines = [
    `task: ${task.state}`,
    ...selectPlan(world, task.id).map((stage) => writeStage(world, stage)),
    ...writeJudgement(world, owns, judged),
    ...writeFiles(calls),
  ]
  return tag('task_state', `\n${lines.join('\n')}\n`)
}

function writeStage(world: World, stage: StageRecord): string {
  const parts = (Object.keys(stage.allocation) as AgentId[]).map((agent) => {
    const why = stage.partReasons[agent]
    const state = stage.parts[agent] ?? 'idle'
    return `${selectName(world, agent)} ${state}${state === 'failed' && why ? ` (${why})` : ''}`
  })
  const why = stage.state === 'failed' && stage.reason !== null ? ` (${stage.reason})` : ''
  // The goal of a finished stage is with its parts.
  const goal = isWorkOver(stage) ? '' : `; ${shortOf(stage.intention)}`
  return escapeTags(`${stageHandle(world, stage)}: ${stage.state}${why}${goal}; ${parts.join(', ')}`)
}

/** The newest judging step: its decision, or its failure. */
function writeJudgement(world: World, owns: readonly OwnSteps[], shown: AgentId | null): string[] {
  let last: StepRecord | null = null
  for (const step of owns.flatMap(afterMessages))
    if ((step.endedSeq ?? 0) > (last?.endedSeq ?? 0) && isJudging(world, step)) last = step
  if (last === null || last.agent === shown) return []
  const said = last.state === 'failed' ? `failed: ${last.reason ?? ''}` : (last.result?.text ?? '')
  return [escapeTags(`last judgement: ${shortOf(said)}`)]
}

const afterMessages = (own: OwnSteps): StepRecord[] =>
  stepsIn(own).filter(({ endedSeq, cause }) => endedSeq !== null && cause.message !== null)

const shortOf = (text: string): string => {
  const line = oneLine(text)
  return line.length > GOAL_CHARACTERS ? `${beginningOf(line, GOAL_CHARACTERS)} …` : line
}

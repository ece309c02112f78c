/** A task for its manager: the section stages with the results of each stage, and its state in a few lines. */
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import { escapeAttribute, escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import { stepsThat } from '@/lib/mas/ownSteps'
import type { OwnSteps, StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents/agents'
import { stageHandle } from '@/lib/mas/selectors/agents/handles'
import { isJudging } from '@/lib/mas/selectors/agents/judge'
import { selectPlan } from '@/lib/mas/selectors/tasks/plan'
import { isPartOver, isStageOver } from '@/lib/mas/statuses'
import { callsIn, writeFiles } from './files'
import { handleOf } from './message'
import { tag } from './section'

const GOAL_CHARACTERS = 120

/**
 * The finished stages in the order of the plan, with goals, failures and summaries.
 *
 * out     null without finished stages. A block never changes: judgements are in task_state
 */
export function writeStages(world: World, task: TaskRecord): string | null {
  const stages = selectPlan(world, task.id).filter(isWorkOver)
  return stages.length === 0 ? null : stages.map((stage) => writeStageDone(world, stage)).join('\n')
}

const isWorkOver = (stage: StageRecord): boolean =>
  isStageOver(stage) || (stage.state === 'running' && Object.values(stage.parts).every(isPartOver))

function writeStageDone(world: World, stage: StageRecord): string {
  const parts = (Object.keys(stage.allocation) as AgentId[]).map((agent) => writePart(world, stage, agent))
  return [
    `<stage id="${stageHandle(world, stage)}">`,
    tag('stage_goal', escapeTags(stage.intention)),
    ...parts,
    '</stage>',
  ].join('\n')
}

function writePart(world: World, stage: StageRecord, agent: AgentId): string {
  const state = stage.parts[agent] ?? 'idle'
  const reason = stage.partReasons[agent]
  return [
    `<part agent="${escapeAttribute(selectName(world, agent))}" agent_id="${escapeAttribute(handleOf(world, agent))}" state="${state}">`,
    tag('goal', escapeTags(stage.allocation[agent] ?? '')),
    ...(state === 'failed' && reason ? [tag('failure', escapeTags(reason))] : []),
    `${tag('part_summary', escapeTags(stage.summaries[agent] ?? ''))}</part>`,
  ].join('\n')
}

/** The section task_state. */
export function writeTaskState(world: World, task: TaskRecord): string {
  const owns: OwnSteps[] = Object.values(world.steps[task.id] ?? {})
  const calls = owns.flatMap(callsIn).sort((a, b) => (a.endedSeq ?? 0) - (b.endedSeq ?? 0))
  const lines = [
    `task: ${task.state}`,
    ...selectPlan(world, task.id).map((stage) => writeStage(world, stage)),
    ...writeJudgement(world, owns),
    ...writeFiles(calls, ['written']),
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
function writeJudgement(world: World, owns: readonly OwnSteps[]): string[] {
  let last: StepRecord | null = null
  for (const step of owns.flatMap(afterMessages))
    if ((step.endedSeq ?? 0) > (last?.endedSeq ?? 0) && isJudging(world, step)) last = step
  if (last === null) return []
  const said = last.state === 'failed' ? `failed: ${last.reason ?? ''}` : (last.result?.text ?? '')
  return [escapeTags(`last judgement: ${shortOf(said)}`)]
}

const afterMessages = stepsThat(({ endedSeq, cause }) => endedSeq !== null && cause.message !== null)

const shortOf = (text: string): string => {
  const line = oneLine(text)
  return line.length > GOAL_CHARACTERS ? `${beginningOf(line, GOAL_CHARACTERS)} …` : line
}

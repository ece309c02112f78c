/** The state of a task in a few lines, for its manager. */

import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import { escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import { stepsThat } from '@/lib/mas/ownSteps'
import type { OwnSteps, StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents/agents'
import { stageHandle } from '@/lib/mas/selectors/agents/handles'
import { isJudging } from '@/lib/mas/selectors/agents/judge'
import { selectPlan } from '@/lib/mas/selectors/tasks/plan'
import { callsIn, writeFiles } from './files'
import { tag } from './section'
import { isWorkOver } from './stagesSection'

const GOAL_CHARACTERS = 120

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

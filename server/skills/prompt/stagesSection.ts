/** The section stages: results of each stage, for the task's manager. */
import { escapeAttribute, escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import type { StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { stageHandle } from '@/lib/mas/selectors/agents/handles'
import { selectPlan } from '@/lib/mas/selectors/tasks/plan'
import { isPartOver, isStageOver } from '@/lib/mas/statuses'
import { handleOf, senderNameOf } from './message'
import { tag } from './section'

/**
 * The finished stages in the order of the plan, with goals, failures and summaries.
 *
 * out     null without finished stages. A block never changes: judgements are in task_state
 */
export function writeStages(world: World, task: TaskRecord): string | null {
  const stages = selectPlan(world, task.id).filter(isWorkOver)
  return stages.length === 0 ? null : stages.map((stage) => writeStage(world, stage)).join('\n')
}

export const isWorkOver = (stage: StageRecord): boolean =>
  isStageOver(stage) || (stage.state === 'running' && Object.values(stage.parts).every(isPartOver))

function writeStage(world: World, stage: StageRecord): string {
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
    `<part agent="${escapeAttribute(senderNameOf(world, agent))}" agent_id="${escapeAttribute(handleOf(world, agent))}" state="${state}">`,
    tag('goal', escapeTags(stage.allocation[agent] ?? '')),
    ...(state === 'failed' && reason ? [tag('failure', escapeTags(reason))] : []),
    `${tag('part_summary', escapeTags(stage.summaries[agent] ?? ''))}</part>`,
  ].join('\n')
}

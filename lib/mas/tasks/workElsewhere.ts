import type { AgentId, TaskId } from '../ids'
import { runsSteps } from '../members/traits'
import type { StageRecord, TaskRecord, World } from '../records'
import { isPartOver, isStageOver, isTaskOver } from '../statuses'

/**
 * Agents with work in several tasks at once: their steps take turns. Stages of one task never run at the same time.
 *
 * out  those of the given agents, no people, that have a part to do in a running or coming stage of another task, and these tasks
 */
export function selectWorkElsewhere(
  world: World,
  task: TaskId,
  agents: readonly AgentId[],
): { agents: AgentId[]; tasks: TaskRecord[] } {
  const ours = agents.filter((id) => runsSteps(world, id))
  const others = Object.values<TaskRecord>(world.tasks).filter(
    (one) => one.id !== task && !one.base && !one.conversation && !one.talk && !isTaskOver(one),
  )
  const found = others.flatMap((other) =>
    ours.filter((agent) => hasPart(world, other.id, agent)).map((agent) => ({ agent, other })),
  )
  return {
    agents: [...new Set(found.map(({ agent }) => agent))],
    tasks: [...new Set(found.map(({ other }) => other))],
  }
}

const hasPart = (world: World, task: TaskId, agent: AgentId): boolean =>
  Object.values<StageRecord>(world.stages[task] ?? {}).some(
    (stage) => !isStageOver(stage) && stage.allocation[agent] !== undefined && !isPartOver(stage.parts[agent]),
  )

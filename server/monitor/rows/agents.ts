/** The rows of `agents`: each member of the team at a glance, those who wait first. */
import { gather } from '@/lib/gather'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, EvictedLane, OwnSteps, TaskRecord, World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import { NO_ROLLUP, type Rollup, rollupOfAgent, rollupOfEvicted, sumRollups } from '@/lib/mas/steps/rollups'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import { selectStep, selectWorkingState } from '@/lib/mas/team/agents'
import { isStop, selectAgentProgress } from '@/lib/mas/waits/progress'
import { memo } from '@/lib/memo'
import type { AgentRow, AgentsTotals } from '@/lib/wire/rows'
import { whoOf, whosOf } from '@/lib/wire/who'
import { cardsFor } from './openItems'
import { padded, type RowSource, TOTALS } from './source'

const openTasksOf = memo((tasks: World['tasks']): ReadonlyMap<AgentId, TaskRecord[]> => {
  const open = Object.values(tasks).filter((task: TaskRecord) => !isTaskOver(task) && !task.base && !task.talk)
  return gather(open, (task: TaskRecord) => task.group)
})

export function agentsRows(): RowSource {
  return {
    inputs: (world) => [world.agents, world.work, world.tasks, world.steps, world.requests],
    rows: (world) => {
      const costs = costsOf(world)
      const rows = Object.values(world.agents)
        .filter((agent: AgentRecord) => !agent.removed)
        .map((agent: AgentRecord) => agentRow(world, agent, costs.get(agent.id) ?? NO_ROLLUP))
      return [totals(rows), ...rows]
    },
  }
}

/** What each agent used, over all tasks. */
function costsOf(world: World): Map<AgentId, Rollup> {
  const costs = new Map<AgentId, Rollup>()
  const add = (agent: AgentId, sum: Rollup): void => {
    costs.set(agent, sumRollups([costs.get(agent) ?? NO_ROLLUP, sum]))
  }
  for (const agents of Object.values(world.steps))
    for (const [agent, steps] of Object.entries(agents) as [AgentId, OwnSteps][]) add(agent, rollupOfAgent(steps))
  for (const lanes of Object.values(world.evicted))
    for (const lane of Object.values<EvictedLane>(lanes)) add(lane.agent, rollupOfEvicted(lane))
  return costs
}

function agentRow(world: World, agent: AgentRecord, { tokens, costUsd }: Rollup): AgentRow {
  const { id } = agent
  const work = world.work[id]
  const progress = selectAgentProgress(world, id)
  const stop = isStop(progress) ? progress : null
  const lock = work?.locks[0]
  const ref = work?.running ?? (lock ? { task: lock.task, step: lock.step } : null)
  const step = ref ? selectStep(world, ref.task, id, ref.step) : null
  const taskName = step ? (world.tasks[step.task]?.name ?? '') : ''
  const tasks = openTasksOf(world.tasks).get(id) ?? []
  const queue = agent.kind === 'human' ? askedOf(world, id) : (work?.todo.length ?? 0)
  const waitsFor = whosOf(world, agent.paused ? [] : (stop?.on ?? []))
  const chip = progress.state
  const state = selectWorkingState(world, id)
  const by = agent.paused === null ? null : whoOf(world, agent.paused.by)
  const since = stop?.since ?? (chip === 'running' ? (step?.startedAt ?? null) : null)
  return {
    id,
    sort: sortOf(agent, chip, since),
    kind: 'agent',
    agent: id,
    who: whoOf(world, id),
    state,
    chip,
    paused: agent.paused && by ? { by, reason: agent.paused.reason, at: agent.paused.at } : null,
    // What is done in a talk is for its two members.
    now:
      step && !world.tasks[step.task]?.talk
        ? {
            task: step.task,
            taskName,
            step: step.id,
            executor: step.executor,
            intention: stepTitle(step, world.team.language),
          }
        : null,
    waitsFor,
    since,
    queue,
    tasks: tasks.map((task) => ({ id: task.id, name: task.name })),
    tokens,
    costUsd,
  }
}

const askedOf = (world: World, person: AgentId): number =>
  Object.values(world.requests).reduce((count, own) => count + cardsFor(own, person).length, 0)

const CHIP_ORDER: Record<AgentRow['chip'], number> = {
  blocked: 0,
  waiting: 1,
  running: 2,
  idle: 3,
  done: 3,
  redone: 3,
  failed: 3,
}

/** Agents, then people; in each the stuck ones first, the longest wait at the top, else by name. */
function sortOf(agent: AgentRecord, chip: AgentRow['chip'], since: number | null): string {
  const isStuck = chip === 'blocked' || chip === 'waiting'
  return `${agent.kind === 'human' ? 1 : 0}${CHIP_ORDER[chip]}:${isStuck ? padded(since ?? 0) : ''}:${agent.name}`
}

const totals = (rows: AgentRow[]): AgentsTotals => ({
  ...TOTALS,
  agents: rows.filter((row) => row.who.kind !== 'human').length,
  people: rows.filter((row) => row.who.kind === 'human').length,
  waiting: rows.filter((row) => row.chip === 'waiting').length,
  blocked: rows.filter((row) => row.chip === 'blocked').length,
})

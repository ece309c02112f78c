/** Handles: the short names of agents, tasks and stages in prompts. A handle never changes while its task lives. */
import { memo, memoWith } from '@/lib/memo'
import type { TaskId } from '../ids'
import type { AgentRecord, StageRecord, StepRecord, TaskRecord, World } from '../records'
import { isTaskOver } from '../statuses'
import { bareId, resolveAgent, resolveStage, resolveTask } from './agents'

/** The distinguishing part of a UUID within a team. */
const SHORT_ID = 6

const plain = (text: string): string =>
  text.normalize('NFKC').trim().replace(/^@/, '').replace(/\s+/g, ' ').toLowerCase()

/** `French Writer`, `french_writer` and `french-writer` are one name where no other is closer. */
const folded = (text: string): string => plain(text).replace(/[\s_-]/g, '')

const only = <T>(found: readonly T[]): T | null => (found.length === 1 ? (found[0] ?? null) : null)

/** The configured id, else the name (with the beginning of the id where it is not unique); of an outside agent its URI. */
export function agentHandle(world: Pick<World, 'agents'>, agent: AgentRecord): string {
  if (agent.outside) return agent.outside.uri
  if (agent.configId !== null) return agent.configId
  const isTaken = (agentsCalled(world.agents).get(plainName(agent)) ?? 0) > 1
  return isTaken ? `${agent.name}-${agent.id.slice(0, SHORT_ID)}` : agent.name
}

const plainName = memo(({ name }: AgentRecord): string => plain(name))

/** How many agents have each name, or are configured under it as their id. */
const agentsCalled = memo((agents: World['agents']): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const agent of Object.values<AgentRecord>(agents))
    for (const called of new Set([plainName(agent), ...(agent.configId === null ? [] : [agent.configId])]))
      counts.set(called, (counts.get(called) ?? 0) + 1)
  return counts
})

/** Whether that name would be confused with an existing agent. */
export const isNameTaken = (world: World, name: string): boolean =>
  Object.values(world.agents).some(
    (agent: AgentRecord) =>
      !agent.removed && [agent.name, agentHandle(world, agent)].some((known) => plain(known) === plain(name)),
  )

export const taskHandle = (task: Pick<TaskRecord, 'id'>): string => `task-${task.id.slice(0, SHORT_ID)}`

/** `stage 2`, by the order of the plan; `stage 2 try 3` for one that is done again. */
export const stageHandle = (world: World, stage: StageRecord): string =>
  handleOfStage(stage, world.tasks[stage.task]?.stageOrder, world.stages[stage.task])

const handleOfStage = memoWith(
  (
    stage: StageRecord,
    stageOrder: TaskRecord['stageOrder'] = [],
    stages: Partial<World['stages'][TaskId]> = {},
  ): string => {
    const firstTry = (one: StageRecord): StageRecord => {
      const before = one.retryOf === null ? undefined : stages[one.retryOf]
      return before === undefined ? one : firstTry(before)
    }
    const order = stageOrder.flatMap((id) => stages[id] ?? [])
    const first = firstTry(stage)
    const number = order.filter((one) => one.retryOf === null).findIndex((one) => one.id === first.id) + 1
    const tries = order.filter((one) => one.id !== first.id && firstTry(one).id === first.id)
    const tried = tries.sort((a, b) => a.createdAt - b.createdAt).findIndex((one) => one.id === stage.id)
    return tried < 0 ? `stage ${number}` : `stage ${number} try ${tried + 2}`
  },
)

/** The agent with this id, handle or unique name. Members of the task come first. */
export function agentNamed(world: World, text: string, task?: TaskId): AgentRecord | null {
  const known = resolveAgent(world, text)
  if (known) return known
  const members = (task === undefined ? [] : (world.tasks[task]?.group ?? [])).flatMap((id) => world.agents[id] ?? [])
  const all: AgentRecord[] = Object.values(world.agents)
  const called = (fold: (name: string) => string): AgentRecord | null => {
    const name = fold(bareId(text))
    const fits = (agent: AgentRecord): boolean =>
      !agent.removed && [agent.name, agentHandle(world, agent)].some((known) => fold(known) === name)
    return only(members.filter(fits)) ?? only(all.filter(fits))
  }
  return called(plain) ?? (folded(bareId(text)) === '' ? null : called(folded))
}

/** The task with this id, handle or unique name of a live task. */
export function taskNamed(world: World, text: string): TaskRecord | null {
  const known = resolveTask(world, text)
  if (known) return known
  const tasks: TaskRecord[] = Object.values(world.tasks)
  const called = (fold: (name: string) => string): TaskRecord | null => {
    const name = fold(bareId(text))
    return (
      only(tasks.filter((task) => fold(taskHandle(task)) === name)) ??
      only(tasks.filter((task) => !isTaskOver(task) && fold(task.name) === name))
    )
  }
  return called(plain) ?? (folded(bareId(text)) === '' ? null : called(folded))
}

/** The stage of that task with this id, handle or unique name; `阶段 2`, `stage_2`, `stage2` and `2` are handles too. */
export function stageNamed(world: World, task: TaskId, text: string): StageRecord | null {
  const known = resolveStage(world, task, text)
  if (known) return known
  const wanted = plain(text)
    .replace(/[_-]/g, ' ')
    .replace(/^阶段|^第/, 'stage ')
    .replace(/\s+/g, ' ')
  const handle = folded(/^\d/.test(wanted) ? `stage ${wanted}` : wanted)
  const stages: StageRecord[] = Object.values(world.stages[task] ?? {})
  return (
    only(stages.filter((stage) => folded(stageHandle(world, stage)) === handle)) ??
    only(stages.filter((stage) => stage.name !== undefined && folded(stage.name) === folded(text)))
  )
}

/** A list of names with handles: `Reader (reader), Ana`. */
export const namesWithHandles = (world: World, agents: readonly AgentRecord[]): string =>
  agents
    .map((agent) => {
      const handle = agentHandle(world, agent)
      return handle === agent.name ? agent.name : `${agent.name} (${handle})`
    })
    .join(', ')

/** `#14`: the step's number in its task. */
export const stepHandle = ({ number }: Pick<StepRecord, 'number'>): string => `#${number}`

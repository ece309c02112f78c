/** Questions about agents: their current and next steps, their roles, their ids. */
import { own } from '@/lib/json'
import type { AgentId, StageId, StepId, TaskId } from '../ids'
import { memberTraits } from '../members/traits'
import type {
  AgentRecord,
  StageRecord,
  StepRecord,
  StepRef,
  TaskRecord,
  WorkingState,
  WorkRecord,
  World,
} from '../records'
import { isTaskOver } from '../statuses'
import { stepIn, stepsIn } from '../steps/ownSteps'

export const selectName = (world: World, id: AgentId | 'system:task'): string =>
  id === 'system:task' ? 'system:task' : (world.agents[id]?.name ?? id)

/** A person of the team with access. */
export const mayAct = (agent: AgentRecord | null | undefined): agent is AgentRecord =>
  agent !== null && agent !== undefined && memberTraits(agent).isAsked && !agent.removed && agent.access !== 'none'

/** Present: known and not removed. */
export const isPresent = (world: World, agent: AgentId): boolean => world.agents[agent]?.removed === false

export const isMember = (world: World, task: TaskId, agent: AgentId): boolean =>
  world.tasks[task]?.group.includes(agent) ?? false

/** The task's manager, in a list; a talk has none. */
export const managerIn = ({ manager }: Pick<TaskRecord, 'manager'>): AgentId[] => (manager === null ? [] : [manager])

export const isOperator = (world: World, agent: AgentId): boolean => world.agents[agent]?.access === 'operator'

/** Whether the agent manages an open task. Then it takes no lock, which could block a whole task. */
export const managesTask = (world: World, agent: AgentId): boolean =>
  Object.values(world.tasks).some(
    (task: TaskRecord) => task.manager === agent && !task.conversation && !isTaskOver(task),
  )

export function selectWorkingState(world: World, agent: AgentId): WorkingState {
  const work = world.work[agent]
  if (!work) return 'idle'
  if (work.locks.length > 0) return 'waiting'
  return work.running || work.todo.length > 0 ? 'working' : 'idle'
}

/** What an agent runs and is to run, in this order. */
export const refsIn = ({ running, todo }: WorkRecord): StepRef[] => (running ? [running, ...todo] : todo)

export const selectStep = (world: World, task: TaskId, agent: AgentId, step: StepId): StepRecord | null =>
  stepIn(world.steps[task]?.[agent], step) ?? null

/** Whether a tool call of this step has no result yet. */
export const wasCalled = (world: World, { task, id }: StepRecord): boolean =>
  Object.values(world.effects[task] ?? {}).some(({ step }) => step === id)

/** The step in any task. It searches the tasks: use it for commands and answers, not on hot paths, which know the task. */
export function findStep(world: World, step: StepId, near?: { task: TaskId; agent: AgentId }): StepRecord | null {
  const there = near ? selectStep(world, near.task, near.agent, step) : null
  if (there) return there
  // It may come from outside.
  if (Object.hasOwn(Object.prototype, step)) return null
  // Usually it is a running one: that needs one lookup per agent.
  for (const agent of Object.keys(world.work) as AgentId[]) {
    const running = world.work[agent]?.running
    const found = running?.step === step ? selectStep(world, running.task, agent, step) : null
    if (found) return found
  }
  for (const agents of Object.values(world.steps)) {
    for (const steps of Object.values(agents)) {
      const found = stepIn(steps, step)
      if (found) return found
    }
  }
  return null
}

/** All steps of an agent in one stage (null: those without a stage), in the order they ran or will run. */
export function selectStepsInOrder(
  world: World,
  task: TaskId,
  agent: AgentId,
  stage: StageId | null | undefined,
): StepRecord[] {
  const todo = new Map((world.work[agent]?.todo ?? []).map((ref, index) => [ref.step, index]))
  const place = (step: StepRecord): number =>
    step.startedSeq ?? step.endedSeq ?? Number.MAX_SAFE_INTEGER / 2 + (todo.get(step.id) ?? 0)
  return stepsIn(world.steps[task]?.[agent])
    .filter((step) => stage === undefined || step.stage === stage)
    .sort((a, b) => place(a) - place(b))
}

const PREFIX = /^(LLMAgent|HumanAgent|OutsideAgent|TaskState|StageState|StepState)_/
/** An id as people and models write it, without the prefix of a StateID. */
export const bareId = (text: string): string => text.trim().replace(PREFIX, '')

/** The task that a uuid or prefixed StateID means. */
export const resolveTask = (world: World, text: string): TaskRecord | null =>
  own<TaskRecord>(world.tasks, bareId(text)) ?? null

/** The stage of that task that a uuid or prefixed StateID means. */
export const resolveStage = (world: World, task: TaskId, text: string): StageRecord | null =>
  own<StageRecord>(world.stages[task], bareId(text)) ?? null

/** The agent that a uuid, configured id, prefixed StateID or the URI of an agent outside means. */
export function resolveAgent(world: World, text: string): AgentRecord | null {
  const id = bareId(text)
  const known = own<AgentRecord>(world.agents, id)
  if (known) return known
  return (
    Object.values(world.agents).find((agent: AgentRecord) => agent.configId === id || agent.outside?.uri === id) ?? null
  )
}

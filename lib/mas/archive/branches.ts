/** The branches of one task in the world: they leave together, and are stored and restored as one piece. */
import type { TaskId } from '../ids'
import { emptyWorld, type World } from '../records'

/** Branches by agent, by node, by peer, or by another id. */
type OfOthers =
  | 'agents'
  | 'work'
  | 'memory'
  | 'notices'
  | 'nodes'
  | 'peers'
  | 'conversations'
  | 'taken'
  | 'checkpoints'
  | 'files'
  | 'setup'
  | 'templates'
  | 'schedules'
  | 'ratings'
  | 'templateRatings'
  | 'erased'
  | 'left'
type Keyed = { [Key in keyof World]: Record<TaskId, never> extends World[Key] ? Key : never }[keyof World]
type OfTask = Exclude<Keyed, OfOthers>

/** All records of one task. A branch that is missing below does not compile. */
export type TaskPiece = { [Key in OfTask]?: World[Key][TaskId] | undefined }
export type WholePiece = { [Key in OfTask]: World[Key][TaskId] | undefined }

export const pieceOf = (world: World, task: TaskId): WholePiece => ({
  tasks: world.tasks[task],
  involved: world.involved[task],
  stages: world.stages[task],
  steps: world.steps[task],
  messages: world.messages[task],
  deliveries: world.deliveries[task],
  requests: world.requests[task],
  reminders: world.reminders[task],
  requestCounts: world.requestCounts[task],
  stepCounts: world.stepCounts[task],
  evicted: world.evicted[task],
  info: world.info[task],
  effects: world.effects[task],
  budgets: world.budgets[task],
  outbox: world.outbox[task],
})

/** The tasks with any record in the world. */
export const selectTasksHeld = (world: World): TaskId[] => [
  ...new Set(BRANCHES.flatMap((branch) => Object.keys(world[branch]) as TaskId[])),
]
const BRANCHES = Object.keys(pieceOf(emptyWorld, '' as TaskId)) as OfTask[]

type TaskBranches = Pick<World, OfTask>

type TaskPieces = ReadonlyMap<TaskId, TaskPiece>

/** The world with these tasks replaced or added. */
export const withPieces = (world: World, pieces: TaskPieces): World => ({
  ...world,
  ...onEachBranch((branch) => put(world[branch], branch, pieces)),
})

/** All branches of tasks, changed. in: change: returns the new branch */
export const onEachBranch = (change: (branch: OfTask) => unknown): TaskBranches =>
  Object.fromEntries(BRANCHES.map((branch) => [branch, change(branch)])) as TaskBranches

function put(map: Record<TaskId, unknown>, branch: OfTask, pieces: TaskPieces): Record<TaskId, unknown> {
  const next = { ...map }
  for (const [task, piece] of pieces) {
    const held = piece[branch]
    if (held === undefined) delete next[task]
    else next[task] = held
  }
  return next
}

export const withoutTasks = (world: World): World => ({ ...world, ...onEachBranch(() => ({})) })

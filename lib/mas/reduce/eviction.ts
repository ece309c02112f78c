/** Records that leave the world: whole tasks and threads of the base task, or old records. They stay in the journal. */
import type { AgentId, MessageId, PeerId, StepId, TaskId } from '../ids'
import { countSteps, type FlatSteps, NO_STEPS, stepsIn, withFlatSteps, withoutSteps } from '../ownSteps'
import type { OwnSteps, World } from '../records'
import { onEachBranch } from '../selectors/archive/branches'
import { changed, changedOr, withKey, withoutKeys } from './branch'
import type { Reducers } from './reducer'

type StepsOfTask = World['steps'][keyof World['steps']]
type ReceiptsOfTask = World['receipts'][keyof World['receipts']]

const keysWhere = <Key extends string, Value>(map: Record<Key, Value>, leaves: (value: Value) => boolean): Key[] =>
  (Object.keys(map) as Key[]).filter((key) => leaves(map[key]))

/** Each agent's branch without some records; an agent without records has no branch. */
function fromEach<Own>(
  byAgent: Record<AgentId, Own>,
  less: (own: Own, agent: AgentId) => Own,
  isNothing: (own: Own) => boolean,
): Record<AgentId, Own> {
  let next = byAgent
  for (const [agent, own] of Object.entries(byAgent) as [AgentId, Own][]) {
    const left = less(own, agent)
    if (left === own) continue
    next = isNothing(left) ? withoutKeys(next, [agent]) : { ...next, [agent]: left }
  }
  return next
}

const receiptsWithout = (byAgent: ReceiptsOfTask, messages: readonly MessageId[]): ReceiptsOfTask =>
  messages.length === 0
    ? byAgent
    : fromEach(
        byAgent,
        (own) => withoutKeys(own, messages),
        (own) => Object.keys(own).length === 0,
      )

const stepsWithout = (byAgent: StepsOfTask, gone: (own: OwnSteps, agent: AgentId) => readonly StepId[]): StepsOfTask =>
  fromEach(
    byAgent,
    (own, agent) => withoutSteps(own, gone(own, agent)),
    (own) => countSteps(own) === 0,
  )

/** A closed conversation leaves with its task; an idle one stays, and its next message restores the task. */
function withoutClosed(conversations: World['conversations'], task: TaskId): World['conversations'] {
  let left = conversations
  for (const [peer, all] of Object.entries(conversations) as [PeerId, World['conversations'][PeerId]][]) {
    const over = keysWhere(all, (one) => one.task === task && one.closedAt !== null)
    if (over.length > 0) left = { ...left, [peer]: withoutKeys(all, over) }
  }
  return left
}

/** Each agent's records with the restored ones. */
function joined<Records extends object>(
  old: Record<AgentId, Records>,
  back: Record<AgentId, Records> | undefined,
): Record<AgentId, Records> {
  const all = { ...old }
  for (const [agent, records] of Object.entries(back ?? {}) as [AgentId, Records][])
    all[agent] = { ...all[agent], ...records }
  return all
}

function withBack(old: StepsOfTask, back: Record<AgentId, FlatSteps> | undefined): StepsOfTask {
  const all = { ...old }
  for (const [agent, steps] of Object.entries(back ?? {}) as [AgentId, FlatSteps][])
    all[agent] = withFlatSteps(all[agent] ?? NO_STEPS, steps)
  return all
}

export const evictionReducers = {
  'task.archived': (world, { task }) => ({
    ...world,
    ...onEachBranch((branch) => withoutKeys<TaskId, unknown>(world[branch], [task])),
    conversations: withoutClosed(world.conversations, task),
  }),
  'task.woken': (world, { task, piece }) => ({
    ...world,
    tasks: piece.tasks === undefined ? world.tasks : withKey(world.tasks, task, piece.tasks),
    stages: piece.stages === undefined ? world.stages : withKey(world.stages, task, piece.stages),
    messages: changedOr(world.messages, task, {}, (old) => ({ ...old, ...piece.messages })),
    receipts: changedOr(world.receipts, task, {}, (old) => joined(old, piece.receipts)),
    steps: changedOr(world.steps, task, {}, (old) => withBack(old, piece.steps)),
    requestCounts:
      piece.requestCounts === undefined ? world.requestCounts : withKey(world.requestCounts, task, piece.requestCounts),
    stepCounts: piece.stepCounts === undefined ? world.stepCounts : withKey(world.stepCounts, task, piece.stepCounts),
    budgets: piece.budgets === undefined ? world.budgets : withKey(world.budgets, task, piece.budgets),
  }),
  'thread.retired': (world, { task, thread }) => {
    const all = world.messages[task]
    const messages = all ? keysWhere(all, (message) => (message.thread ?? message.id) === thread) : []
    return {
      ...world,
      messages: changed(world.messages, task, (old) => withoutKeys(old, messages)),
      receipts: changed(world.receipts, task, (old) => receiptsWithout(old, messages)),
      requests: changed(world.requests, task, (old) =>
        withoutKeys(
          old,
          keysWhere(old, (request) => request.thread === thread),
        ),
      ),
      steps: changed(world.steps, task, (old) =>
        stepsWithout(old, (own) => stepsIn(own).flatMap((step) => (step.thread === thread ? [step.id] : []))),
      ),
    }
  },
  'records.evicted': (world, { task, steps, messages, requests }) => ({
    ...world,
    messages: changed(world.messages, task, (old) => withoutKeys(old, messages)),
    receipts: changed(world.receipts, task, (old) => receiptsWithout(old, messages)),
    requests: changed(world.requests, task, (old) => withoutKeys(old, requests)),
    steps: changed(world.steps, task, (old) => stepsWithout(old, (_, agent) => steps[agent] ?? [])),
  }),
} satisfies Reducers

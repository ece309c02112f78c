/**
 * What leaves the world: a task whole, a thread of the base task whole, or single records of a task that goes on.
 * They stay in the journal; whoever looks for them there sees them as they were.
 */

import type { AgentId, MessageId, PeerId, StepId, TaskId } from '../ids'
import type { StepRecord, World } from '../records'
import type { TaskBranches } from '../selectors/branches'
import { changed, changedOr, withKey, withoutKeys } from './branch'
import type { ReducersOf } from './reducer'

type Types = 'task.archived' | 'task.woken' | 'thread.retired' | 'records.evicted'

type StepsOfTask = World['steps'][keyof World['steps']]
type ReceiptsOfTask = World['receipts'][keyof World['receipts']]

const keysWhere = <Key extends string, Value>(map: Record<Key, Value>, leaves: (value: Value) => boolean): Key[] =>
  (Object.keys(map) as Key[]).filter((key) => leaves(map[key]))

/** Each agent's branch without those keys; an agent with nothing left has no branch. */
function fromEach<Branch extends Record<AgentId, Record<string, unknown>>>(
  byAgent: Branch,
  gone: (agent: AgentId, own: Branch[AgentId]) => readonly string[],
): Branch {
  let next: Record<AgentId, Record<string, unknown>> = byAgent
  for (const [agent, own] of Object.entries(byAgent) as [AgentId, Branch[AgentId]][]) {
    const left = withoutKeys<string, unknown>(own, gone(agent, own))
    if (left === own) continue
    next = Object.keys(left).length === 0 ? withoutKeys(next, [agent]) : { ...next, [agent]: left }
  }
  return next as Branch
}

const receiptsWithout = (byAgent: ReceiptsOfTask, messages: readonly MessageId[]): ReceiptsOfTask =>
  messages.length === 0 ? byAgent : fromEach(byAgent, () => messages)

const stepsWithout = (
  byAgent: StepsOfTask,
  gone: (agent: AgentId, own: Record<StepId, StepRecord>) => readonly StepId[],
): StepsOfTask => fromEach(byAgent, gone)

/** A conversation that was closed goes with its task; one that only rests is woken by its next message. */
function withoutClosed(conversations: World['conversations'], task: TaskId): World['conversations'] {
  let left = conversations
  for (const [peer, all] of Object.entries(conversations) as [PeerId, World['conversations'][PeerId]][]) {
    const over = keysWhere(all, (one) => one.task === task && one.closedAt !== null)
    if (over.length > 0) left = { ...left, [peer]: withoutKeys(all, over) }
  }
  return left
}

/** Each agent's records with those that come back. */
function joined<Records extends object>(
  old: Record<AgentId, Records>,
  back: Record<AgentId, Records> | undefined,
): Record<AgentId, Records> {
  const all = { ...old }
  for (const [agent, records] of Object.entries(back ?? {}) as [AgentId, Records][])
    all[agent] = { ...all[agent], ...records }
  return all
}

export const leavingReducers: ReducersOf<Types> = {
  'task.archived': (world, { task }) => {
    const left: TaskBranches = {
      tasks: withoutKeys(world.tasks, [task]),
      outbox: withoutKeys(world.outbox, [task]),
      stages: withoutKeys(world.stages, [task]),
      steps: withoutKeys(world.steps, [task]),
      messages: withoutKeys(world.messages, [task]),
      receipts: withoutKeys(world.receipts, [task]),
      requests: withoutKeys(world.requests, [task]),
      requestCounts: withoutKeys(world.requestCounts, [task]),
      info: withoutKeys(world.info, [task]),
      effects: withoutKeys(world.effects, [task]),
      budgets: withoutKeys(world.budgets, [task]),
    }
    return { ...world, ...left, conversations: withoutClosed(world.conversations, task) }
  },
  'task.woken': (world, { task, piece }) => ({
    ...world,
    tasks: piece.tasks === undefined ? world.tasks : withKey(world.tasks, task, piece.tasks),
    stages: piece.stages === undefined ? world.stages : withKey(world.stages, task, piece.stages),
    messages: changedOr(world.messages, task, {}, (old) => ({ ...old, ...piece.messages })),
    receipts: changedOr(world.receipts, task, {}, (old) => joined(old, piece.receipts)),
    steps: changedOr(world.steps, task, {}, (old) => joined(old, piece.steps)),
    requestCounts:
      piece.requestCounts === undefined ? world.requestCounts : withKey(world.requestCounts, task, piece.requestCounts),
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
        stepsWithout(old, (_, own) => keysWhere(own, (step) => step.thread === thread)),
      ),
    }
  },
  'records.evicted': (world, { task, steps, messages, requests }) => ({
    ...world,
    messages: changed(world.messages, task, (old) => withoutKeys(old, messages)),
    receipts: changed(world.receipts, task, (old) => receiptsWithout(old, messages)),
    requests: changed(world.requests, task, (old) => withoutKeys(old, requests)),
    steps: changed(world.steps, task, (old) => stepsWithout(old, (agent) => steps[agent] ?? [])),
  }),
}

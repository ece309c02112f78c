/** Records that leave the world: whole tasks and threads of the base task, or old records. They stay in the journal. */

import { threadOf } from '../access/visibility'
import type { AgentId, MessageId, RequestId, StepId, TaskId } from '../ids'
import type { DeliveryRecord, MessageRecord, OwnSteps, RequestRecord, StepRecord, World } from '../records'
import { RECORD_IDS } from '../records/recordIds'
import { changed, changedOr, cutEach, only, orNothing, withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { stepIn, stepsIn, stepsOfAll } from '../steps/ownSteps'
import { onEachBranch } from './branches'
import { withEvicted } from './evictedLanes'
import { withBreak, withLeft } from './leaving'

type StepsOfTask = World['steps'][keyof World['steps']]

/** What each agent has of messages, without these. An agent without records has no branch. */
const ofMessagesWithout = <Value>(
  byAgent: Record<AgentId, Record<MessageId, Value>>,
  messages: readonly MessageId[],
): Record<AgentId, Record<MessageId, Value>> => cutEach(byAgent, (own) => orNothing(withoutKeys(own, messages)))

const stepsWithout = (byAgent: StepsOfTask, gone: (own: OwnSteps, agent: AgentId) => readonly StepId[]): StepsOfTask =>
  cutEach(byAgent, (own, agent) => orNothing(withoutKeys(own, gone(own, agent))))

/** The sums of a task with the steps that leave it now. */
const evictedWith = (world: World, task: TaskId, gone: readonly StepRecord[]): World['evicted'] =>
  gone.length === 0 ? world.evicted : changedOr(world.evicted, task, {}, (old) => withEvicted(old, gone))

/** A closed conversation leaves with its task; an idle one stays, and its next message restores the task. */
const withoutClosed = (conversations: World['conversations'], task: TaskId): World['conversations'] =>
  cutEach(conversations, (all) => only(all, (one) => one.task !== task || one.closedAt === null))

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

/** Deliveries go with their messages. */
function withEvictedIds(
  world: World,
  task: TaskId,
  gone: { steps: readonly StepId[]; messages: readonly MessageId[]; requests: readonly RequestId[] },
): World['left'] {
  const deliveries = Object.values<Record<MessageId, DeliveryRecord>>(world.deliveries[task] ?? {}).flatMap((own) =>
    gone.messages.flatMap((id) => own[id] ?? []),
  )
  const ids = [
    ...gone.steps.map(RECORD_IDS.step),
    ...gone.messages.map(RECORD_IDS.message),
    ...deliveries.map(({ message, receiver }) => RECORD_IDS.delivery(message, receiver)),
    ...gone.requests.map(RECORD_IDS.request),
  ]
  return withLeft(world.left, task, ids, world.seq)
}

const stepsNamed = (world: World, task: TaskId, named: Record<AgentId, StepId[]>): StepRecord[] =>
  (Object.entries(named) as [AgentId, StepId[]][]).flatMap(([agent, ids]) =>
    ids.flatMap((id) => stepIn(world.steps[task]?.[agent], id) ?? []),
  )

export const evictionReducers = {
  'task.archived': (world, { task, agents }) => ({
    ...world,
    left: withBreak(withoutKeys(world.left, [task]), agents, world.seq),
    ...onEachBranch((branch) => withoutKeys<TaskId, unknown>(world[branch], [task])),
    conversations: withoutClosed(world.conversations, task),
  }),
  'task.woken': (world, { task, agents, piece }) => ({
    ...world,
    left: withBreak(world.left, [task, ...agents], world.seq),
    tasks: piece.tasks === undefined ? world.tasks : withKey(world.tasks, task, piece.tasks),
    stages: piece.stages === undefined ? world.stages : withKey(world.stages, task, piece.stages),
    involved: piece.involved === undefined ? world.involved : withKey(world.involved, task, piece.involved),
    messages: changedOr(world.messages, task, {}, (old) => ({ ...old, ...piece.messages })),
    deliveries: changedOr(world.deliveries, task, {}, (old) => joined(old, piece.deliveries)),
    requests:
      piece.requests === undefined
        ? world.requests
        : changedOr(world.requests, task, {}, (old) => ({ ...old, ...piece.requests })),
    steps: changedOr(world.steps, task, {}, (old) => joined(old, piece.steps)),
    requestCounts:
      piece.requestCounts === undefined ? world.requestCounts : withKey(world.requestCounts, task, piece.requestCounts),
    stepCounts: piece.stepCounts === undefined ? world.stepCounts : withKey(world.stepCounts, task, piece.stepCounts),
    evicted: piece.evicted === undefined ? world.evicted : withKey(world.evicted, task, piece.evicted),
    budgets: piece.budgets === undefined ? world.budgets : withKey(world.budgets, task, piece.budgets),
  }),
  'thread.retired': (world, { task, thread }) => {
    const all = Object.values<MessageRecord>(world.messages[task] ?? {})
    const messages = all.filter((message) => threadOf(message) === thread).map(({ id }) => id)
    const gone = stepsOfAll(world.steps[task]).filter((step) => step.thread === thread)
    const requests = Object.values<RequestRecord>(world.requests[task] ?? {}).filter((one) => one.thread === thread)
    return {
      ...world,
      left: withEvictedIds(world, task, {
        steps: gone.map(({ id }) => id),
        messages,
        requests: requests.map(({ id }) => id),
      }),
      evicted: evictedWith(world, task, gone),
      messages: changed(world.messages, task, (old) => withoutKeys(old, messages)),
      deliveries: changed(world.deliveries, task, (old) => ofMessagesWithout(old, messages)),
      reminders: changed(world.reminders, task, (old) => ofMessagesWithout(old, messages)),
      requests: changed(world.requests, task, (old) => only(old, (request) => request.thread !== thread)),
      steps: changed(world.steps, task, (old) =>
        stepsWithout(old, (own) => stepsIn(own).flatMap((step) => (step.thread === thread ? [step.id] : []))),
      ),
    }
  },
  'records.evicted': (world, { task, steps, messages, requests }) => ({
    ...world,
    left: withEvictedIds(world, task, { steps: Object.values(steps).flat(), messages, requests }),
    evicted: evictedWith(world, task, stepsNamed(world, task, steps)),
    messages: changed(world.messages, task, (old) => withoutKeys(old, messages)),
    deliveries: changed(world.deliveries, task, (old) => ofMessagesWithout(old, messages)),
    reminders: changed(world.reminders, task, (old) => ofMessagesWithout(old, messages)),
    requests: changed(world.requests, task, (old) => withoutKeys(old, requests)),
    steps: changed(world.steps, task, (old) => stepsWithout(old, (_, agent) => steps[agent] ?? [])),
  }),
} satisfies Reducers

/** Costs of tasks and days, talk between agents, amounts that people allowed, work stopped at a limit. */

import type { TaskId, ThreadId } from '../ids'
import { PEER_DAY_MS, selectPeerOfTask } from '../outside/peerLimits'
import type { BudgetRecord, ModelCall, Spent, StepRecord, TaskRecord, World } from '../records'
import { changed, changedOr, withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { stepsOfAll } from '../steps/ownSteps'
import { sumSpent } from '../tasks/taskResult'
import { isDaily } from './budgets'
import { dayLimitsOf, dayOf } from './limits'

const EMPTY_BUDGET: BudgetRecord = { tokens: 0, costUsd: 0, talk: 0, allowed: {}, stops: null, warned: [] }

const changeBudget = (world: World, task: TaskId, change: (old: BudgetRecord) => BudgetRecord): World => ({
  ...world,
  budgets: changedOr(world.budgets, task, EMPTY_BUDGET, change),
})

/** An entry after a task left the world does not restore any of it. */
const ofLive: typeof changeBudget = (world, task, change) =>
  world.tasks[task] === undefined ? world : changeBudget(world, task, change)

const withoutStop = (budget: BudgetRecord, key: string): BudgetRecord => {
  if (budget.stops === null || budget.stops[key] === undefined) return budget
  const left = withoutKeys(budget.stops, [key])
  return { ...budget, stops: Object.keys(left).length === 0 ? null : left }
}

/** An agent sent one more message. */
export const talked = (world: World, task: TaskId): World =>
  ofLive(world, task, (old) => ({ ...old, talk: old.talk + 1 }))

/** Progress other than talk: a tool's result, a changed state, a message of a person. */
export const notOnlyTalk = (world: World, task: TaskId): World => {
  const budgets = changed(world.budgets, task, (old) => (old.talk === 0 ? old : { ...old, talk: 0 }))
  return budgets === world.budgets ? world : { ...world, budgets }
}

/** Adds the cost of a model call of this step. */
export function spent(
  before: World,
  step: Pick<StepRecord, 'task' | 'agent' | 'thread' | 'byHand'>,
  call: ModelCall,
  at: number,
): World {
  const { task } = step
  const more = spentBy(call)
  const costUsd = more.costUsd ?? 0
  const day = dayOf(at)
  const world = before.spent.day === day ? before : withoutDays(before)
  const costs = { ...(before.spent.day === day ? before.spent.costs : {}) }
  for (const { key } of dayLimitsOf(world, step)) costs[key] = (costs[key] ?? 0) + costUsd
  return {
    ...ofLive(world, task, (old) => ({ ...old, tokens: old.tokens + more.tokens, costUsd: old.costUsd + costUsd })),
    peers: spentForPeer(world, task, more, at),
    spent: { day, costs },
  }
}

/** A new day has begun: what was allowed and reported for another one is over. Names are those of commands/tasks/limits. */
function withoutDays(world: World): World {
  const { baseTask } = world
  if (baseTask === null || world.budgets[baseTask] === undefined) return world
  return changeBudget(world, baseTask, (old) => ({
    ...old,
    allowed: Object.fromEntries(
      Object.entries(old.allowed).filter(([name]) => !isDaily(name.slice(name.lastIndexOf(':') + 1))),
    ),
    warned: old.warned.filter((name) => !isDaily(name.slice(0, name.indexOf('@')))),
  }))
}

/** Costs within this time are one record. */
const ONE_RECORD_MS = 5 * 60_000

/** A call counts for the peer that requested the task, or whose conversation the task is. */
function spentForPeer(world: World, task: TaskId, call: Spent, at: number): World['peers'] {
  const peer = selectPeerOfTask(world, task)
  if (peer === null) return world.peers
  return changed(world.peers, peer, (old) => {
    const day = (old.spent ?? []).filter(({ from }) => from > at - PEER_DAY_MS)
    const last = day.at(-1)
    const isSame = last !== undefined && at < last.from + ONE_RECORD_MS
    const before = isSame ? day.slice(0, -1) : day
    return { ...old, spent: [...before, isSame ? { from: last.from, ...sumSpent(last, call) } : { from: at, ...call }] }
  })
}

const spentBy = (call: ModelCall): Spent => ({
  tokens: (call.promptTokens ?? 0) + (call.completionTokens ?? 0),
  costUsd: call.costUsd,
})

/** The newest task requested in this thread. */
const taskOfThread = (world: World, base: TaskId, thread: ThreadId): TaskRecord | undefined =>
  Object.values<TaskRecord>(world.tasks).findLast(
    ({ requestedIn }) => requestedIn?.task === base && requestedIn.thread === thread,
  )

const withSetUp = (world: World, task: TaskId, more: Spent): World =>
  changeBudget(world, task, (old) => ({ ...old, setUp: old.setUp ? sumSpent(old.setUp, more) : more }))

/** A call in a thread of the base task also counts for the task requested in it. */
export function spentOnSetUp(world: World, base: TaskId, thread: ThreadId | null, call: ModelCall): World {
  const led = thread === null ? undefined : taskOfThread(world, base, thread)
  return led === undefined ? world : withSetUp(world, led.id, spentBy(call))
}

/** The cost in the thread before its first task. */
export function spentBefore(world: World, { id, requestedIn }: Pick<TaskRecord, 'id' | 'requestedIn'>): World {
  if (requestedIn === null || taskOfThread(world, requestedIn.task, requestedIn.thread) !== undefined) return world
  const calls = stepsOfAll(world.steps[requestedIn.task])
    .filter(({ thread }) => thread === requestedIn.thread)
    .flatMap((step) => step.calls)
  return calls.length === 0 ? world : withSetUp(world, id, calls.map(spentBy).reduce(sumSpent))
}

export const budgetReducers = {
  'budget.warned': (world, { task, limit }) =>
    changeBudget(world, task, (old) => (old.warned.includes(limit) ? old : { ...old, warned: [...old.warned, limit] })),
  'budget.reached': (world, { task, key, of, limit, request }, { at }) =>
    changeBudget(world, task, (old) => {
      const stop = { request, limit, of, ...(isDaily(limit) ? { day: dayOf(at) } : {}) }
      return { ...old, stops: withKey({ ...old.stops }, key, stop) }
    }),
  'budget.lifted': (world, { task, key, allowed }) => {
    if (allowed === null) return { ...world, budgets: changed(world.budgets, task, (old) => withoutStop(old, key)) }
    const { limit, more } = allowed
    return changeBudget(world, task, (old) => {
      const left = withoutStop(old, key)
      // The count continues with so many messages left.
      if (limit === 'talk') return { ...left, talk: world.team.limits.talkInARow - more }
      const name = `${key}:${limit}`
      return { ...left, allowed: { ...left.allowed, [name]: (left.allowed[name] ?? 0) + more } }
    })
  },
} satisfies Reducers

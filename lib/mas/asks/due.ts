/** Due times: messages that expire, snoozed items. */
import { memo } from '@/lib/memo'
import type { Command } from '../commands/command'
import type { AgentId, MessageId, RequestId, TaskId } from '../ids'
import { dayAfter, selectDayStops } from '../limits/limits'
import type { AgentRecord, MessageRecord, RequestRecord, ScheduleRecord, TaskRecord, ToolRule, World } from '../records'
import { isOpen, isSettled } from '../statuses'
import { outcomeFor, sourcesOf } from './outcomes'

/** at: epoch ms. */
export type Due = { at: number; command: Command }

const withDue = memo((messages: Record<MessageId, MessageRecord>) =>
  Object.values<MessageRecord>(messages).flatMap(({ id, due, receivers }) =>
    due === undefined ? [] : [{ id, due, receivers }],
  ),
)
const snoozedRequests = memo((requests: Record<RequestId, RequestRecord>): RequestRecord[] =>
  Object.values(requests).filter((request: RequestRecord) => request.snoozed !== undefined && isOpen(request)),
)

/** All due times, unordered. Cached per branch: an idle task costs one lookup. */
export function selectDue(world: World): Due[] {
  const tasks = Object.keys(world.messages) as TaskId[]
  return [
    ...tasks.flatMap((task) => [...expiring(world, task), ...remindersOf(world, task)]),
    ...dayEnds(world),
    ...scheduled(world),
    ...ruleEnds(world),
  ]
}

const withEnd = (rules: readonly ToolRule[] = []) =>
  rules.flatMap(({ server, tool, endsAt }) => (endsAt === undefined ? [] : [{ server, tool, endsAt }]))
const endingOfTasks = memo((tasks: World['tasks']) =>
  Object.values<TaskRecord>(tasks).flatMap(({ id, toolRules }) =>
    withEnd(toolRules).map((rule) => ({ about: { task: id }, ...rule })),
  ),
)
const endingOfAgents = memo((agents: World['agents']) =>
  Object.values<AgentRecord>(agents).flatMap(({ id, toolRules }) =>
    withEnd(toolRules).map((rule) => ({ about: { agent: id }, ...rule })),
  ),
)

/** When operators' rules for tools end. */
const ruleEnds = (world: World): Due[] =>
  [...endingOfTasks(world.tasks), ...endingOfAgents(world.agents)].map((rule) => ({
    at: rule.endsAt,
    command: { type: 'endToolRule', ...rule },
  }))

function scheduled(world: World): Due[] {
  return Object.values<ScheduleRecord>(world.schedules).flatMap(({ id, next }) =>
    next === null ? [] : [{ at: next, command: { type: 'askScheduled', schedule: id, due: next } }],
  )
}

/** When what stopped at a limit of a day continues: at the end of that day. */
function dayEnds(world: World): Due[] {
  const days = new Set(selectDayStops(world).map(({ day }) => day))
  return [...days].map((day) => ({ at: dayAfter(day), command: { type: 'beginDay', day } }))
}

function expiring(world: World, task: TaskId): Due[] {
  return withDue(world.messages[task] ?? {}).flatMap(({ id, due, receivers }) => {
    const sources = sourcesOf(world, task)
    const isSettledForAll = receivers.every((agent) => {
      const outcome = outcomeFor(sources, { id, receivers }, agent)
      return outcome === null || isSettled(outcome.state)
    })
    return isSettledForAll ? [] : [{ at: due, command: { type: 'expireWait', task, message: id } }]
  })
}

function remindersOf(world: World, task: TaskId): Due[] {
  const requests = snoozedRequests(world.requests[task] ?? {}).flatMap((request) =>
    (Object.entries(request.snoozed ?? {}) as [AgentId, number][]).map(
      ([agent, at]): Due => ({ at, command: { type: 'remindDue', task, agent, about: { request: request.id } } }),
    ),
  )
  const messages = (Object.entries(world.reminders[task] ?? {}) as [AgentId, Record<MessageId, number>][]).flatMap(
    ([agent, own]) =>
      (Object.entries(own) as [MessageId, number][]).map(
        ([message, at]): Due => ({ at, command: { type: 'remindDue', task, agent, about: { message } } }),
      ),
  )
  return [...requests, ...messages]
}

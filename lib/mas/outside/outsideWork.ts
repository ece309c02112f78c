/** Questions about work that an agent of another system asked for. It is not in the task's group; its conversation is a task of its own. */

import { gather } from '@/lib/gather'
import { fieldsIn } from '@/lib/json'
import { memo } from '@/lib/memo'
import type { AgentId, MessageId, TaskId } from '../ids'
import { isElsewhere } from '../members/traits'
import { needsReply } from '../messages/records'
import type { MessageRecord, SkillName, StepRecord, TaskRecord, World } from '../records'
import { isTaskOver } from '../statuses'
import { stepsIn } from '../steps/ownSteps'
import { outsideIdOf, selectOpenConversation } from './outside'
import type { ConversationRecord, WorkState } from './records'

/** Does that agent wait for this one of another system? */
export const waitsForOutside = (world: World, agent: AgentId, other: AgentId): boolean =>
  isElsewhere(world, other) && (world.work[agent]?.locks ?? []).some(({ on }) => on === other)

/** Did this agent of another system ask for the task? Its members may write to it; it is no member. */
export const isOutsideRequester = (
  world: Pick<World, 'agents'>,
  { requestedBy, group }: Pick<TaskRecord, 'requestedBy' | 'group'>,
  agent: AgentId,
): boolean => requestedBy === agent && isElsewhere(world, agent) && !group.includes(agent)

/** Does this agent take requests for work there: in the base task, and in a conversation that it holds with another system? */
export const takesRequests = (task: Pick<TaskRecord, 'base' | 'conversation' | 'manager'>, agent: AgentId): boolean =>
  task.base || (task.conversation === true && task.manager === agent)

/** Does the step answer a request for new work, which its agent may make a task of? */
export function answersRequest(world: World, { task, agent, executor, answers }: StepRecord): boolean {
  const record = world.tasks[task]
  const isReply = executor === ('send_message' satisfies SkillName) && answers !== null
  return isReply && record?.manager === agent && takesRequests(record, agent)
}

/** The task in which messages to this agent of another system are sent from: its conversation's. */
export const selectConversationTask = (world: World, task: TaskId, agent: AgentId): TaskId => {
  const record = world.tasks[task]
  if (!record || record.requestedIn === null || !isOutsideRequester(world, record, agent)) return task
  return record.requestedIn.task
}

/** The conversation by which a message of this task reaches the agent; null: it is still to be opened. */
export const selectConversationTo = (world: World, task: TaskId, agent: AgentId): ConversationRecord | null =>
  selectOpenConversation(world, selectConversationTask(world, task, agent), agent)

/** By the task of the conversation. */
const workByConversation = memo((tasks: World['tasks']) =>
  gather(Object.values<TaskRecord>(tasks), ({ requestedIn }) => (requestedIn === null ? [] : [requestedIn.task])),
)

/** The work that was asked for in a conversation, oldest first. */
export const selectWorkOf = ({ tasks }: Pick<World, 'tasks'>, conversation: TaskId): readonly TaskRecord[] =>
  workByConversation(tasks).get(conversation) ?? []

/** Handles of the tasks that were made there, also of those that are archived. Needs all steps of the conversation. */
export const selectWorkMadeIn = (world: World, conversation: TaskId): ReadonlySet<string> =>
  new Set(
    Object.values(world.steps[conversation] ?? {}).flatMap((own) =>
      stepsIn(own).flatMap(({ result }) => {
        const { task_id: handle } = fieldsIn(result?.made)
        return typeof handle === 'string' ? handle : []
      }),
    ),
  )

/** Open work that agents of other systems asked for in this conversation: it carries their questions, answers and results. */
export const selectWorkCarried = (world: World, conversation: TaskId): TaskRecord[] =>
  selectWorkOf(world, conversation).filter(
    (task) => !isTaskOver(task) && task.requestedBy !== null && isOutsideRequester(world, task, task.requestedBy),
  )

/** Is work that was asked for there open? in: request: the message that asked; null: any */
export const hasOpenWork = (world: World, conversation: TaskId, request: MessageId | null = null): boolean =>
  selectWorkOf(world, conversation).some(
    (task) => !isTaskOver(task) && (request === null || task.requestedIn?.thread === request),
  )

/** The message of that id in the conversation, or in work that was asked for there and to its partner outside; null: none. */
export function findSaid(world: World, { task, agent }: ConversationRecord, id: MessageId): MessageRecord | null {
  const own = world.messages[task]?.[id]
  if (own) return own
  const works = selectWorkOf(world, task).map((work) => work.id)
  const found = works.flatMap((work) => world.messages[work]?.[id] ?? [])[0]
  if (found) return found.receivers.includes(agent) ? found : null
  const isIt = (message: MessageRecord): boolean =>
    message.receivers.includes(agent) && outsideIdOf(world, message, agent) === id
  return [task, ...works].flatMap((one): MessageRecord[] => Object.values(world.messages[one] ?? {})).find(isIt) ?? null
}

/** Who speaks for us in a conversation: what members of a task say to its requester comes from the partner that it knows. */
export const selectVoice = (message: MessageRecord, conversation: ConversationRecord): MessageRecord['sender'] =>
  message.task === conversation.task ? message.sender : conversation.ours

/** What a message to the requester says of its work. request: the message that asked for it */
type WorkReport = { state: WorkState; request: MessageId }

/** in: a message to an agent of another system. out: null when it tells nothing of work that the agent asked for */
export function selectWorkReport(world: World, message: MessageRecord, agent: AgentId): WorkReport | null {
  const owner = world.tasks[message.task]
  if (owner?.requestedIn && isOutsideRequester(world, owner, agent)) {
    return { state: needsReply(message.type) ? 'input_required' : 'working', request: owner.requestedIn.thread }
  }
  const request = message.replyTo
  if (request === null) return null
  const state = stateSaid(message) ?? (hadOpenWork(world, message, request) ? 'working' : null)
  if (state === null) return null
  return { state: state === 'working' && needsReply(message.type) ? 'input_required' : state, request }
}

/** Was the work that the request asked for open when this was said? The same for each try of its delivery. */
const hadOpenWork = (world: World, { task, at }: MessageRecord, request: MessageId): boolean =>
  selectWorkOf(world, task).some(
    ({ requestedIn, createdAt, endedAt }) =>
      requestedIn?.thread === request && createdAt <= at && (endedAt === null || endedAt >= at),
  )

/** What the program itself says to the requester (commands/outsideWork.ts). */
function stateSaid({ said }: MessageRecord): WorkState | null {
  switch (said?.say) {
    case 'workBegun':
    case 'stageEnded':
    case 'stageRetried':
    case 'workResumed':
      return 'working'
    case 'workPaused':
      return 'paused'
    case 'workStopped':
      return 'stopped'
    case 'taskEnded':
      return said.with.failed === true ? 'failed' : 'finished'
    default:
      return null
  }
}

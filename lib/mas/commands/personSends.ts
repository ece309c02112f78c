/** What people do with messages: send them, see them, acknowledge them, mark them as done. */

import { Fault } from '@/lib/faults'
import type { AgentId, MessageId, RequestId, TaskId, ThreadId, WaitingId } from '../ids'
import type { DeliveryRecord, MessageRecord, RequestRecord } from '../records'
import { needsReply } from '../records/messages'
import { isMember } from '../selectors/agents/agents'
import { isOutsideRequester } from '../selectors/outside/outsideWork'
import { linkedTo } from '../selectors/requests/recipients'
import { requestReceivers, selectOpenRequests } from '../selectors/requests/requests'
import { isSettled } from '../statuses'
import type { CommandOf } from './command'
import type { DecisionContext } from './decisionContext'
import { deliver } from './effects/deliver'
import { recordByHand } from './effects/steps'
import { closeAnswered, doneWithRequest } from './requests/requests'
import { mustBeMessage } from './texts'
import { mustNotBeOver, ownTask, presentAgent, seenMessage, seenRequest } from './visible'

/** Acknowledged and done can be undone for five minutes. */
export const UNDO_MS = 5 * 60_000

/** A question outside of any stage or thread, that nobody waits for. */
export const PLAIN_QUESTION = {
  type: 'sendMessage',
  stage: null,
  kind: 'action',
  answers: null,
  replyTo: null,
  mention: false,
} satisfies Partial<CommandOf<'sendMessage'>>

/**
 * out     a message for each receiver, all of one dispatch, and the requests that they answered
 * faults  NOT_FOUND, NOT_A_MEMBER, TASK_OVER, EMPTY_TEXT, TOO_LARGE, NO_RECEIVERS, RECEIVER_UNKNOWN, RECEIVER_GONE, DUE_PAST, and of
 *         the request that is answered NOT_ASKED, REQUEST_OVER
 */
export function personSends(
  context: DecisionContext,
  person: AgentId,
  command: CommandOf<'sendMessage'>,
): { messages: MessageId[]; dispatch: string; settled: { agent: AgentId; request: RequestId }[] } {
  const task = ownTask(context, person, command.task)
  mustBeMessage(command)
  const receivers = checkedReceivers(context, person, command)
  const stage = command.stage !== null && context.world.stages[task.id]?.[command.stage] ? command.stage : null
  const dispatch = context.id<MessageId>()
  const messages: MessageId[] = []
  const settled: { agent: AgentId; request: RequestId }[] = []
  const due = dueOf(context, command)
  let thread = threadOf(context, person, command)
  const named = namedRequest(context, person, command)
  for (const receiver of receivers) {
    const request = named ? answering(context, named, receiver) : answeredBy(context, person, receiver, command)
    const message = deliver(context, {
      task: task.id,
      sender: person,
      receivers: [receiver],
      text: command.said ?? command.text,
      stage: task.base ? null : stage,
      thread: request?.thread ?? thread,
      beginsThread: task.base && thread === null && request === null,
      type: command.kind,
      waiting: command.kind === 'urgent' ? [context.id<WaitingId>()] : null,
      returnWaiting: request?.lock ?? null,
      dispatch,
      answersRequest: request?.id ?? null,
      replyTo: command.replyTo ?? request?.message ?? null,
      attachments: command.attachments,
      mention: command.mention,
      ...(due === null ? {} : { due }),
      ...(command.fromTemplate === undefined ? {} : { fromTemplate: command.fromTemplate }),
      ...(command.change === undefined ? {} : { change: command.change }),
    })
    if (task.base && thread === null && request === null) thread = message
    if (request) {
      closeAnswered(context, person, request, command.text)
      settled.push({ agent: receiver, request: request.id })
    }
    if (command.replyTo !== null) answersDelivery(context, person, receiver, task.id, command.replyTo)
    messages.push(message)
  }
  recordByHand(
    context,
    { task: task.id, stage: task.base ? null : stage, thread, agent: person },
    {
      intention: context.say('messageTo', { names: context.names(receivers) }),
      text: '',
      kind: 'skill',
      executor: 'send_message',
    },
    command.text,
  )
  return { messages, dispatch, settled }
}

/** A due time must be in the future and needs a message that asks for something. */
function dueOf(context: DecisionContext, { due = null, kind }: CommandOf<'sendMessage'>): number | null {
  if (due === null || !needsReply(kind)) return null
  if (due <= context.at) throw new Fault('DUE_PAST')
  return due
}

/** Checks all receivers first; one unfit receiver refuses the message. */
function checkedReceivers(context: DecisionContext, person: AgentId, command: CommandOf<'sendMessage'>): AgentId[] {
  const receivers = [...new Set(command.receivers)].filter((id) => id !== person)
  if (receivers.length === 0) throw new Fault('NO_RECEIVERS')
  for (const receiver of receivers) {
    const record = presentAgent(context, receiver)
    if (!isMember(context.world, command.task, receiver) && !asksForTask(context, command.task, receiver)) {
      throw new Fault('NOT_A_MEMBER', {
        name: record.name,
        task: context.world.tasks[command.task]?.name ?? command.task,
      })
    }
  }
  return receivers
}

/** An agent of another system is no member of the task that it asked for; members may write to it. */
function asksForTask({ world }: DecisionContext, id: TaskId, agent: AgentId): boolean {
  const task = world.tasks[id]
  return task !== undefined && isOutsideRequester(world, task, agent)
}

/** A reply stays in its thread; any other message begins one (base task). Throws for a thread that the person cannot read. */
function threadOf(context: DecisionContext, person: AgentId, command: CommandOf<'sendMessage'>): ThreadId | null {
  return command.replyTo === null ? null : seenMessage(context, person, command.replyTo, command.task).thread
}

/** The request that the message answers by its id. */
function namedRequest(
  context: DecisionContext,
  person: AgentId,
  command: CommandOf<'sendMessage'>,
): RequestRecord | null {
  if (command.answers === null || command.answers === 'oldest') return null
  const request = seenRequest(context, person, command.answers)
  if (request.kind !== 'answer' || !request.asked.includes(person)) throw new Fault('NOT_ASKED')
  if (request.task !== command.task) throw new Fault('NOT_FOUND', { what: 'request in this task', id: request.id })
  return request
}

function answering(context: DecisionContext, request: RequestRecord, receiver: AgentId): RequestRecord | null {
  if (request.asker !== receiver) return null
  mustNotBeOver(context, request)
  return request
}

/** The oldest wait of this receiver, else its oldest question. A message for information answers no question. */
function answeredBy(
  context: DecisionContext,
  person: AgentId,
  receiver: AgentId,
  command: CommandOf<'sendMessage'>,
): RequestRecord | null {
  if (command.answers !== 'oldest') return null
  const asked = selectOpenRequests(context.world, command.task)
    .filter((request) => request.kind === 'answer' && request.asker === receiver && request.asked.includes(person))
    .sort((a, b) => a.openedSeq - b.openedSeq)
  const question = needsReply(command.kind) ? (asked[0] ?? null) : null
  return asked.find(({ lock }) => lock !== null) ?? question
}

/** A reply to someone's Action or Urgent settles it for the one who replies. */
function answersDelivery(
  context: DecisionContext,
  person: AgentId,
  receiver: AgentId,
  task: TaskId,
  replyTo: MessageId,
): void {
  const original = context.world.messages[task]?.[replyTo]
  const delivery = context.world.deliveries[task]?.[person]?.[replyTo]
  if (!original || !delivery || original.sender !== receiver || isSettled(delivery.state) || !needsReply(original.type))
    return
  context.delivery(task, replyTo, person, 'answered')
  settleLinked(context, person, original, 'answered')
}

/** Supersede the deliveries of those who have the message in this person's place, or who handed it to them. */
function settleLinked(
  context: DecisionContext,
  person: AgentId,
  { task, id }: MessageRecord,
  state: 'done' | 'answered',
): void {
  const note = context.say('seenToBy', { who: context.name(person) })
  for (const { receiver, ...other } of linkedTo(context.world.deliveries[task] ?? {}, id, person)) {
    if (!isSettled(other.state)) context.delivery(task, id, receiver, state, note)
  }
}

type Mine = { message: MessageRecord; delivery: DeliveryRecord }

function myDelivery(context: DecisionContext, person: AgentId, id: MessageId): Mine | null {
  for (const messages of Object.values(context.world.messages)) {
    const message = Object.hasOwn(messages, id) ? messages[id] : undefined
    const delivery = message && context.world.deliveries[message.task]?.[person]?.[id]
    if (message && delivery) return { message, delivery }
  }
  return null
}

/** The message with the delivery of this person. Throws NOT_FOUND. */
export const mustBeMine = (context: DecisionContext, person: AgentId, id: MessageId): Mine => {
  const mine = myDelivery(context, person, id)
  if (!mine) throw new Fault('NOT_FOUND', { what: 'message to you', id })
  return mine
}

const advance = (
  context: DecisionContext,
  { message, delivery }: Mine,
  state: 'shown' | 'acknowledged' | 'done',
): void => context.delivery(message.task, message.id, delivery.receiver, state)

/** Mark messages as seen on screen; skips those that are not theirs or were seen before. */
export function markShown(context: DecisionContext, person: AgentId, { messages }: CommandOf<'markShown'>): void {
  for (const id of messages) {
    const mine = myDelivery(context, person, id)
    if (mine && (mine.delivery.state === 'delivered' || mine.delivery.state === 'queued'))
      advance(context, mine, 'shown')
  }
}

/** A delivery that is further stays as it is. Throws NOT_FOUND. */
export function acknowledge(context: DecisionContext, person: AgentId, { message }: CommandOf<'acknowledge'>): void {
  const mine = mustBeMine(context, person, message)
  if (mine.delivery.state === 'acknowledged' || isSettled(mine.delivery.state)) return
  advance(context, mine, 'acknowledged')
}

/** Settles it with its request and copies. Throws NOT_FOUND, DECISION_UNFIT where an answer is needed. */
export function markDone(context: DecisionContext, person: AgentId, { message }: CommandOf<'markDone'>): void {
  const mine = mustBeMine(context, person, message)
  if (isSettled(mine.delivery.state)) return
  const request = openRequestOf(context, mine.message, person)
  if (request) doneWithRequest(context, person, request)
  advance(context, mine, 'done')
  settleLinked(context, person, mine.message, 'done')
}

/** Put to this person, or handed over by them. */
const openRequestOf = (context: DecisionContext, message: MessageRecord, person: AgentId): RequestRecord | null =>
  selectOpenRequests(context.world, message.task).find(
    (request) => request.message === message.id && requestReceivers(request).includes(person),
  ) ?? null

/** Undo acknowledged or done, within five minutes, unless an agent was notified of it. Throws NOT_FOUND, NOTHING_TO_UNDO. */
export function undoDelivery(context: DecisionContext, person: AgentId, { message }: CommandOf<'undoDelivery'>): void {
  const { message: record, delivery } = mustBeMine(context, person, message)
  const since = delivery.settledAt ?? delivery.acknowledgedAt ?? 0
  const isUndoable = delivery.state === 'done' || delivery.state === 'acknowledged'
  const told = Object.values(context.world.requests[record.task] ?? {}).some(
    (request: RequestRecord) => request.message === record.id && request.state === 'answered',
  )
  if (!isUndoable || told || context.at - since > UNDO_MS) throw new Fault('NOTHING_TO_UNDO')
  context.emit('message.undone', { task: record.task, message, agent: person })
  if (delivery.state !== 'done') return
  for (const other of linkedTo(context.world.deliveries[record.task] ?? {}, message, person)) {
    if (other.state !== 'done' || other.settledAt !== delivery.settledAt) continue
    context.emit('message.undone', { task: record.task, message, agent: other.receiver })
  }
}

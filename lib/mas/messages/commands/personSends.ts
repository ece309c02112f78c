/** What people do with messages: send them, see them, acknowledge them, mark them as done. */

import { Fault } from '@/lib/faults'
import { own } from '@/lib/json'
import { openAsks } from '../../asks/commands/openRequest'
import { acknowledgeRequest, closeAnswered, doneWithRequest } from '../../asks/commands/requests'
import { openRequestFor, requestToReceiver } from '../../asks/outcomes'
import { isNumbered, selectOpenRequests } from '../../asks/requests'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { mustBeMessage } from '../../commands/texts'
import { mustNotBeOver, ownTask, presentAgent, seenMessage, seenRequest } from '../../commands/visible'
import type { AgentId, MessageId, RequestId, TaskId, ThreadId, WaitingId } from '../../ids'
import { runsSteps } from '../../members/traits'
import { isOutsideRequester } from '../../outside/outsideWork'
import type { DeliveryRecord, MessageRecord, RequestRecord } from '../../records'
import { isOpen } from '../../statuses'
import { recordByHand } from '../../steps/commands/addStep'
import { isMember } from '../../team/agents'
import { needsReply } from '../records'
import { deliverUnasked } from './deliver'

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
    // Nobody else is there to go on: in a talk an agent replies to each message that is no answer itself.
    const isToBeAnswered = task.talk && request === null && command.kind === 'fyi' && runsSteps(context.world, receiver)
    const message = deliverUnasked(context, {
      task: task.id,
      sender: person,
      receivers: [receiver],
      text: command.said ?? command.text,
      stage: task.base ? null : stage,
      thread: request?.thread ?? thread,
      beginsThread: task.base && thread === null && request === null,
      type: isToBeAnswered ? 'action' : command.kind,
      waiting: command.kind === 'urgent' ? [context.id<WaitingId>()] : null,
      returnWaiting: request?.lock ?? null,
      dispatch,
      answersRequest: request?.id ?? null,
      replyTo: command.replyTo ?? request?.message ?? null,
      attachments: command.attachments,
      mention: command.mention,
      ...(due === null ? {} : { due }),
      ...(command.fromTemplate === undefined ? {} : { fromTemplate: command.fromTemplate }),
      ...(command.reviewPlans === undefined ? {} : { reviewPlans: command.reviewPlans }),
      ...(command.change === undefined ? {} : { change: command.change }),
    })
    if (task.base && thread === null && request === null) thread = message
    if (request) {
      closeAnswered(context, person, request, command.text)
      settled.push({ agent: receiver, request: request.id })
    } else answersAsk(context, person, receiver, command)
    messages.push(message)
  }
  openAsks(context, task.id, messages)
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
    .filter(
      (request) =>
        request.kind === 'answer' &&
        isNumbered(request) &&
        request.asker === receiver &&
        request.asked.includes(person),
    )
    .sort((a, b) => a.openedSeq - b.openedSeq)
  const question = needsReply(command.kind) ? (asked[0] ?? null) : null
  return asked.find(({ lock }) => lock !== null) ?? question
}

/** A reply to someone's Action or Urgent settles it for the one who replies. */
function answersAsk(
  context: DecisionContext,
  person: AgentId,
  receiver: AgentId,
  { task, replyTo, text }: CommandOf<'sendMessage'>,
): void {
  const asked = replyTo === null ? null : openRequestFor(context.world.requests[task] ?? {}, replyTo, person)
  if (asked?.number !== null || asked.asker !== receiver || !asked.asked.includes(person)) return
  closeAnswered(context, person, asked, text)
}

type Mine = { message: MessageRecord; delivery: DeliveryRecord | null; request: RequestRecord | null }

/** The message with this person's delivery of it, and their request. null: they have neither */
function mineOf({ world }: DecisionContext, person: AgentId, id: MessageId): Mine | null {
  for (const messages of Object.values(world.messages)) {
    const message = own<MessageRecord>(messages, id)
    if (!message) continue
    const delivery = world.deliveries[message.task]?.[person]?.[id] ?? null
    const request = requestToReceiver(world.requests[message.task] ?? {}, id, person)
    return delivery || request ? { message, delivery, request } : null
  }
  return null
}

/** The same. Throws NOT_FOUND. */
export const mustBeMine = (context: DecisionContext, person: AgentId, id: MessageId): Mine => {
  const mine = mineOf(context, person, id)
  if (!mine) throw new Fault('NOT_FOUND', { what: 'message to you', id })
  return mine
}

function see(context: DecisionContext, { delivery }: Mine): void {
  if (delivery?.shownAt === null) context.delivery(delivery.task, delivery.message, delivery.receiver, 'shown')
}

/** Mark messages as seen on screen; skips those that are not theirs or were seen before. */
export function markShown(context: DecisionContext, person: AgentId, { messages }: CommandOf<'markShown'>): void {
  for (const id of messages) {
    const mine = mineOf(context, person, id)
    if (mine) see(context, mine)
  }
}

/** What asks nothing is seen by it. Throws NOT_FOUND. */
export function acknowledge(context: DecisionContext, person: AgentId, { message }: CommandOf<'acknowledge'>): void {
  const mine = mustBeMine(context, person, message)
  if (mine.request === null) see(context, mine)
  else if (isOpen(mine.request) && mine.request.asked.includes(person))
    acknowledgeRequest(context, person, mine.request)
}

/** Ends its request; what asks nothing is seen by it. Throws NOT_FOUND, NOT_ASKED, DECISION_UNFIT where an answer is needed. */
export function markDone(context: DecisionContext, person: AgentId, { message }: CommandOf<'markDone'>): void {
  const mine = mustBeMine(context, person, message)
  if (mine.request === null) see(context, mine)
  else if (isOpen(mine.request)) doneWithRequest(context, person, mine.request)
}

/** Undo acknowledged or done, within five minutes, unless an agent was notified of it. Throws NOT_FOUND, NOTHING_TO_UNDO. */
export function undoOutcome(context: DecisionContext, person: AgentId, { message }: CommandOf<'undoOutcome'>): void {
  const { request } = mustBeMine(context, person, message)
  if (request === null || context.at - undoableSince(request) > UNDO_MS) throw new Fault('NOTHING_TO_UNDO')
  context.emit('request.reopened', { task: request.task, request: request.id, because: 'undone' })
}

/** When it was acknowledged, or marked as done; 0: it was neither. */
function undoableSince(request: RequestRecord): number {
  if (isOpen(request)) return request.claimed?.at ?? 0
  return !isNumbered(request) && request.answer?.decision === 'done' ? (request.endedAt ?? 0) : 0
}

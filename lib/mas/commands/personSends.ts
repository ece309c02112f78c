/**
 * What people do with messages: send them, see them, acknowledge them, mark them as done.
 *
 * Owns: the checks on a person's wish; one message per receiver under one dispatch, all or none.
 */

import { Fault } from '@/lib/faults'
import type { AgentId, MessageId, TaskId, ThreadId, WaitingId } from '../ids'
import type { MessageRecord, ReceiptRecord, RequestRecord } from '../records'
import { isSettled } from '../reduce/message'
import { isOpen } from '../reduce/request'
import { isMember, isTaskOver, selectName } from '../selectors/agents'
import { linkedTo } from '../selectors/holders'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { closeAnswered, doneWithRequest } from './requests'
import { seenMessage, seenRequest, seenTask } from './seen'
import { deliver } from './send'
import { recordByHand } from './steps'

export const MESSAGE_MAX_BYTES = 64 * 1024
/** Acknowledged and done can be taken back for five minutes. */
export const UNDO_MS = 5 * 60_000

const encoder = new TextEncoder()

export function personSends(
  draft: DecisionContext,
  person: AgentId,
  wish: CommandOf<'sendMessage'>,
): { messages: MessageId[]; dispatch: string } {
  const task = checkedTask(draft, person, wish)
  checkText(wish)
  const receivers = checkedReceivers(draft, person, wish)
  const stage = wish.stage !== null && draft.world.stages[task.id]?.[wish.stage] ? wish.stage : null
  const dispatch = draft.id<MessageId>()
  const messages: MessageId[] = []
  const due = dueOf(draft, wish)
  let thread = threadOf(draft, person, wish)
  const named = namedRequest(draft, person, wish)
  for (const receiver of receivers) {
    const request = named ? answering(draft, named, receiver) : answeredBy(draft, person, receiver, wish)
    const message = deliver(draft, {
      task: task.id,
      sender: person,
      receivers: [receiver],
      text: wish.text,
      stage: task.base ? null : stage,
      thread: request?.thread ?? thread,
      beginsThread: task.base && thread === null && request === null,
      needReply: wish.needReply || wish.waiting,
      waiting: wish.waiting ? [draft.id<WaitingId>()] : null,
      returnWaiting: request?.lock ?? null,
      instruction: null,
      dispatch,
      answersRequest: request?.id ?? null,
      replyTo: wish.replyTo ?? request?.message ?? null,
      attachments: wish.attachments,
      mention: wish.mention,
      ...(due === null ? {} : { due }),
    })
    if (task.base && thread === null && request === null) thread = message
    if (request) closeAnswered(draft, person, request, wish.text)
    if (wish.replyTo !== null) answersReceipt(draft, person, receiver, task.id, wish.replyTo)
    messages.push(message)
  }
  recordByHand(
    draft,
    { task: task.id, stage: task.base ? null : stage, thread, agent: person },
    {
      intention: draft.say('messageTo', { names: draft.names(receivers) }),
      text: '',
      kind: 'skill',
      executor: 'send_message',
    },
    wish.text,
  )
  return { messages, dispatch }
}

/** Only what asks for something can be due, and not in the past. */
function dueOf(draft: DecisionContext, { due = null, needReply, waiting }: CommandOf<'sendMessage'>): number | null {
  if (due === null || !(needReply || waiting)) return null
  if (due <= draft.at) throw new Fault('DUE_PAST')
  return due
}

function checkedTask(draft: DecisionContext, person: AgentId, wish: CommandOf<'sendMessage'>) {
  const task = seenTask(draft, person, wish.task)
  if (!isMember(draft.world, task.id, person)) {
    throw new Fault('NOT_A_MEMBER', { name: selectName(draft.world, person), task: task.name })
  }
  if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
  return task
}

function checkText(wish: CommandOf<'sendMessage'>): void {
  if (wish.text.trim() === '' && wish.attachments.length === 0) throw new Fault('EMPTY_TEXT')
  const bytes = encoder.encode(wish.text).length
  if (bytes > MESSAGE_MAX_BYTES) {
    throw new Fault('TOO_LARGE', { what: 'The message', limit: '64 KiB', size: `${Math.ceil(bytes / 1024)} KiB` })
  }
}

/** All receivers are checked first; one bad one refuses all. */
function checkedReceivers(draft: DecisionContext, person: AgentId, wish: CommandOf<'sendMessage'>): AgentId[] {
  const receivers = [...new Set(wish.receivers)].filter((id) => id !== person)
  if (receivers.length === 0) throw new Fault('NO_RECEIVERS')
  for (const receiver of receivers) {
    const record = draft.world.agents[receiver]
    if (!record) throw new Fault('RECEIVER_UNKNOWN', { id: receiver })
    if (record.removed) throw new Fault('RECEIVER_GONE', { name: record.name })
    if (!isMember(draft.world, wish.task, receiver)) {
      throw new Fault('NOT_A_MEMBER', { name: record.name, task: draft.world.tasks[wish.task]?.name ?? wish.task })
    }
  }
  return receivers
}

/**
 * A reply stays in its thread; any other message of a person begins one (in the base task). Whoever says something in a
 * thread reads it all, so that only what they can read can be replied to.
 */
function threadOf(draft: DecisionContext, person: AgentId, wish: CommandOf<'sendMessage'>): ThreadId | null {
  return wish.replyTo === null ? null : seenMessage(draft, person, wish.replyTo, wish.task).thread
}

/** The request that the message answers by its id. */
function namedRequest(draft: DecisionContext, person: AgentId, wish: CommandOf<'sendMessage'>): RequestRecord | null {
  if (wish.answers === null || wish.answers === 'oldest') return null
  const request = seenRequest(draft, person, wish.answers)
  if (request.kind !== 'answer' || !request.asked.includes(person)) throw new Fault('NOT_ASKED')
  if (request.task !== wish.task) throw new Fault('NOT_FOUND', { what: 'request in this task', id: request.id })
  return request
}

function answering(draft: DecisionContext, request: RequestRecord, receiver: AgentId): RequestRecord | null {
  if (request.asker !== receiver) return null
  if (!isOpen(request)) {
    throw new Fault('REQUEST_OVER', {
      by: request.answer ? selectName(draft.world, request.answer.by) : (request.endReason ?? request.state),
      how: request.state,
      at: request.endedAt ?? draft.at,
      request: request.id,
    })
  }
  return request
}

/** The oldest wait of this receiver, where the message is to answer that. */
function answeredBy(
  draft: DecisionContext,
  person: AgentId,
  receiver: AgentId,
  wish: CommandOf<'sendMessage'>,
): RequestRecord | null {
  if (wish.answers !== 'oldest') return null
  const waiting = Object.values(draft.world.requests[wish.task] ?? {}).filter(
    (request: RequestRecord) =>
      isOpen(request) &&
      request.kind === 'answer' &&
      request.lock !== null &&
      request.asker === receiver &&
      request.asked.includes(person),
  )
  return waiting.sort((a: RequestRecord, b: RequestRecord) => a.openedSeq - b.openedSeq)[0] ?? null
}

/** A reply to someone's Action or Urgent settles it for the one who replies. */
function answersReceipt(draft: DecisionContext, person: AgentId, receiver: AgentId, task: TaskId, replyTo: MessageId): void {
  const original = draft.world.messages[task]?.[replyTo]
  const receipt = draft.world.receipts[task]?.[person]?.[replyTo]
  if (!original || !receipt || original.sender !== receiver || isSettled(receipt.state) || !original.needReply) return
  draft.emit('message.receipt', { task, message: replyTo, agent: person, state: 'answered', note: null })
  settleLinked(draft, person, original, 'answered')
}

/** Whoever else has the message in this person's place, or they in theirs, need do no more. */
function settleLinked(draft: DecisionContext, person: AgentId, { task, id }: MessageRecord, state: 'done' | 'answered'): void {
  const note = draft.say('seenToBy', { who: selectName(draft.world, person) })
  for (const { receiver, ...other } of linkedTo(draft.world.receipts[task] ?? {}, id, person)) {
    if (!isSettled(other.state)) draft.emit('message.receipt', { task, message: id, agent: receiver, state, note })
  }
}

type Mine = { message: MessageRecord; receipt: ReceiptRecord }

function myReceipt(draft: DecisionContext, person: AgentId, id: MessageId): Mine | null {
  for (const messages of Object.values(draft.world.messages)) {
    const message = Object.hasOwn(messages, id) ? messages[id] : undefined
    const receipt = message && draft.world.receipts[message.task]?.[person]?.[id]
    if (message && receipt) return { message, receipt }
  }
  return null
}

export const mustBeMine = (draft: DecisionContext, person: AgentId, id: MessageId): Mine => {
  const mine = myReceipt(draft, person, id)
  if (!mine) throw new Fault('NOT_FOUND', { what: 'message to you', id })
  return mine
}

const advance = (draft: DecisionContext, { message, receipt }: Mine, state: 'shown' | 'acknowledged' | 'done'): void =>
  draft.emit('message.receipt', { task: message.task, message: message.id, agent: receipt.receiver, state, note: null })

/** Seen on screen; messages that are not mine, or were seen before, are passed over. */
export function markShown(draft: DecisionContext, person: AgentId, { messages }: CommandOf<'markShown'>): void {
  for (const id of messages) {
    const mine = myReceipt(draft, person, id)
    if (mine && (mine.receipt.state === 'delivered' || mine.receipt.state === 'queued')) advance(draft, mine, 'shown')
  }
}

export function acknowledge(draft: DecisionContext, person: AgentId, { message }: CommandOf<'acknowledge'>): void {
  const mine = mustBeMine(draft, person, message)
  if (mine.receipt.state === 'acknowledged' || isSettled(mine.receipt.state)) return
  advance(draft, mine, 'acknowledged')
}

export function markDone(draft: DecisionContext, person: AgentId, { message }: CommandOf<'markDone'>): void {
  const mine = mustBeMine(draft, person, message)
  if (isSettled(mine.receipt.state)) return
  const request = openRequestOf(draft, mine.message, person)
  if (request) doneWithRequest(draft, person, request)
  advance(draft, mine, 'done')
  settleLinked(draft, person, mine.message, 'done')
}

const openRequestOf = (draft: DecisionContext, message: MessageRecord, person: AgentId): RequestRecord | null =>
  Object.values(draft.world.requests[message.task] ?? {}).find(
    (request: RequestRecord) => request.message === message.id && request.asked.includes(person) && isOpen(request),
  ) ?? null

/** Take back acknowledged or done, within five minutes, where no agent has been told of it. */
export function undoReceipt(draft: DecisionContext, person: AgentId, { message }: CommandOf<'undoReceipt'>): void {
  const { message: record, receipt } = mustBeMine(draft, person, message)
  const since = receipt.settledAt ?? receipt.acknowledgedAt ?? 0
  const isUndoable = receipt.state === 'done' || receipt.state === 'acknowledged'
  const told = Object.values(draft.world.requests[record.task] ?? {}).some(
    (request: RequestRecord) => request.message === record.id && request.state === 'answered',
  )
  if (!isUndoable || told || draft.at - since > UNDO_MS) throw new Fault('NOTHING_TO_UNDO')
  draft.emit('message.undone', { task: record.task, message, agent: person })
  if (receipt.state !== 'done') return
  for (const other of linkedTo(draft.world.receipts[record.task] ?? {}, message, person)) {
    if (other.state !== 'done' || other.settledAt !== receipt.settledAt) continue
    draft.emit('message.undone', { task: record.task, message, agent: other.receiver })
  }
}

/** Messages, their receipts, and notices to people. */
import type { EventOf, OfReceipt } from '../events'
import { type AgentId, SYSTEM_TASK } from '../ids'
import type { MessageRecord, ReceiptNote, ReceiptRecord, ReceiptState, World } from '../records'
import { isSettled, isWorkUnderWay, receiptStateOf } from '../statuses'
import { changed, changedOr, changedRecord, withKey } from './branch'
import { notOnlyTalk, talked } from './budget'
import type { EventPosition, Reducers } from './reducer'

/** Number of notices of a person in the world. */
export const NOTICES_KEPT = 100

/** The receipt in that state, unless its state has the same rank; `answered` still replaces `done`. */
export function advanced(old: ReceiptRecord, state: ReceiptState, note: string | null, at: number): ReceiptRecord {
  const answersAfterDone = old.state === 'done' && state === 'answered'
  const { rank, isSeen, isAcknowledged } = receiptStateOf(state)
  if (rank <= receiptStateOf(old.state).rank && !answersAfterDone) return old
  return {
    ...old,
    state,
    note: note ?? old.note,
    // A message that settles while it is still queued was never delivered.
    deliveredAt: old.deliveredAt ?? (state === 'delivered' || isSeen ? at : null),
    shownAt: isSeen ? (old.shownAt ?? at) : old.shownAt,
    acknowledgedAt: isAcknowledged ? (old.acknowledgedAt ?? at) : old.acknowledgedAt,
    settledAt: isSettled(state) ? at : old.settledAt,
  }
}

export const freshReceipt = (
  message: Pick<MessageRecord, 'id' | 'task'>,
  receiver: AgentId,
  { at, seq }: EventPosition,
): ReceiptRecord => ({
  message: message.id,
  task: message.task,
  receiver,
  state: 'delivered',
  deliveredAt: at,
  shownAt: null,
  acknowledgedAt: null,
  settledAt: null,
  note: null,
  changedAt: seq,
})

export const changeReceipt = (
  world: World,
  { task, message, agent }: OfReceipt,
  change: (old: ReceiptRecord) => ReceiptRecord,
): World => ({
  ...world,
  receipts: changed(world.receipts, task, (byAgent) =>
    changed(byAgent, agent, (receipts) => changedRecord(receipts, message, world.seq, change)),
  ),
})

/** Maximum number of lines of a receipt. */
const NOTES_KEPT = 50
const withNote = (old: ReceiptRecord, note: ReceiptNote): ReceiptRecord => ({
  ...old,
  notes: [...(old.notes ?? []).slice(1 - NOTES_KEPT), note],
})

/** Counts messages between agents in a row. */
function spoken(world: World, { task, sender, imported, workState }: MessageRecord): World {
  if (sender === SYSTEM_TASK || imported !== undefined || isWorkUnderWay(workState)) return world
  return world.agents[sender]?.kind === 'human' ? notOnlyTalk(world, task) : talked(world, task)
}

/** The record of a message that was sent. */
export function messageRecordOf(
  { type: _, v: __, message: id, kind, ...said }: EventOf<'message.sent'>,
  { at, seq }: Pick<EventPosition, 'at' | 'seq'>,
): MessageRecord {
  return { ...said, type: kind, id, at, seq }
}

export const messageReducers = {
  'message.sent': (world, event, place) => {
    const message = messageRecordOf(event, place)
    const { id } = message
    return {
      ...spoken(world, message),
      messages: changedOr(world.messages, message.task, {}, (messages) => withKey(messages, id, message)),
      receipts: changedOr(world.receipts, message.task, {}, (byAgent) => {
        const all = { ...byAgent }
        for (const receiver of message.receivers)
          all[receiver] = { ...all[receiver], [id]: freshReceipt(message, receiver, place) }
        return all
      }),
    }
  },
  'message.held': (world, event) =>
    changeReceipt(world, event, (old) =>
      old.state === 'delivered' ? { ...old, state: 'queued', deliveredAt: null } : old,
    ),
  'message.receipt': (world, event, { at }) =>
    changeReceipt(world, event, (old) => advanced(old, event.state, event.note, at)),
  'message.reminded': (world, event, { at }) =>
    changeReceipt(world, event, (old) =>
      isSettled(old.state) ? old : withNote(old, { kind: 'reminded', by: event.by, at, until: null }),
    ),
  'message.snoozed': (world, event, { at }) =>
    changeReceipt(world, event, (old) => {
      if (event.until === null) return (old.remindAt ?? null) === null ? old : { ...old, remindAt: null }
      if (isSettled(old.state)) return old
      const note: ReceiptNote = { kind: 'remindLater', by: event.agent, at, until: event.until }
      return { ...withNote(old, note), remindAt: event.until }
    }),
  'message.undone': (world, event) =>
    changeReceipt(world, event, (old) =>
      old.state === 'done' || old.state === 'acknowledged'
        ? { ...old, state: 'shown', acknowledgedAt: null, settledAt: null }
        : old,
    ),
  'message.raised': (world, event, { at }) =>
    changeReceipt(world, event, (old) => {
      if (old.state !== 'acknowledged') return old
      const note: ReceiptNote = { kind: 'raisedAgain', by: event.agent, at, until: old.acknowledgedAt }
      return { ...withNote(old, note), state: 'shown', acknowledgedAt: null, raisedAt: at }
    }),
  'notice.given': (world, { task, agent, notice }, { at, seq }) => ({
    ...world,
    notices: changedOr(world.notices, agent, [], (notices) => [
      ...notices.filter((old) => old.id !== notice.id).slice(1 - NOTICES_KEPT),
      { ...notice, task, at, seq },
    ]),
  }),
} satisfies Reducers

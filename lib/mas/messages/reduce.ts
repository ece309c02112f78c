/** Messages, their deliveries, and notices to people. */

import type { EventOf } from '../events'
import { type AgentId, SYSTEM_TASK } from '../ids'
import { notOnlyTalk, talked } from '../limits/reduce'
import { isAsked } from '../members/traits'
import type { DeliveryRecord, DeliveryState, MessageRecord, World } from '../records'
import { changed, changedOr, changedRecord, withKey } from '../reduce/branch'
import type { EventPosition, Reducers } from '../reduce/reducer'
import { deliveryStateOf, isSettled, isWorkUnderWay } from '../statuses'

/** Number of notices of a person in the world. */
export const NOTICES_KEPT = 100

/** The delivery in that state, unless its state has the same rank; `answered` still replaces `done`. */
export function advanced(old: DeliveryRecord, state: DeliveryState, note: string | null, at: number): DeliveryRecord {
  // Nothing but its delivery can put it into the queue.
  if (state === 'queued') return old.state === 'delivered' ? { ...old, state, deliveredAt: null } : old
  const answersAfterDone = old.state === 'done' && state === 'answered'
  const { rank, isSeen, isAcknowledged } = deliveryStateOf(state)
  if (rank <= deliveryStateOf(old.state).rank && !answersAfterDone) return old
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

export const freshDelivery = (
  message: Pick<MessageRecord, 'id' | 'task'>,
  receiver: AgentId,
  { at, seq }: EventPosition,
): DeliveryRecord => ({
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

/** Counts messages between agents in a row. */
function spoken(world: World, { task, sender, imported, workState }: MessageRecord): World {
  if (sender === SYSTEM_TASK || imported !== undefined || isWorkUnderWay(workState)) return world
  return isAsked(world, sender) ? notOnlyTalk(world, task) : talked(world, task)
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
      deliveries: changedOr(world.deliveries, message.task, {}, (byAgent) => {
        const all = { ...byAgent }
        for (const receiver of message.receivers)
          all[receiver] = { ...all[receiver], [id]: freshDelivery(message, receiver, place) }
        return all
      }),
    }
  },
  'message.delivery': (world, { task, message, agent, state, note }, { at, seq }) => ({
    ...world,
    deliveries: changed(world.deliveries, task, (byAgent) =>
      changed(byAgent, agent, (deliveries) =>
        changedRecord(deliveries, message, seq, (old) => advanced(old, state, note, at)),
      ),
    ),
  }),
  'notice.given': (world, { task, agent, notice }, { at, seq }) => ({
    ...world,
    notices: changedOr(world.notices, agent, [], (notices) => [
      ...notices.filter((old) => old.id !== notice.id).slice(1 - NOTICES_KEPT),
      { ...notice, task, at, seq },
    ]),
  }),
} satisfies Reducers

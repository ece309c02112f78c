/** Messages, their deliveries, and notices to people. */
import type { EventOf, OfDelivery } from '../events'
import { type AgentId, SYSTEM_TASK } from '../ids'
import type { DeliveryNote, DeliveryRecord, DeliveryState, MessageRecord, World } from '../records'
import { deliveryStateOf, isSettled, isWorkUnderWay } from '../statuses'
import { changed, changedOr, changedRecord, withKey } from './branch'
import { notOnlyTalk, talked } from './budget'
import type { EventPosition, Reducers } from './reducer'

/** Number of notices of a person in the world. */
export const NOTICES_KEPT = 100

/** The delivery in that state, unless its state has the same rank; `answered` still replaces `done`. */
export function advanced(old: DeliveryRecord, state: DeliveryState, note: string | null, at: number): DeliveryRecord {
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

export const changeDelivery = (
  world: World,
  { task, message, agent }: OfDelivery,
  change: (old: DeliveryRecord) => DeliveryRecord,
): World => ({
  ...world,
  deliveries: changed(world.deliveries, task, (byAgent) =>
    changed(byAgent, agent, (deliveries) => changedRecord(deliveries, message, world.seq, change)),
  ),
})

/** Maximum number of lines of a delivery. */
const NOTES_KEPT = 50
const withNote = (old: DeliveryRecord, note: DeliveryNote): DeliveryRecord => ({
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
      deliveries: changedOr(world.deliveries, message.task, {}, (byAgent) => {
        const all = { ...byAgent }
        for (const receiver of message.receivers)
          all[receiver] = { ...all[receiver], [id]: freshDelivery(message, receiver, place) }
        return all
      }),
    }
  },
  'message.held': (world, event) =>
    changeDelivery(world, event, (old) =>
      old.state === 'delivered' ? { ...old, state: 'queued', deliveredAt: null } : old,
    ),
  'message.delivery': (world, event, { at }) =>
    changeDelivery(world, event, (old) => advanced(old, event.state, event.note, at)),
  'message.reminded': (world, event, { at }) =>
    changeDelivery(world, event, (old) =>
      isSettled(old.state) ? old : withNote(old, { kind: 'reminded', by: event.by, at, until: null }),
    ),
  'message.snoozed': (world, event, { at }) =>
    changeDelivery(world, event, (old) => {
      if (event.until === null) return (old.remindAt ?? null) === null ? old : { ...old, remindAt: null }
      if (isSettled(old.state)) return old
      const note: DeliveryNote = { kind: 'remindLater', by: event.agent, at, until: event.until }
      return { ...withNote(old, note), remindAt: event.until }
    }),
  'message.undone': (world, event) =>
    changeDelivery(world, event, (old) =>
      old.state === 'done' || old.state === 'acknowledged'
        ? { ...old, state: 'shown', acknowledgedAt: null, settledAt: null }
        : old,
    ),
  'message.raised': (world, event, { at }) =>
    changeDelivery(world, event, (old) => {
      if (old.state !== 'acknowledged') return old
      const note: DeliveryNote = { kind: 'raisedAgain', by: event.agent, at, until: old.acknowledgedAt }
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

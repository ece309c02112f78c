/** A message gets one more receiver: transferred, or escalated because its receiver could not be reached. */
import type { OfDelivery } from '../events'
import type { AgentId } from '../ids'
import type { DeliveryRecord, PassedTransfer, TransferRecord, World } from '../records'
import { isSettled } from '../statuses'
import { changed, changedOr, withKey } from './branch'
import { changeDelivery, freshDelivery } from './message'
import type { Reducers } from './reducer'

type Move = OfDelivery & { to: AgentId }

const isOpen = (delivery: DeliveryRecord | undefined): boolean => delivery !== undefined && !isSettled(delivery.state)

/** The world in which `to` has the message too; an open delivery of theirs does not change. */
function passed(world: World, { task, message, agent, to }: Move, by: PassedTransfer['by'], at: number): World {
  const give = (old: DeliveryRecord | undefined): DeliveryRecord => {
    if (old !== undefined && !isSettled(old.state)) return old
    const tried = old?.attempts === undefined ? {} : { attempts: old.attempts }
    return { ...freshDelivery({ id: message, task }, to, world), ...tried, passed: { from: agent, by, at } }
  }
  return {
    ...world,
    deliveries: changed(world.deliveries, task, (byAgent) =>
      changedOr(byAgent, to, {}, (deliveries) => withKey(deliveries, message, give(deliveries[message]))),
    ),
  }
}

const both = (world: World, move: Move, change: (old: DeliveryRecord) => DeliveryRecord): World =>
  changeDelivery(changeDelivery(world, move, change), { ...move, agent: move.to }, change)

export const transferReducers = {
  'message.offered': (world, event, { at }) => {
    const { task, message, agent, to, handOver, sentence } = event
    if (!isOpen(world.deliveries[task]?.[agent]?.[message])) return world
    const wasAsked = isOpen(world.deliveries[task]?.[to]?.[message])
    const handing: TransferRecord = { id: handOver, from: agent, to, sentence, at, wasAsked }
    return both(passed(world, event, 'handOver', at), event, (old) => ({ ...old, handing }))
  },
  'message.handed': (world, event) => {
    if (world.deliveries[event.task]?.[event.agent]?.[event.message]?.handing?.id !== event.handOver) return world
    return both(world, event, (old) => ({
      ...old,
      handing: null,
      handedTo: old.receiver === event.to ? null : event.to,
    }))
  },
  'message.returned': (world, event, { at }) => {
    const wasAsked = world.deliveries[event.task]?.[event.to]?.[event.message]?.handing?.wasAsked ?? false
    return both(world, event, (old) => {
      const back = (old.handing ?? null) === null ? old : { ...old, handing: null }
      if (old.receiver === event.agent) return back.handedTo === event.to ? { ...back, handedTo: null } : back
      if (wasAsked || !isOpen(old)) return back
      return { ...back, state: 'superseded', settledAt: at, note: event.note }
    })
  },
  'message.escalated': (world, event, { at }) =>
    isOpen(world.deliveries[event.task]?.[event.agent]?.[event.message])
      ? passed(world, event, 'escalation', at)
      : world,
} satisfies Reducers

/** Who has a message: its receivers, and those it was transferred or escalated to. Small: pages load it. */
import type { AgentId, MessageId } from '../../ids'
import type { DeliveryRecord, MessageRecord } from '../../records'

type DeliveriesOfTask = Record<AgentId, Record<MessageId, DeliveryRecord>>
export type MessageRecipient = { receiver: AgentId; delivery: DeliveryRecord | null }

/** One row each: the receivers in the order in which they were named, then those it was put to besides. */
export function holdersOf(
  deliveries: DeliveriesOfTask,
  { id, receivers }: Pick<MessageRecord, 'id' | 'receivers'>,
): MessageRecipient[] {
  const others = Object.values(deliveries).flatMap((own: DeliveriesOfTask[AgentId]) => {
    const delivery = own[id]
    return delivery?.passed && !receivers.includes(delivery.receiver) ? [delivery] : []
  })
  return [
    ...receivers.map((receiver) => ({ receiver, delivery: deliveries[receiver]?.[id] ?? null })),
    ...others.map((delivery) => ({ receiver: delivery.receiver, delivery })),
  ]
}

/** The deliveries of those who have it instead of this person, or in whose place this person has it: one settles, all are. */
export function linkedTo(deliveries: DeliveriesOfTask, message: MessageId, person: AgentId): DeliveryRecord[] {
  const all = Object.values(deliveries).flatMap((own: DeliveriesOfTask[AgentId]) => own[message] ?? [])
  const found = new Set<AgentId>([person])
  const isNear = ({ receiver, passed, handedTo }: DeliveryRecord): boolean =>
    found.has(receiver) || (passed !== undefined && found.has(passed.from)) || (handedTo ? found.has(handedTo) : false)
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const delivery of all.filter(isNear)) {
      found.add(delivery.receiver)
      if (delivery.passed) found.add(delivery.passed.from)
      if (delivery.handedTo) found.add(delivery.handedTo)
    }
  }
  return all.filter(({ receiver }) => receiver !== person && found.has(receiver))
}

/** Another person took it over; it is not offered back. */
export const isHandedOn = ({ receiver, handedTo, handing }: DeliveryRecord): boolean =>
  (handedTo ?? null) !== null && handing?.to !== receiver

/** Who has a message: its receivers, and those it was transferred or escalated to. Small: pages load it. */
import type { AgentId, MessageId } from '../../ids'
import type { MessageRecord, ReceiptRecord } from '../../records'

type ReceiptsOfTask = Record<AgentId, Record<MessageId, ReceiptRecord>>
export type MessageRecipient = { receiver: AgentId; receipt: ReceiptRecord | null }

/** One row each: the receivers in the order in which they were named, then those it was put to besides. */
export function holdersOf(
  receipts: ReceiptsOfTask,
  { id, receivers }: Pick<MessageRecord, 'id' | 'receivers'>,
): MessageRecipient[] {
  const others = Object.values(receipts).flatMap((own: ReceiptsOfTask[AgentId]) => {
    const receipt = own[id]
    return receipt?.passed && !receivers.includes(receipt.receiver) ? [receipt] : []
  })
  return [
    ...receivers.map((receiver) => ({ receiver, receipt: receipts[receiver]?.[id] ?? null })),
    ...others.map((receipt) => ({ receiver: receipt.receiver, receipt })),
  ]
}

/** The receipts of those who have it instead of this person, or in whose place this person has it: one settles, all are. */
export function linkedTo(receipts: ReceiptsOfTask, message: MessageId, person: AgentId): ReceiptRecord[] {
  const all = Object.values(receipts).flatMap((own: ReceiptsOfTask[AgentId]) => own[message] ?? [])
  const found = new Set<AgentId>([person])
  const isNear = ({ receiver, passed, handedTo }: ReceiptRecord): boolean =>
    found.has(receiver) || (passed !== undefined && found.has(passed.from)) || (handedTo ? found.has(handedTo) : false)
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const receipt of all.filter(isNear)) {
      found.add(receipt.receiver)
      if (receipt.passed) found.add(receipt.passed.from)
      if (receipt.handedTo) found.add(receipt.handedTo)
    }
  }
  return all.filter(({ receiver }) => receiver !== person && found.has(receiver))
}

/** Another person took it over; it is not offered back. */
export const isHandedOn = ({ receiver, handedTo, handing }: ReceiptRecord): boolean =>
  (handedTo ?? null) !== null && handing?.to !== receiver

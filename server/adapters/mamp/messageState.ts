/** The state of another system's message here: its receipt, and the requested work. */
import type { OutgoingRecord } from '@/lib/mas/outsideRecords'
import type { ReceiptRecord, World } from '@/lib/mas/records'
import { isPending } from '@/lib/mas/selectors/outside/outside'
import { hasOpenWork } from '@/lib/mas/selectors/outside/outsideWork'
import { isSettled } from '@/lib/mas/statuses'
import type { AdapterContext } from '../adapter'
import type { TakenMessage } from './receive'

const receiptOf = (world: World, { task, message }: TakenMessage): ReceiptRecord | undefined => {
  const record = task === null || message === null ? undefined : world.messages[task]?.[message]
  const [receiver] = record?.receivers ?? []
  return record && receiver !== undefined ? world.receipts[record.task]?.[receiver]?.[record.id] : undefined
}

/** A message that left the world was settled before. */
const stateOf = (world: World, taken: TakenMessage): ReceiptRecord['state'] => receiptOf(world, taken)?.state ?? 'done'

/** Report the present state and each later one until it is settled. out: stops it */
export function watchState(
  { engine }: Pick<AdapterContext, 'engine'>,
  taken: TakenMessage,
  tell: (state: ReceiptRecord['state']) => void,
): () => void {
  let told: ReceiptRecord['state'] | null = null
  let stop = (): void => {}
  const look = (): void => {
    const state = stateOf(engine.world(), taken)
    if (state === told) return
    told = state
    tell(state)
    if (isSettled(state)) stop()
  }
  look()
  if (told !== null && isSettled(told)) return stop
  stop = engine.onDecision(look)
  return stop
}

/** The receipt is settled, the work that the message asked for is over, and no delivery of the conversation is pending. */
export function isOver(world: World, taken: TakenMessage): boolean {
  const receipt = receiptOf(world, taken)
  if (receipt && !isSettled(receipt.state)) return false
  if (taken.task !== null && hasOpenWork(world, taken.task, taken.message)) return false
  return !Object.values(world.outbox).some((all: Record<string, OutgoingRecord>) =>
    Object.values(all).some((outgoing) => outgoing.conversation === taken.conversation && isPending(world, outgoing)),
  )
}

/** The state of another system's message here: its delivery, and the requested work. */
import type { OutgoingRecord } from '@/lib/mas/outsideRecords'
import type { DeliveryRecord, World } from '@/lib/mas/records'
import { isPending } from '@/lib/mas/selectors/outside/outside'
import { hasOpenWork } from '@/lib/mas/selectors/outside/outsideWork'
import { isSettled } from '@/lib/mas/statuses'
import type { AdapterContext } from '../adapter'
import type { TakenMessage } from './receive'

const deliveryOf = (world: World, { task, message }: TakenMessage): DeliveryRecord | undefined => {
  const record = task === null || message === null ? undefined : world.messages[task]?.[message]
  const [receiver] = record?.receivers ?? []
  return record && receiver !== undefined ? world.deliveries[record.task]?.[receiver]?.[record.id] : undefined
}

/** A message that left the world was settled before. */
const stateOf = (world: World, taken: TakenMessage): DeliveryRecord['state'] =>
  deliveryOf(world, taken)?.state ?? 'done'

/** Report the present state and each later one until it is settled. out: stops it */
export function watchState(
  { engine }: Pick<AdapterContext, 'engine'>,
  taken: TakenMessage,
  tell: (state: DeliveryRecord['state']) => void,
): () => void {
  let told: DeliveryRecord['state'] | null = null
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

/** The delivery is settled, the work that the message asked for is over, and no delivery of the conversation is pending. */
export function isOver(world: World, taken: TakenMessage): boolean {
  const delivery = deliveryOf(world, taken)
  if (delivery && !isSettled(delivery.state)) return false
  if (taken.task !== null && hasOpenWork(world, taken.task, taken.message)) return false
  return !Object.values(world.outbox).some((all: Record<string, OutgoingRecord>) =>
    Object.values(all).some((outgoing) => outgoing.conversation === taken.conversation && isPending(world, outgoing)),
  )
}

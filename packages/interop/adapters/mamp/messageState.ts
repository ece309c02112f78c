/** The state of another system's message here: its outcome, and the requested work. */

import { type MessageOutcome, selectOutcome } from '@/lib/mas/asks/outcomes'
import { isPending } from '@/lib/mas/outside/outside'
import { hasOpenWork } from '@/lib/mas/outside/outsideWork'
import type { OutgoingRecord } from '@/lib/mas/outside/records'
import type { DeliveryState, World } from '@/lib/mas/records'
import { isSettled } from '@/lib/mas/statuses'
import type { AdapterContext } from '../adapter'
import type { TakenMessage } from './receive'

const outcomeOf = (world: World, { task, message }: TakenMessage): MessageOutcome | null => {
  const record = task === null || message === null ? undefined : world.messages[task]?.[message]
  const [receiver] = record?.receivers ?? []
  return record && receiver !== undefined ? selectOutcome(world, record, receiver) : null
}

/** A message that left the world was settled before. */
const stateOf = (world: World, taken: TakenMessage): DeliveryState => outcomeOf(world, taken)?.state ?? 'done'

/** Report the present state and each later one until it is settled. out: stops it */
export function watchState(
  { engine }: Pick<AdapterContext, 'engine'>,
  taken: TakenMessage,
  tell: (state: DeliveryState) => void,
): () => void {
  let told: DeliveryState | null = null
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

/** The message is settled, the work that it asked for is over, and nothing of the conversation is to be sent. */
export function isOver(world: World, taken: TakenMessage): boolean {
  const outcome = outcomeOf(world, taken)
  if (outcome && !isSettled(outcome.state)) return false
  if (taken.task !== null && hasOpenWork(world, taken.task, taken.message)) return false
  return !Object.values(world.outbox).some((all: Record<string, OutgoingRecord>) =>
    Object.values(all).some((outgoing) => outgoing.conversation === taken.conversation && isPending(world, outgoing)),
  )
}

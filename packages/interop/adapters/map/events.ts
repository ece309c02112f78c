/** Events for subscribers: a checkpoint was reported, its content is available. */
import { createHash } from 'node:crypto'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import type { SubscriptionFilter } from '../../protocols/map/participants'
import { type Checkpoint, EVENTS, matches } from '../../protocols/map/trajectory'
import type { AdapterContext } from '../adapter'
import { readCheckpoint } from './checkpoints'

type MapEvent = {
  id: string
  type: string
  /** epoch ms */
  timestamp: number
  source: { agentId: string }
  data: Record<string, unknown>
}

/** The two events of a new checkpoint. seq: its place in the journal; the ids are made of it. */
function eventsOfCheckpoint(checkpoint: Checkpoint, at: number, seq: number): MapEvent[] {
  const source = { agentId: checkpoint.agentId }
  const { id: checkpointId, agentId } = checkpoint
  return [
    { type: EVENTS.checkpoint, data: { checkpoint } },
    { type: EVENTS.contentAvailable, data: { checkpointId, agentId } },
  ].map((event, index) => ({ ...event, id: ulidOf(at, `${seq}.${index}`), timestamp: at, source }))
}

/** Of one connection, by id. sent: notifications so far */
export type Subscriptions = Map<string, { filter: SubscriptionFilter; sent: number }>

/** The notifications of this event, one per matching subscription. */
function notificationsOf(subscriptions: Subscriptions, event: MapEvent, checkpoint: Checkpoint) {
  return [...subscriptions].flatMap(([subscriptionId, subscription]) => {
    const { eventTypes, trajectory = {} } = subscription.filter
    if (eventTypes && !eventTypes.includes(event.type)) return []
    if (!matches(checkpoint, trajectory)) return []
    subscription.sent += 1
    return [{ subscriptionId, sequenceNumber: subscription.sent, eventId: event.id, timestamp: event.timestamp, event }]
  })
}

/** Notify subscribers of a new checkpoint. Never rejects. */
export async function notifySubscribers(
  context: Pick<AdapterContext, 'bodies' | 'log'>,
  subscriptions: Subscriptions,
  record: CheckpointRecord,
  notify: (params: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  try {
    const checkpoint = await readCheckpoint(context, record)
    for (const event of eventsOfCheckpoint(checkpoint, record.at, record.seq))
      for (const params of notificationsOf(subscriptions, event, checkpoint)) await notify(params)
  } catch (error) {
    context.log.warn({ err: error }, 'a subscriber of checkpoints was not notified')
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: ten characters of time, sixteen derived from the seed, so that a repeat has the same id. */
function ulidOf(at: number, seed: string): string {
  let time = ''
  for (let rest = at, place = 0; place < 10; place++) {
    time = (CROCKFORD[rest % 32] ?? '') + time
    rest = Math.floor(rest / 32)
  }
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16)
  return time + [...bytes].map((byte) => CROCKFORD[byte % 32]).join('')
}

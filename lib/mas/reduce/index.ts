/** The pure function from the world and an entry to the next world: in the engine, the monitor, every browser, in replay. */
import type { Entry, EventOf, EventType } from '../events'
import { emptyWorld, type World } from '../records'
import { agentReducers } from './agent'
import { attemptReducers } from './attempt'
import { budgetReducers } from './budget'
import { erasingReducers } from './erasing'
import { evictionReducers } from './eviction'
import { fileReducers } from './files'
import { withInvolved } from './involved'
import { messageReducers } from './message'
import { outsideReducers } from './outside'
import type { AllReducers, EventPosition, Reducer } from './reducer'
import { requestReducers } from './request'
import { setupReducers } from './setup'
import { stageReducers } from './stage'
import { stepReducers } from './step'
import { taskReducers } from './task'
import { templateReducers } from './template'

/** Raised when the meaning of a reducer changes: snapshots of another version are rebuilt. */
export const REDUCER_VERSION = 1

export const REDUCERS: AllReducers = {
  ...agentReducers,
  ...taskReducers,
  ...templateReducers,
  ...stageReducers,
  ...stepReducers,
  ...messageReducers,
  ...requestReducers,
  ...attemptReducers,
  ...budgetReducers,
  ...evictionReducers,
  ...erasingReducers,
  ...outsideReducers,
  ...fileReducers,
  ...setupReducers,
}

function reduceEvent<Type extends EventType>(world: World, event: EventOf<Type>, place: EventPosition): World {
  const reducer: Reducer<Type> = REDUCERS[event.type]
  return reducer(world, event, place)
}

/**
 * in      the world at n; an entry after n
 * out     the world after it; branches the entry does not touch keep their identity
 * units   at is epoch ms; reads no clock and no random source
 * source  docs/rules.md R1, R2
 */
export function reduceEntry(world: World, entry: Pick<Entry, 'event' | 'seq' | 'at'>): World {
  const { event, seq, at } = entry
  return withInvolved(reduceEvent({ ...world, seq, at }, event, entry), event)
}

export { emptyWorld }

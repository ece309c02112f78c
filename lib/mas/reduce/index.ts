/** The pure function from the world and an entry to the next world: in the engine, the monitor, every browser, in replay. */

import { evictionReducers } from '../archive/reduce'
import { erasingReducers } from '../archive/reduceErasing'
import { requestReducers } from '../asks/reduce'
import { attemptReducers } from '../asks/reduceAttempts'
import type { Entry, EventOf, EventType } from '../events'
import { fileReducers } from '../files/reduce'
import { budgetReducers } from '../limits/reduce'
import { messageReducers } from '../messages/reduce'
import { nodeReducers } from '../nodes/reduce'
import { outsideReducers } from '../outside/reduce'
import { emptyWorld, type World } from '../records'
import { setupReducers } from '../setup/reduce'
import { stageReducers } from '../stages/reduce'
import { stepReducers } from '../steps/reduce'
import { taskReducers } from '../tasks/reduce'
import { templateReducers } from '../tasks/reduceTemplates'
import { agentReducers } from '../team/reduce'
import { lockReducers } from '../waits/reduce'
import { withInvolved } from './involved'
import type { AllReducers, EventPosition, Reducer } from './reducer'

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
  ...lockReducers,
  ...nodeReducers,
}

function reduceEvent<Type extends EventType>(world: World, event: EventOf<Type>, place: EventPosition): World {
  const reducer: Reducer<Type> = REDUCERS[event.type]
  return reducer(world, event, place)
}

/**
 * in      the world at n; an entry after n
 * out     the world after it; branches the entry does not touch keep their identity
 * units   at is epoch ms; reads no clock and no random source
 * source  docs/rules R1, R2
 */
export function reduceEntry(world: World, entry: Pick<Entry, 'event' | 'seq' | 'at'>): World {
  const { event, seq, at } = entry
  return withInvolved(reduceEvent({ ...world, seq, at }, event, entry), event)
}

export { emptyWorld }

/** What a reducer is: the world, one event, and where in the journal it stands. It reads no clock and makes no ids (R1). */

import type { EventOf, EventType } from '../events'
import type { World } from '../records'

/** Place of an event: its number, its time (epoch ms), who caused it. */
export type EventPosition = { seq: number; at: number; by: string }

export type Reducer<Type extends EventType> = (world: World, event: EventOf<Type>, place: EventPosition) => World
export type ReducersOf<Types extends EventType> = { [Type in Types]: Reducer<Type> }

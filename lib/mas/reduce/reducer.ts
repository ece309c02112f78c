/** A reducer: from the world, one event and its place in the journal to the next world. No clock, no ids (R1). */
import type { EventOf, EventType } from '../events'
import type { World } from '../records'

/** Place of an event: its number, its time (epoch ms). */
export type EventPosition = { seq: number; at: number }

export type Reducer<Type extends EventType> = (world: World, event: EventOf<Type>, place: EventPosition) => World
export type AllReducers = { [Type in EventType]: Reducer<Type> }
/** Those of one section of events; together they must be all, or `REDUCERS` does not compile. */
export type Reducers = Partial<AllReducers>

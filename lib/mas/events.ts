/** The events of the journal, by subject. Every event names its owners, so an entry alone shows which views it concerns. */
import type { ArchiveEvents } from './archive/events'
import type { AskEvents } from './asks/events'
import type { FileEvents } from './files/events'
import type { LimitEvents } from './limits/events'
import type { MessageEvents } from './messages/events'
import type { NodeEvents } from './nodes/events'
import type { OutsideEvents } from './outside/events'
import type { SetupEvents } from './setup/events'
import type { StageEvents } from './stages/events'
import type { StepEvents } from './steps/events'
import type { TaskEvents } from './tasks/events'
import type { TeamEvents } from './team/events'
import type { LockEvents } from './waits/events'

type Shapes = ArchiveEvents &
  AskEvents &
  FileEvents &
  LimitEvents &
  MessageEvents &
  NodeEvents &
  OutsideEvents &
  SetupEvents &
  StageEvents &
  StepEvents &
  TaskEvents &
  TeamEvents &
  LockEvents

export type EventType = keyof Shapes
export type EventOf<Type extends EventType> = { type: Type; v: 1 } & Shapes[Type]
export type MasEvent = { [Type in EventType]: EventOf<Type> }[EventType]
export type EventShape<Type extends EventType> = Shapes[Type]

/** One entry of the journal. `at` is epoch ms and never decreases; `cause` is the id of the command. */
export type Entry = { seq: number; at: number; by: string; cause: string; event: MasEvent }

/** Make an event; the only place that writes its version. */
export function event<Type extends EventType>(type: Type, shape: Shapes[Type]): MasEvent {
  const fact: EventOf<Type> = { type, v: 1, ...shape }
  // The compiler cannot see that EventOf<Type> is one member of the union for every Type.
  return fact as MasEvent
}

/** Who an event brings into its task: members, and whoever writes there, is written to, asks or is asked. */
import type { EventOf, EventType, MasEvent } from '../events'
import { type AgentId, SYSTEM_TASK } from '../ids'
import type { World } from '../records'

type Named<Type extends EventType> = (event: EventOf<Type>) => readonly (AgentId | typeof SYSTEM_TASK | null)[]

const NAMED: { [Type in EventType]?: Named<Type> } = {
  'task.added': ({ manager, group, requestedBy }) => [manager, ...group, requestedBy],
  'task.participantsChanged': ({ added }) => added,
  'task.managerChanged': ({ agent }) => [agent],
  'stage.added': ({ allocation }) => Object.keys(allocation) as AgentId[],
  'stage.partHanded': ({ to }) => [to],
  'message.sent': ({ sender, receivers }) => [sender, ...receivers],
  'request.opened': ({ seed }) => [seed.asker, ...seed.asked],
  'request.transferOffered': ({ to }) => [to],
  'request.escalated': ({ to }) => [to],
}

/** Looked up by an event whose type is not known here. */
const namedIn: Partial<Record<EventType, (event: never) => ReturnType<Named<'message.sent'>>>> = NAMED

/** in: the world after the event; its `seq` is that of the event */
export function withInvolved(world: World, event: MasEvent): World {
  const named = namedIn[event.type]?.(event as never)
  if (named === undefined || !('task' in event) || event.task === null) return world
  const { task } = event
  const known: Record<AgentId, number> = world.involved[task] ?? {}
  const came = named.filter((id): id is AgentId => id !== null && id !== SYSTEM_TASK && !Object.hasOwn(known, id))
  // A task that left the world does not come back by a late entry.
  if (came.length === 0 || world.tasks[task] === undefined) return world
  const all = { ...known, ...Object.fromEntries(came.map((id) => [id, world.seq])) }
  return { ...world, involved: { ...world.involved, [task]: all } }
}

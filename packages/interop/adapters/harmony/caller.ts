/** Rights of a Harmony caller: a peer, or one of our people. */
import { asId, type TaskId } from '@/lib/mas/ids'
import { selectConversation } from '@/lib/mas/outside/outside'
import { selectWorkMadeIn } from '@/lib/mas/outside/outsideWork'
import type { ConversationRecord } from '@/lib/mas/outside/records'
import type { World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/team/agents'
import { taskHandle } from '@/lib/mas/team/handles'
import { withRestoredTask } from '@/server/engine/snapshots/restoredTasks'
import type { TaskReader, TaskScope } from '@/server/otherSystems'
import type { AdapterContext } from '../adapter'
import type { PeerCall } from '../receive'
import type { Refusal } from '../refusal'
import { harmonyRefusal } from './refusal'

export type HarmonyCaller = ({ kind: 'peer' } & PeerCall) | ({ kind: 'person' } & TaskReader)

/**
 * A task with its whole history, and what of it the caller may see.
 *
 * conversation  null for a person; else the world also holds all work requested in it
 */
export type Readable = {
  world: World
  task: TaskId
  sight: TaskScope
  conversation: ConversationRecord | null
}

type NamedTask = { conversation: string | null; task: string | null }

/**
 * The named conversation: by the id that both systems know, or by its task.
 *
 * faults  not_found: none, or none that the caller may see (not distinguished); bad_request
 */
export async function readable(
  context: AdapterContext,
  caller: HarmonyCaller,
  { conversation, task }: NamedTask,
): Promise<Readable> {
  const none = harmonyRefusal('not_found', 'There is no such conversation.')
  if ((conversation === null) === (task === null))
    throw harmonyRefusal('bad_request', 'Name one: conversation_id or task_id.')
  const live = context.engine.world()
  if (caller.kind === 'peer') {
    // Only people name tasks: a peer knows its conversations.
    const known = conversation === null ? null : selectConversation(live, caller.peer.id, conversation)
    if (known === null) throw none
    const sight: TaskScope = {
      message: ({ sender, receivers }) => sender === known.agent || receivers.includes(known.agent),
      step: () => false,
    }
    return {
      world: await withWork(context, await holding(context, known.task, none), known.task),
      task: known.task,
      sight,
      conversation: known,
    }
  }
  const shared =
    conversation === null
      ? null
      : Object.values(live.conversations).flatMap((all: Record<string, ConversationRecord>) =>
          Object.values(all).filter((one) => one.shared === conversation),
        )[0]
  const id = shared?.task ?? asId<TaskId>(bareId(task ?? conversation ?? ''))
  if (Object.hasOwn(Object.prototype, id)) throw none
  const world = await holding(context, id, none)
  const sight = caller.sightOf(world, id)
  if (sight === null) throw none
  // Without it nothing counts as fetched by the peer.
  return { world, task: id, sight, conversation: null }
}

/** The world with the task's whole history. */
async function holding({ engine, past }: AdapterContext, task: TaskId, none: Refusal): Promise<World> {
  const whole = await past.whole(task)
  if (whole === null) throw none
  return withRestoredTask(engine.world(), whole)
}

/** The world with all work requested in this conversation, archived work included. */
async function withWork({ past }: AdapterContext, world: World, conversation: TaskId): Promise<World> {
  const handles = selectWorkMadeIn(world, conversation)
  if (handles.size === 0) return world
  const live = Object.keys(world.tasks).map((task) => asId<TaskId>(task))
  const archived = (await past.archived()).map(({ task }) => task)
  const made = [...live, ...archived].filter((id) => id !== conversation && handles.has(taskHandle({ id })))
  const works = await Promise.all(made.map((id) => past.whole(id)))
  return works.reduce((all, work) => (work === null ? all : withRestoredTask(all, work)), world)
}

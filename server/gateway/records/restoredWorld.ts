/** The world with an archived task restored in it, for reading: the same rights and lists apply as to live tasks. */
import type { World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/team/agents'
import { type RestoredTasks, withRestoredTask } from '@/server/engine/snapshots/restoredTasks'

/** The world itself when it holds the task, or when no task has that id. */
export async function worldWithRestored(world: World, past: Pick<RestoredTasks, 'task'>, task: string): Promise<World> {
  const id = bareId(task)
  if (Object.hasOwn(world.tasks, id)) return world
  const found = await past.task(id)
  return found ? withRestoredTask(world, found) : world
}

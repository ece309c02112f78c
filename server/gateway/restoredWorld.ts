/** The world with an archived task in it again, for reading: rights and lists are then those of what lives. */
import type { World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/selectors/agents'
import { type RestoredTasks, withRestoredTask } from '@/server/engine/restoredTasks'

/** The world itself when it holds the task, or when there never was one of that id. */
export async function worldWithRestored(world: World, past: RestoredTasks | undefined, task: string): Promise<World> {
  const id = bareId(task)
  if (past === undefined || Object.hasOwn(world.tasks, id)) return world
  const found = await past.task(id)
  return found ? withRestoredTask(world, found) : world
}

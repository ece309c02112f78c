/** Names of tasks, also of those that left the world. */
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { recentMap } from '../../shared/recentMap'
import type { Archive } from '../../store'

const NAMES_KEPT = 1_000

/** out: the name of a task, which is that of its beginning where it left the world; '' where nothing is known of it */
export function openTaskNames(world: World, archive: Archive): (id: TaskId) => Promise<string> {
  const names = recentMap<TaskId, Promise<string>>(NAMES_KEPT)
  const begun = async (id: TaskId): Promise<string> => {
    const [first] = await archive.entriesOf('task', id, 0, 1)
    return first?.event.type === 'task.added' && typeof first.event.name === 'string' ? first.event.name : ''
  }
  return async (id) => world.tasks[id]?.name ?? (await names.getOrMake(id, () => begun(id)))
}

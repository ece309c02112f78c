/** What a person may read, as routes ask it (lib/mas/selectors/reach.ts holds the rule). */
import { Fault } from '@/lib/faults'
import type { TaskId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { type Reach, reachOf } from '@/lib/mas/selectors/reach'

export {
  canSeeFile,
  type Reach,
  reachesMessage,
  reachesRequest,
  reachesStep,
  reachOf,
  seesAll,
} from '@/lib/mas/selectors/reach'

/** The reach of somebody who may read at least something of the task. Throws NOT_ALLOWED. */
export function assertReach(world: World, person: AgentRecord, task: TaskId): Reach {
  const reach = reachOf(world, person, task)
  if (!reach) throw new Fault('NOT_ALLOWED', { what: 'read this task' })
  return reach
}

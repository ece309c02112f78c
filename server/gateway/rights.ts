/** What a person may read, as routes ask it (lib/mas/selectors/reach.ts holds the rule). */
import { Fault } from '@/lib/faults'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord, World } from '@/lib/mas/records'
import { type Reach, reachesMessage, reachOf, seesAll } from '@/lib/mas/selectors/reach'

export {
  type Reach,
  reachesMessage,
  reachesRequest,
  reachesStep,
  reachOf,
  seesAll,
} from '@/lib/mas/selectors/reach'

/**
 * A file that people sent, or one of the workspace.
 *
 * path      under the workspace, with slashes; null: it lies in a message alone
 * carriers  the messages that carry it, as far as they are in the world
 * uploader  whoever took it in and may still send it; null: nobody
 */
export type FileFacts = { path: string | null; carriers: readonly MessageRecord[]; uploader: AgentId | null }

const isInbox = (path: string): boolean => /^inbox(\/|$)/i.test(path)

/**
 * May this person read the file, and see its name? What people send lies under `inbox/` and is for whoever reads a message
 * that carries it; before it is sent, for whoever took it in. The rest of the workspace is for whoever holds a file tool.
 *
 * in      fileServers: the tool servers that reach the workspace
 */
export function canSeeFile(
  world: World,
  person: AgentRecord,
  { path, carriers, uploader }: FileFacts,
  fileServers: readonly string[],
): boolean {
  if (person.access === 'none') return false
  if (uploader === person.id) return true
  if (carriers.some((message) => reachesMessage(reachOf(world, person, message.task), message))) return true
  const holdsFileTool = seesAll(person) || person.tools.some((server) => fileServers.includes(server))
  return path !== null && !isInbox(path) && holdsFileTool
}

/** The reach of somebody who may read at least something of the task. Throws NOT_ALLOWED. */
export function assertReach(world: World, person: AgentRecord, task: TaskId): Reach {
  const reach = reachOf(world, person, task)
  if (!reach) throw new Fault('NOT_ALLOWED', { what: 'read this task' })
  return reach
}

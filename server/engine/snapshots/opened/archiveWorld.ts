/** What an archive from elsewhere shows: its entries in a world of their own, and who was in it. */

import { involvedIn } from '@/lib/mas/access/visibility'
import { pieceOf } from '@/lib/mas/archive/branches'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import { type AgentRecord, emptyWorld, type OpenedFrom, PLAIN_AGENT, type World } from '@/lib/mas/records'
import { reduceStored } from '@/lib/mas/reduce/reduceAll'
import { takingTurns } from '../../../shared/pieces'
import { LEAVES, type RestoredTask } from '../restoredTasks'
import { withNewIds } from './newIds'

/** A person or an agent, as the archive names it. */
type ArchiveMember = Pick<AgentRecord, 'name' | 'kind'> & { id: string }

/** Others have the thread in between. Throws UnreadableEntryError. */
export async function archiveWorld(agents: readonly ArchiveMember[], entries: readonly Entry[]): Promise<World> {
  const turn = takingTurns()
  let world: World = { ...emptyWorld, agents: Object.fromEntries(agents.map((one) => [one.id, memberOf(one)])) }
  for (const entry of entries) {
    // All that the task ever held is shown.
    if (!LEAVES.has(entry.event.type)) world = reduceStored(world, entry)
    await turn()
  }
  return world
}

/** Never one of ours: without rights, tools and queue, and gone. */
const memberOf = ({ id, name, kind }: ArchiveMember): AgentRecord => ({
  ...PLAIN_AGENT,
  id: asId<AgentId>(id),
  configId: null,
  kind,
  name,
  role: '',
  profile: '',
  paused: null,
  removed: true,
  createdAt: 0,
  changedAt: 0,
})

/** The task with new ids. Throws UnreadableEntryError. */
export async function openedTask(
  { manifest, entries }: { manifest: { task: { id: string }; agents: ArchiveMember[] }; entries: readonly Entry[] },
  from: OpenedFrom,
): Promise<RestoredTask> {
  const mapped = withNewIds(from.archive)
  const { agents, task: head } = mapped({ agents: manifest.agents, task: manifest.task })
  const known = new Set(agents.map(({ id }) => id))
  const task = asId<TaskId>(head.id)
  const turn = takingTurns()
  const own: Entry[] = []
  for (const entry of entries) {
    own.push({ ...mapped(entry), cause: '' })
    await turn()
  }
  // Who is named by no manifest still has a name: the beginning of the id.
  const first = await archiveWorld(agents, own)
  const inIt = new Set([...Object.keys(involvedIn(first, task)), ...Object.keys(first.steps[task] ?? {})])
  const bare = [...inIt].filter((id) => !known.has(id) && !id.includes(':'))
  const all = [...agents, ...bare.map((id) => ({ id, name: id.slice(0, 8), kind: 'llm' as const }))]
  const world = bare.length === 0 ? first : await archiveWorld(all, own)
  const piece = pieceOf(world, task)
  return {
    task,
    seq: world.seq,
    piece: piece.tasks === undefined ? piece : { ...piece, tasks: { ...piece.tasks, opened: from } },
    agents: Object.fromEntries(all.map((one) => [one.id, memberOf(one)])),
  }
}

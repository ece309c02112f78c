/** Someone as a chip needs them; the same object while their record is. */
import { type AgentId, type SenderId, SYSTEM_TASK } from '../mas/ids'
import type { AgentRecord, World } from '../mas/records'
import { memo } from '../memo'
import type { Who } from './rows'

const SYSTEM: Who = { id: SYSTEM_TASK, name: '', kind: 'system', role: '', manager: false, access: 'none' }

const ofRecord = memo(
  ({ id, name, kind, role, manager, access }: AgentRecord): Who => ({ id, name, kind, role, manager, access }),
)

/** in: unknown: what is said of an agent that the world does not hold. out: the same object while the agent's record is the same */
export function whoOf(
  { agents }: Pick<World, 'agents'>,
  id: SenderId,
  unknown: Pick<Who, 'name' | 'kind'> = { name: '', kind: 'outside' },
): Who {
  if (id === SYSTEM_TASK) return SYSTEM
  const record = agents[id]
  return record ? ofRecord(record) : { id, role: '', manager: false, access: 'none', ...unknown }
}

/** The same for several, in their order. */
export const whosOf = (world: Pick<World, 'agents'>, ids: readonly AgentId[]): Who[] =>
  ids.map((id) => whoOf(world, id))

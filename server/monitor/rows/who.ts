/** Someone as a chip needs them; the same object while their record is. */
import type { AgentId, SenderId } from '@/lib/mas/ids'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { memo } from '@/lib/memo'
import type { Who } from '@/lib/wire/rows'

const SYSTEM: Who = { id: SYSTEM_TASK, name: '', kind: 'system', role: '', manager: false, access: 'none' }

const ofRecord = memo(
  ({ id, name, kind, role, manager, access }: AgentRecord): Who => ({ id, name, kind, role, manager, access }),
)

export function whoOf({ agents }: Pick<World, 'agents'>, id: SenderId): Who {
  if (id === SYSTEM_TASK) return SYSTEM
  const record = agents[id]
  return record ? ofRecord(record) : { id, name: '', kind: 'outside', role: '', manager: false, access: 'none' }
}

export const whosOf = (world: Pick<World, 'agents'>, ids: readonly AgentId[]): Who[] =>
  ids.map((id) => whoOf(world, id))

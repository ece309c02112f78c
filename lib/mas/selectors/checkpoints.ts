/** Questions about checkpoints: the one with an id, and all that a person may see. */
import type { CheckpointRecord } from '../checkpointRecords'
import type { AgentId } from '../ids'
import type { World } from '../records'

export function findCheckpoint(world: World, id: string): CheckpointRecord | null {
  for (const all of Object.values(world.checkpoints)) {
    const found = all.find((one: CheckpointRecord) => one.id === id)
    if (found) return found
  }
  return null
}

/** The checkpoints of the agents, without a defined order. */
export const selectCheckpointsOf = (world: World, agents: Iterable<AgentId>): CheckpointRecord[] =>
  [...agents].flatMap((agent) => world.checkpoints[agent] ?? [])

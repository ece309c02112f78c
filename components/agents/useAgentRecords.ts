import { useRecords, useRow, useViewStatus } from '@/client'
import { useMe } from '@/client/account/session'
import type { AgentId } from '@/lib/mas/ids'
import { EMPTY_WORK } from '@/lib/mas/steps/work'
import { selectWorkingState } from '@/lib/mas/team/agents'
import type { Chip } from '@/lib/wire/rows'

/** An agent or a person with what they do and know. out: agent undefined: status says why; row null: the reader has no list of all */
export function useAgentRecords(id: AgentId) {
  const view = `agent:${id}` as const
  const status = useViewStatus(view)
  const {
    agent,
    work = EMPTY_WORK,
    memory = [],
    steps,
    state,
  } = useRecords(view, (world) => ({
    agent: world.agents[id],
    work: world.work[id],
    memory: world.memory[id],
    steps: world.steps,
    state: selectWorkingState(world, id),
  }))
  // Participants have no view of all agents: what this one's own records say has to do.
  const isWatcher = useMe()?.person.access !== 'participant'
  const row = useRow(isWatcher ? 'agents' : null, id)
  const own: Chip = agent?.paused ? 'blocked' : work.locks[0] ? 'waiting' : work.running ? 'running' : 'idle'
  return { status, agent, work, memory, steps, state, isWatcher, row, chip: row?.chip ?? own }
}

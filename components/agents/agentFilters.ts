/** Which members of the team are shown. Pure; the filter is in the address. */
import type { AgentRow } from '@/lib/wire'

export const AGENT_FILTERS = ['all', 'stuck', 'running', 'idle', 'people'] as const
export type AgentFilter = (typeof AGENT_FILTERS)[number]
export const readAgentFilter = (text: string | null): AgentFilter => AGENT_FILTERS.find((one) => one === text) ?? 'all'

function fits(row: AgentRow, filter: AgentFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'stuck':
      return row.chip === 'waiting' || row.chip === 'blocked'
    case 'people':
      return row.who.kind === 'human'
    case 'running':
    case 'idle':
      return row.chip === filter && row.who.kind !== 'human'
  }
}

export function filterAgents(
  rows: readonly AgentRow[],
  { text, filter }: { text: string; filter: AgentFilter },
): AgentRow[] {
  const words = text
    .toLocaleLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  return rows.filter((row) => {
    if (!fits(row, filter)) return false
    const said = [row.who.name, row.who.role, ...row.tasks.map((task) => task.name)].join('\n').toLocaleLowerCase()
    return words.every((word) => said.includes(word))
  })
}

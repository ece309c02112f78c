/** Which row view is computed by what, for a class of viewers as server/monitor/scopes.ts writes it. */
import type { AgentId } from '@/lib/mas/ids'
import type { ParsedRowView } from '@/lib/wire/views'
import { agentsRows } from './agents'
import { directRows } from './direct'
import { meRows } from './me'
import { overviewRows } from './overview'
import type { RowSource } from './source'
import { timelineRows } from './timeline'
import { treeRows } from './tree'
import { waitRows } from './waitRows'

export function rowSourceOf(view: ParsedRowView, scopeKey: string): RowSource {
  const [first = '', person = ''] = scopeKey.split(':')
  const reach = first === 'all' ? 'all' : 'own'
  switch (view.kind) {
    case 'me':
      return meRows(reach, person as AgentId)
    case 'overview':
      return overviewRows(reach, person as AgentId)
    case 'agents':
      return agentsRows()
    case 'waits':
      return waitRows(reach, person as AgentId)
    case 'direct':
      return directRows(reach, person as AgentId)
    case 'tree':
      return treeRows(view, first === 'person' ? (person as AgentId) : null)
    case 'timeline':
      return timelineRows(view, first === 'person' ? (person as AgentId) : null)
  }
}

import { describe, expect, it } from 'vitest'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { AgentRow } from '@/lib/wire'
import { filterAgents, readAgentFilter } from './index'

const row = (name: string, change: Partial<AgentRow> = {}): AgentRow => ({
  id: name,
  sort: name,
  kind: 'agent',
  agent: name as AgentId,
  who: { id: name as AgentId, name, kind: 'llm', role: 'builder', manager: false, access: 'none' },
  state: 'idle',
  chip: 'idle',
  paused: null,
  now: null,
  waitsFor: [],
  since: null,
  queue: 0,
  tasks: [],
  tokens: null,
  costUsd: null,
  ...change,
})

describe('the team that is shown', () => {
  const team = [
    row('Coder', { chip: 'waiting', tasks: [{ id: 't' as TaskId, name: 'Price page' }] }),
    row('Tester', { chip: 'blocked' }),
    row('Ana', {
      who: { id: 'Ana' as AgentId, name: 'Ana', kind: 'human', role: 'operator', manager: false, access: 'operator' },
    }),
  ]
  const names = (text: string, filter: string) =>
    filterAgents(team, { text, filter: readAgentFilter(filter) }).map(({ who }) => who.name)

  it('is found by name, role and task, and by what stands still', () => {
    expect(names('price', 'all')).toEqual(['Coder'])
    expect(names('BUILDER test', 'all')).toEqual(['Tester'])
    expect(names('', 'stuck')).toEqual(['Coder', 'Tester'])
    expect(names('', 'people')).toEqual(['Ana'])
    // A person who is asked nothing is not an idle agent.
    expect(names('', 'idle')).toEqual([])
  })

  it('takes a filter that it does not know for none', () => {
    expect(readAgentFilter('nonsense')).toBe('all')
  })
})

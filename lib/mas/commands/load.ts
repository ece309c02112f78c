/** Labelled load for benches and demonstrations of scale: a task whose agents only count, never shown as work. */

import type { AgentId } from '../ids'
import type { AgentConfig } from '../records'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { planCounting } from './loadSteps'
import { addStages } from './stages'
import { addTask } from './tasks'

const loadAgent = (id: AgentId, name: string): AgentConfig => ({
  id,
  configId: name,
  kind: 'llm',
  name,
  role: 'load',
  profile: 'Counts, for a measurement.',
  groups: [],
  manager: false,
  mayWait: false,
  model: 'load',
  skills: ['all'],
  tools: [],
  access: 'none',
})

export function addLoad(draft: DecisionContext, wish: CommandOf<'addLoad'>): { task: string; agents: AgentId[] } {
  const agents = Array.from({ length: wish.agents }, () => draft.id<AgentId>())
  agents.forEach((agent, index) => {
    draft.emit('agent.created', { agent, config: loadAgent(agent, `${wish.name} ${index + 1}`), runtime: true })
  })
  const [manager] = agents
  if (manager === undefined) return { task: '', agents }
  const task = addTask(draft, {
    name: wish.name,
    intention: wish.name,
    manager,
    members: agents,
    requestedBy: null,
    requestedIn: null,
    load: true,
  })
  const record = draft.world.tasks[task]
  if (!record) return { task, agents }
  const allocation = Object.fromEntries(agents.map((agent) => [agent, wish.name]))
  const [stage = null] = addStages(draft, record, [{ intention: wish.name, allocation }], null)
  if (stage !== null) draft.emit('stage.started', { task, stage })
  for (const agent of agents) planCounting(draft, { task, stage, thread: null, agent }, 1, wish.stepsPerAgent)
  return { task, agents }
}

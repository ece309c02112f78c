/** Labelled load for benches and demonstrations of scale: a task whose agents only count, never shown as work. */

import type { AgentId } from '../ids'
import type { AgentConfig } from '../records'
import type { CommandOf } from './command'
import type { DecisionContext } from './decisionContext'
import { addTask } from './effects/tasks'
import { planCounting } from './steps/loadSteps'
import { addStages } from './tasks/stages'

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

export function addLoad(context: DecisionContext, command: CommandOf<'addLoad'>): { task: string; agents: AgentId[] } {
  const agents = Array.from({ length: command.agents }, () => context.id<AgentId>())
  agents.forEach((agent, index) => {
    context.emit('agent.created', { agent, config: loadAgent(agent, `${command.name} ${index + 1}`), runtime: true })
  })
  const [manager] = agents
  if (manager === undefined) return { task: '', agents }
  const task = addTask(context, {
    name: command.name,
    intention: command.name,
    manager,
    members: agents,
    requestedBy: null,
    requestedIn: null,
    load: true,
  })
  const record = context.world.tasks[task]
  if (!record) return { task, agents }
  const allocation = Object.fromEntries(agents.map((agent) => [agent, command.name]))
  const [stage = null] = addStages(context, record, [{ intention: command.name, allocation }], null)
  if (stage !== null) context.emit('stage.started', { task, stage })
  for (const agent of agents) planCounting(context, { task, stage, thread: null, agent }, 1, command.stepsPerAgent)
  return { task, agents }
}

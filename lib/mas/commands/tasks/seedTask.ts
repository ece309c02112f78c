/** A task that a program makes at once, with agents of its own and one stage in which each of them has a part. */
import type { AgentId, TaskId } from '../../ids'
import { type AgentConfig, PLAIN_AGENT } from '../../records'
import { workShareKey } from '../../selectors/agents/limits'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { addTask } from '../effects/tasks'
import { addStages, startNext } from './stages'

/**
 * Make the agents, the task and its stage, and start the stage. The first agent manages the task.
 *
 * in      command.agents: at least one; command.steps: how many steps each may run beyond the team's limit for a part
 * out     the ids of the task and of its agents, in their order
 * faults  an Error without agents: only programs send this command
 */
export function seedTask(
  context: DecisionContext,
  { name, goal, agents: specs, steps }: CommandOf<'seedTask'>,
): { task: TaskId; agents: AgentId[] } {
  const agents = specs.map((spec) => {
    const agent = context.id<AgentId>()
    context.emit('agent.created', { agent, config: configOf(agent, spec), runtime: true })
    return agent
  })
  const [manager] = agents
  if (manager === undefined) throw new Error('a task was seeded without agents')
  const task = addTask(context, {
    name,
    intention: goal,
    manager,
    members: agents,
  })
  const record = context.world.tasks[task]
  if (record === undefined) throw new Error('a seeded task is not there')
  const allocation = Object.fromEntries(agents.map((agent) => [agent, goal]))
  const [stage = null] = addStages(context, record, [{ intention: goal, allocation }], null)
  for (const agent of agents) {
    const key = workShareKey({ agent, stage, thread: null })
    context.emit('budget.extended', { task, key, of: agent, limit: 'steps', more: steps })
  }
  startNext(context, task)
  return { task, agents }
}

const configOf = (id: AgentId, { name, ...spec }: CommandOf<'seedTask'>['agents'][number]): AgentConfig => ({
  ...PLAIN_AGENT,
  ...spec,
  id,
  configId: name,
  kind: 'llm',
  name,
  skills: ['all'],
})

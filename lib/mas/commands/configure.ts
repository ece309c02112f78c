/**
 * Apply the configuration file: it wins for what it names; what was made at run time stays.
 */

import type { StageId } from '../ids'
import type { AgentConfig, AgentRecord, Json } from '../records'
import { selectStep } from '../selectors/agents'
import { isStepOver } from '../statuses'
import type { CommandOf } from './command'
import type { DecisionContext } from './decisionContext'
import { cancelStep } from './effects/endings'
import { addParticipants } from './effects/tasks'
import { applyPeers } from './outside/outsideAgents'
import { removeAgent } from './tasks/members'
import { afterStep } from './tasks/parts'

export function applyConfig(
  context: DecisionContext,
  { team, agents, baseTask, peers = [] }: CommandOf<'applyConfig'>,
): void {
  if (!isSame(team, context.world.team)) context.emit('config.applied', { team })
  for (const config of agents) applyAgent(context, config)
  const named = new Set(agents.map((config) => config.id))
  for (const agent of Object.values(context.world.agents)) {
    if (agent.configId !== null && !named.has(agent.id) && !agent.removed) retire(context, agent)
  }
  ensureBaseTask(context, agents, baseTask)
  applyPeers(context, peers)
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const configOf = ({
  paused: _,
  removed: __,
  createdAt: ___,
  ...rest
}: AgentRecord): Omit<AgentRecord, 'paused' | 'removed' | 'createdAt'> => rest

function applyAgent(context: DecisionContext, config: AgentConfig): void {
  const known = context.world.agents[config.id]
  if (!known) {
    context.emit('agent.created', { agent: config.id, config, runtime: false })
    return
  }
  if (known.access !== config.access) context.emit('human.accessChanged', { agent: config.id, access: config.access })
  if (known.removed || !isSame(sorted(configOf(known)), sorted({ ...config }))) {
    context.emit('agent.changed', { agent: config.id, config })
    dropForbiddenCalls(context, config)
  }
}

/** Planned calls that the agent may no longer make. */
function dropForbiddenCalls(context: DecisionContext, { id, name, tools }: AgentConfig): void {
  for (const { task, step } of context.world.work[id]?.todo ?? []) {
    const planned = selectStep(context.world, task, id, step)
    if (planned?.type !== 'tool' || isStepOver(planned) || tools.includes(planned.executor)) continue
    cancelStep(context, planned, null, context.say('noLongerAllowed', { name, server: planned.executor }))
    afterStep(context, planned)
  }
}

/** Keys in one order, so that two records can be compared as text. */
const sorted = (record: { [key: string]: Json }): Json =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => key !== 'access')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** A person who was removed from the file loses access at once and leaves every task. */
function retire(context: DecisionContext, agent: AgentRecord): void {
  if (agent.access !== 'none') context.emit('human.accessChanged', { agent: agent.id, access: 'none' })
  removeAgent(context, agent.id, context.say('leftTeam', { name: agent.name }))
}

/** The base task holds the managers and all people, always has a running stage, and never ends. */
function ensureBaseTask(
  context: DecisionContext,
  agents: AgentConfig[],
  command: CommandOf<'applyConfig'>['baseTask'],
): void {
  const managers = agents.filter((agent) => agent.manager).map((agent) => agent.id)
  const people = agents.filter((agent) => agent.kind === 'human').map((agent) => agent.id)
  const [manager] = managers
  if (manager === undefined) return
  const known = context.world.baseTask === null ? undefined : context.world.tasks[context.world.baseTask]
  if (!known) {
    context.emit('task.added', {
      task: command.id,
      name: command.name,
      intention: command.intention,
      manager,
      group: [...managers, ...people],
      base: true,
      requestedBy: null,
      requestedIn: null,
      load: false,
    })
    context.emit('task.started', { task: command.id })
    const stage = context.id<StageId>()
    const allocation = Object.fromEntries(managers.map((id) => [id, command.intention]))
    context.emit('stage.added', {
      task: command.id,
      stage,
      intention: command.intention,
      allocation,
      after: null,
      retryOf: null,
    })
    context.emit('stage.started', { task: command.id, stage })
    return
  }
  if (known.manager !== manager) context.emit('task.managerChanged', { task: known.id, agent: manager })
  addParticipants(context, known.id, [...managers, ...people])
}

/**
 * The configuration file against the world: the file wins for what it names; what was made at run time stays.
 */

import type { StageId } from '../ids'
import type { AgentConfig, AgentRecord, Json } from '../records'
import { isStepOver, selectStep } from '../selectors/agents'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { cancelStep } from './endings'
import { removeAgent } from './members'
import { applyPeers } from './outsideAgents'
import { afterStep } from './parts'
import { addParticipants } from './tasks'

export function applyConfig(draft: DecisionContext, { team, agents, baseTask, peers = [] }: CommandOf<'applyConfig'>): void {
  if (!isSame(team, draft.world.team)) draft.emit('config.applied', { team })
  for (const config of agents) applyAgent(draft, config)
  const named = new Set(agents.map((config) => config.id))
  for (const agent of Object.values(draft.world.agents)) {
    if (agent.configId !== null && !named.has(agent.id) && !agent.removed) retire(draft, agent)
  }
  ensureBaseTask(draft, agents, baseTask)
  applyPeers(draft, peers)
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const configOf = ({
  paused: _,
  removed: __,
  createdAt: ___,
  ...rest
}: AgentRecord): Omit<AgentRecord, 'paused' | 'removed' | 'createdAt'> => rest

function applyAgent(draft: DecisionContext, config: AgentConfig): void {
  const known = draft.world.agents[config.id]
  if (!known) {
    draft.emit('agent.created', { agent: config.id, config, runtime: false })
    return
  }
  if (known.access !== config.access) draft.emit('human.accessChanged', { agent: config.id, access: config.access })
  if (known.removed || !isSame(sorted(configOf(known)), sorted({ ...config }))) {
    draft.emit('agent.changed', { agent: config.id, config })
    dropForbiddenCalls(draft, config)
  }
}

/** Calls that were planned while the agent was still allowed to make them. */
function dropForbiddenCalls(draft: DecisionContext, { id, name, tools }: AgentConfig): void {
  for (const { task, step } of draft.world.work[id]?.todo ?? []) {
    const planned = selectStep(draft.world, task, id, step)
    if (planned?.type !== 'tool' || isStepOver(planned) || tools.includes(planned.executor)) continue
    cancelStep(draft, planned, null, draft.say('noLongerAllowed', { name, server: planned.executor }))
    afterStep(draft, planned)
  }
}

/** Keys in one order, so that two records can be compared as text. */
const sorted = (record: { [key: string]: Json }): Json =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => key !== 'access')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Gone from the file: a person loses access at once, and nothing of theirs stays open in any task. */
function retire(draft: DecisionContext, agent: AgentRecord): void {
  if (agent.access !== 'none') draft.emit('human.accessChanged', { agent: agent.id, access: 'none' })
  removeAgent(draft, agent.id, draft.say('leftTeam', { name: agent.name }))
}

/** The base task holds the managers and all people, always has a running stage, and never ends. */
function ensureBaseTask(draft: DecisionContext, agents: AgentConfig[], wish: CommandOf<'applyConfig'>['baseTask']): void {
  const managers = agents.filter((agent) => agent.manager).map((agent) => agent.id)
  const people = agents.filter((agent) => agent.kind === 'human').map((agent) => agent.id)
  const [manager] = managers
  if (manager === undefined) return
  const known = draft.world.baseTask === null ? undefined : draft.world.tasks[draft.world.baseTask]
  if (!known) {
    draft.emit('task.added', {
      task: wish.id,
      name: wish.name,
      intention: wish.intention,
      manager,
      group: [...managers, ...people],
      base: true,
      requestedBy: null,
      requestedIn: null,
      load: false,
    })
    draft.emit('task.started', { task: wish.id })
    const stage = draft.id<StageId>()
    const allocation = Object.fromEntries(managers.map((id) => [id, wish.intention]))
    draft.emit('stage.added', {
      task: wish.id,
      stage,
      intention: wish.intention,
      allocation,
      after: null,
      retryOf: null,
    })
    draft.emit('stage.started', { task: wish.id, stage })
    return
  }
  if (known.manager !== manager) draft.emit('task.managerChanged', { task: known.id, agent: manager })
  addParticipants(draft, known.id, [...managers, ...people])
}

/** Applies the configuration file; a change made in the page stays until the file changes (setupMerge.ts). */
import { isSameValue } from '@/lib/json'
import type { StageId } from '../ids'
import type { AgentConfig, AgentRecord } from '../records'
import { agentConfigOf, agentSetupOf, humanConfigOf, humanSetupOf, selectSetup, teamWith } from '../selectors/setup'
import { type AgentSetup, DEFAULT_MODEL, type HumanSetup, TEAM_ID } from '../setupRecords'
import { applyAgent } from './applyAgent'
import type { CommandOf } from './command'
import type { DecisionContext } from './decisionContext'
import { addParticipants } from './effects/tasks'
import { applyPeers, withAgentsGuide } from './outside/outsideAgents'
import { readSetup, tellDisagreements } from './setup/readSetup'
import { removeAgent } from './tasks/members'

/** Aligns the team with the configuration; the same one again changes nothing. Throws NO_PEER. */
export function applyConfig(context: DecisionContext, command: CommandOf<'applyConfig'>): void {
  const { team, agents, baseTask, models, tools, peers = [] } = command
  const disagreements = readSetup(context, {
    team: { [TEAM_ID]: { model: team.model ?? DEFAULT_MODEL } },
    agent: agentsOfFile(command),
    human: humansOfFile(command),
    ...(models === undefined ? {} : { model: models }),
    ...(tools === undefined ? {} : { tool: tools }),
  })
  const applied = withAgentsGuide(context, teamWith(context.world, team))
  if (!isSameValue(applied, context.world.team)) context.emit('config.applied', { team: applied })
  const members = [...startedAgents(context, agents), ...peopleOf(context, agents)]
  for (const config of members) applyAgent(context, config)
  const named = new Set(members.map((config) => config.id))
  for (const agent of Object.values(context.world.agents)) {
    if (agent.configId !== null && !named.has(agent.id) && !agent.removed) retire(context, agent)
  }
  ensureBaseTask(context, members, baseTask)
  applyPeers(context, peers)
  tellDisagreements(context, disagreements)
}

function agentsOfFile({ agents, team }: CommandOf<'applyConfig'>): Record<string, AgentSetup> {
  const started = agents.filter(({ kind }) => kind === 'llm')
  return Object.fromEntries([
    ...started.map((config) => [config.configId, agentSetupOf(config, true)] as const),
    ...team.startable.map((config) => [config.configId, agentSetupOf(config, false)] as const),
  ])
}

const humansOfFile = ({ agents }: CommandOf<'applyConfig'>): Record<string, HumanSetup> =>
  Object.fromEntries(
    agents.filter(({ kind }) => kind === 'human').map((config) => [config.configId, humanSetupOf(config)] as const),
  )

/** Those of the file first, in its order: the first manager among them manages the base task. */
function startedAgents({ world }: DecisionContext, file: readonly AgentConfig[]): AgentConfig[] {
  return inOrderOf(
    file,
    [...selectSetup(world, 'agent')].filter(([, { start }]) => start),
  ).map(([id, value]) => agentConfigOf(id, value))
}

/** People of the file in its order, then those who were invited in the page. */
const peopleOf = ({ world }: DecisionContext, file: readonly AgentConfig[]): AgentConfig[] =>
  inOrderOf(file, [...selectSetup(world, 'human')]).map(([id, value]) => humanConfigOf(id, value))

function inOrderOf<Value>(file: readonly AgentConfig[], records: readonly [string, Value][]): [string, Value][] {
  const order = new Map(file.map(({ configId }, index) => [configId, index]))
  const placeOf = (id: string): number => order.get(id) ?? order.size
  return [...records].sort(([a], [b]) => placeOf(a) - placeOf(b))
}

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

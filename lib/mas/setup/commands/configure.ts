/** Applies the configuration file; a change made in the page stays until the file changes (mergeSetup). */

import { isSameValue } from '@/lib/json'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { StageId } from '../../ids'
import { withLimitsApplied } from '../../limits/commands/limits'
import { memberTraits } from '../../members/traits'
import { notice } from '../../messages/commands/deliverToPerson'
import { applyPeers, withAgentsGuide } from '../../outside/commands/outsideAgents'
import type { AgentConfig } from '../../records'
import { selectOperators } from '../../stages/judge'
import { addParticipants } from '../../tasks/commands/addTask'
import { applyAgent } from '../../team/commands/applyAgent'
import { leaveTeamNow } from '../../team/commands/members'
import {
  agentConfigOf,
  agentSetupOf,
  budgetSetups,
  humanConfigOf,
  humanSetupOf,
  selectSetup,
  selectSetupRecord,
  setupName,
  teamWith,
} from '../setup'
import {
  type AgentSetup,
  DEFAULT_MODEL,
  type HumanSetup,
  mergeSetup,
  type SetupEntry,
  type SetupFile,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
  type SetupVerdict,
  TEAM_ID,
} from '../setupRecords'

/** Aligns the team with the configuration; the same one again changes nothing. Throws NO_PEER. */
export function applyConfig(context: DecisionContext, command: CommandOf<'applyConfig'>): void {
  withLimitsApplied(context, () => alignTeam(context, command))
}

function alignTeam(context: DecisionContext, command: CommandOf<'applyConfig'>): void {
  const { team, agents, baseTask, models, tools, peers = [] } = command
  const disagreements = readSetup(context, {
    budget: budgetSetups(team.limits),
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
    if (agent.configId !== null && !named.has(agent.id) && !agent.removed) leaveTeamNow(context, agent)
  }
  ensureBaseTask(context, members, baseTask)
  applyPeers(context, peers)
  tellDisagreements(context, disagreements)
}

function agentsOfFile({ agents, team }: CommandOf<'applyConfig'>): Record<string, AgentSetup> {
  const started = agents.filter((agent) => memberTraits(agent).runsSteps)
  return Object.fromEntries([
    ...started.map((config) => [config.configId, agentSetupOf(config, true)] as const),
    ...team.startable.map((config) => [config.configId, agentSetupOf(config, false)] as const),
  ])
}

const humansOfFile = ({ agents }: CommandOf<'applyConfig'>): Record<string, HumanSetup> =>
  Object.fromEntries(
    agents
      .filter((agent) => memberTraits(agent).isAsked)
      .map((config) => [config.configId, humanSetupOf(config)] as const),
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

/** The base task holds the managers and all people, always has a running stage, and never ends. */
function ensureBaseTask(
  context: DecisionContext,
  agents: AgentConfig[],
  command: CommandOf<'applyConfig'>['baseTask'],
): void {
  const managers = agents.filter((agent) => agent.manager).map((agent) => agent.id)
  const people = agents.filter((agent) => memberTraits(agent).isAsked).map(({ id }) => id)
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

/** A change of the page that the file overrode. */
type Disagreement = { name: string; verdict: Extract<SetupVerdict, 'overruled' | 'removed'> }

/** out: the notices for operators */
function readSetup(context: DecisionContext, file: Partial<SetupFile>): Disagreement[] {
  return [
    ...(['team', 'budget', 'model', 'tool', 'agent'] as const).flatMap((kind) =>
      readKind(context, kind, file[kind] ?? {}),
    ),
    ...(file.human === undefined ? [] : [...readKind(context, 'human', file.human), ...ensureOperator(context)]),
  ]
}

/** The page made participants of the file's operators, and whom it made one instead the file names no more: the file counts. */
function ensureOperator(context: DecisionContext): Disagreement[] {
  if ([...selectSetup(context.world, 'human').values()].some(({ access }) => access === 'operator')) return []
  const records: SetupRecord<HumanSetup>[] = Object.values(context.world.setup.human)
  const named = records.find(({ file }) => file?.access === 'operator')
  if (!named?.file) return []
  context.emit('setup.read', { entry: { kind: 'human', id: named.id, value: named.file }, verdict: 'overruled' })
  return [{ name: named.file.name, verdict: 'overruled' }]
}

function readKind<Kind extends SetupKind>(
  context: DecisionContext,
  kind: Kind,
  file: Record<string, SetupValues[Kind]>,
): Disagreement[] {
  const ids = new Set([...Object.keys(file), ...Object.keys(context.world.setup[kind])])
  return [...ids].flatMap((id) => {
    const value = Object.hasOwn(file, id) ? (file[id] ?? null) : null
    const known = selectSetupRecord(context.world, kind, id)
    const verdict = mergeSetup(known, value)
    if (verdict === 'same') return []
    const entry = { kind, id, value } as SetupEntry<Kind>
    const name = setupName({ ...entry, value: value ?? known?.file ?? known?.page?.value ?? null } as SetupEntry)
    context.emit('setup.read', { entry: entry as SetupEntry, verdict })
    return verdict === 'file' ? [] : [{ name, verdict }]
  })
}

/** Gives each operator a notice of each, in the base task; without a base task there is no notice. */
function tellDisagreements(context: DecisionContext, disagreements: readonly Disagreement[]): void {
  const { baseTask } = context.world
  if (baseTask === null) return
  const operators = selectOperators(context.world)
  for (const { name, verdict } of disagreements) {
    const kind = verdict === 'overruled' ? 'setup_overruled' : 'setup_stays_out'
    const about = { task: baseTask, stage: null, message: null }
    for (const operator of operators) notice(context, operator, kind, about, { who: name })
  }
}

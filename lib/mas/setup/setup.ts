/** What counts of the file and the page together. */
import { BUDGET_KINDS, BUDGETS } from '../limits/budgets'
import { type AgentConfig, type Limits, PLAIN_AGENT, type TeamRecord, type World } from '../records'
import { MODEL_PRESETS } from './modelPresets'
import {
  type AgentSetup,
  DEFAULT_MODEL,
  effectiveOf,
  type HumanSetup,
  type KeyRef,
  type Setup,
  type SetupEntry,
  type SetupFile,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
  TEAM_ID,
} from './setupRecords'

/** What there is of that kind, by id, in the order in which it was first known. */
export const selectSetup = <Kind extends SetupKind>(
  world: Pick<World, 'setup'>,
  kind: Kind,
): Map<string, SetupValues[Kind]> => {
  const records: Setup[Kind] = world.setup[kind]
  return new Map(
    Object.values<SetupRecord<SetupValues[Kind]>>(records).flatMap((record) => {
      const value = effectiveOf(record)
      return value === null ? [] : [[record.id, value] as const]
    }),
  )
}

export const selectSetupRecord = <Kind extends SetupKind>(
  world: Pick<World, 'setup'>,
  kind: Kind,
  id: string,
): SetupRecord<SetupValues[Kind]> | undefined => {
  const records: Setup[Kind] = world.setup[kind]
  return Object.hasOwn(records, id) ? records[id] : undefined
}

/** The model of agents that name none: as the page or the file says, else the one of that name. */
export const selectDefaultModel = (world: Pick<World, 'setup'>): string =>
  selectSetup(world, 'team').get(TEAM_ID)?.model ?? DEFAULT_MODEL

/** The team's limits with its budgets as the page or the file says. */
function limitsWith(world: Pick<World, 'setup'>, limits: Limits): Limits {
  const budgets = selectSetup(world, 'budget')
  const known = BUDGET_KINDS.flatMap((kind) => {
    const { key, set } = BUDGETS[kind]
    const value = budgets.get(key)
    return value === undefined ? [] : [[set, value.limit] as const]
  })
  return { ...limits, ...Object.fromEntries(known) }
}

/** The budgets of the file, each by its key. */
export const budgetSetups = (limits: Limits): SetupFile['budget'] =>
  Object.fromEntries(BUDGET_KINDS.map((kind) => [BUDGETS[kind].key, { limit: limits[BUDGETS[kind].set] ?? null }]))

export function agentSetupOf(
  { id, configId: _, kind: __, access: ___, outside: ____, ...rest }: AgentConfig,
  start: boolean,
): AgentSetup {
  return { ...rest, agent: id, start }
}

export function agentConfigOf(configId: string, { agent, start: _, ...rest }: AgentSetup): AgentConfig {
  return { ...rest, id: agent, configId, kind: 'llm', access: 'none' }
}

export const humanSetupOf = ({ id, name, role, profile, groups, tools, access }: AgentConfig): HumanSetup => ({
  agent: id,
  name,
  role,
  profile,
  groups,
  tools,
  access,
})

export const humanConfigOf = (configId: string, { agent, ...rest }: HumanSetup): AgentConfig => ({
  ...PLAIN_AGENT,
  ...rest,
  id: agent,
  configId,
  kind: 'human',
})

/** The team's record with what the page made of its budgets, models, tools and agents. */
export function teamWith(world: Pick<World, 'setup'>, team: TeamRecord): TeamRecord {
  const models = selectSetup(world, 'model')
  const tools = selectSetup(world, 'tool')
  const known = Object.keys(world.setup.tool)
  const others = Object.entries(team.toolGuides).filter(([name]) => !known.includes(name))
  const startable = [...selectSetup(world, 'agent')].flatMap(([id, value]) =>
    value.start ? [] : [agentConfigOf(id, value)],
  )
  return {
    ...team,
    limits: limitsWith(world, team.limits),
    startable,
    toolGuides: Object.fromEntries([...[...tools].map(([name, { guide }]) => [name, guide] as const), ...others]),
    ...(Object.keys(world.setup.model).length === 0
      ? {}
      : {
          models: [...new Set([DEFAULT_MODEL, ...models.keys(), ...notOfSetup(world, team)])],
          model: selectDefaultModel(world),
          rehearsal: isRehearsed(world),
        }),
  }
}

/** The built-in program plays every agent: nobody uses another model, though there may be one. */
function isRehearsed(world: Pick<World, 'setup'>): boolean {
  const models = selectSetup(world, 'model')
  const teams = selectDefaultModel(world)
  return [...selectSetup(world, 'agent').values()].every((agent) => {
    const name = agent.model === DEFAULT_MODEL ? teams : agent.model
    return models.has(name) ? models.get(name)?.provider === 'rehearsal' : name === DEFAULT_MODEL
  })
}

const notOfSetup = ({ setup }: Pick<World, 'setup'>, team: TeamRecord): string[] =>
  team.models.filter((name) => !Object.hasOwn(setup.model, name))

/** Variables that an operator may name for any address; a preset's own only for its address. */
export const KEY_VARIABLE = /^CONVENE_KEY_[A-Z0-9_]{1,100}$/

/**
 * May the value of that variable be sent there? A person who names a variable can have its value sent to an address of their choice, so
 * not every variable can be named.
 *
 * in      file: what the file sends, and where to; null: nothing
 */
export function mayBeSent(
  key: KeyRef,
  address: string | null,
  file: { key: KeyRef | null; address: string | null } | null,
): boolean {
  if ('stored' in key || KEY_VARIABLE.test(key.env)) return true
  const known = MODEL_PRESETS.some(
    ({ variable, setup }) => variable === key.env && originOf(setup.baseUrl) === originOf(address),
  )
  if (known) return true
  return (
    file?.key !== null &&
    file?.key !== undefined &&
    'env' in file.key &&
    file.key.env === key.env &&
    originOf(file.address) === originOf(address)
  )
}

/** null: it is no address. */
export const originOf = (address: string | null): string | null =>
  address !== null && URL.canParse(address) ? new URL(address).origin : null

/** The name that people know it by. */
export function setupName({ kind, id, value }: SetupEntry): string {
  return (kind === 'agent' || kind === 'human') && value !== null ? value.name : id
}

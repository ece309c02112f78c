/** A team as a file: what of this team goes into it, and what would become of a file in this team. Pure. */
import { templateFieldsOf } from '../formats/templateText'
import type { AgentId } from '../ids'
import type { AgentRecord, TemplateRecord, ToolRule, World } from '../records'
import { isSkill, SKILLS } from '../records'
import { isNameTaken } from '../team/handles'
import { PACKAGE_FORMAT, PACKAGE_RULES, PACKAGE_VERSION } from './packageForm'
import type { TeamPackage } from './schemas/teamPackage'
import { selectSetup } from './setup'
import type { AgentSetup } from './setupRecords'

type PackageAgent = TeamPackage['agents'][number]

/**
 * What of a package is otherwise here, or is left out.
 *
 * renamed   detail: its name here
 * tools     tool servers that are not here are left out; detail: their names
 * rule      its agent or tool server is not here; detail: the tool
 * address   its texts name an address in a private network, or one with a secret; detail: the address
 * manager   it manages the requests of this team
 */
export type PackageNote = {
  about: 'agent' | 'template' | 'example' | 'rule'
  name: string
  why: 'renamed' | 'tools' | 'rule' | 'address' | 'manager'
  detail: string
}

/** Agents that do not manage, live templates, and rules without an end that allow nothing. */
export function packageOf(world: World, name: string): { team: TeamPackage; notes: PackageNote[] } {
  const notes: PackageNote[] = []
  const agents = [...selectSetup(world, 'agent')].flatMap(([id, value]) => {
    const left = value.manager ? ({ why: 'manager', detail: '' } as const) : addressNote([value.role, value.profile])
    if (left !== null) notes.push({ about: 'agent', name: value.name, ...left })
    return left === null ? [{ id, value }] : []
  })
  const templates = Object.values<TemplateRecord>(world.templates).flatMap((one) => {
    if (one.removed) return []
    const left = addressNote([one.text, ...one.fields.flatMap(({ choices }) => choices)])
    if (left !== null) notes.push({ about: one.fields.length === 0 ? 'example' : 'template', name: one.name, ...left })
    return left === null ? [one] : []
  })
  const [examples, forms] = [true, false].map((isExample) =>
    templates.filter(({ fields, reviewPlans }) => (fields.length === 0 && reviewPlans !== true) === isExample),
  )
  return {
    notes,
    team: {
      format: PACKAGE_FORMAT,
      version: PACKAGE_VERSION,
      name,
      about: '',
      agents: agents.map(({ id, value }) => packedAgent(id, value)),
      templates: (forms ?? []).map(({ name, text, fields, reviewPlans }) => ({
        ...{ name, text, fields },
        reviewPlans: reviewPlans === true,
      })),
      examples: (examples ?? []).map(({ name, text }) => ({ name, text })),
      rules: agents.flatMap(({ id, value }) => packedRules(id, world.agents[value.agent])),
    },
  }
}

function packedAgent(id: string, { agent: _, model: __, manager: ___, skills, ...value }: AgentSetup): PackageAgent {
  return { ...value, id, skills: skills.includes('all') ? [...SKILLS] : skills.filter(isSkill) }
}

function packedRules(agent: string, record: AgentRecord | undefined): TeamPackage['rules'] {
  return (record?.toolRules ?? []).flatMap(({ server, tool, rule: any, endsAt }) => {
    const rule = PACKAGE_RULES.find((one) => one === any)
    return rule === undefined || endsAt !== undefined ? [] : [{ agent, server, tool, rule }]
  })
}

/** What a package would add to this team, under names that are free. */
export type PackageTaking = {
  agents: { id: string; value: AgentSetup }[]
  templates: Pick<TeamPackage['templates'][number], 'name' | 'text' | 'fields' | 'reviewPlans'>[]
  rules: { agent: AgentId; server: string; tool: string; rule: ToolRule['rule'] }[]
  notes: PackageNote[]
}

/** in: agentOf: the id in the world that follows from an id in the setup */
export function takingOf(world: World, team: TeamPackage, agentOf: (id: string) => AgentId): PackageTaking {
  const notes: PackageNote[] = []
  const agents = takenAgents(world, team.agents, agentOf, notes)
  const templates = takenTemplates(world, team, notes)
  const rules = team.rules.flatMap(({ agent: from, server, tool, rule }) => {
    const owner = agents.find((one) => one.from === from)
    // A rule needs the record of an agent that works here, and its server.
    if (owner?.value.start && owner.value.tools.includes(server))
      return [{ agent: owner.value.agent, server, tool, rule }]
    notes.push({ about: 'rule', name: owner?.value.name ?? from, why: 'rule', detail: `${server}.${tool}` })
    return []
  })
  return { agents: agents.map(({ id, value }) => ({ id, value })), templates, rules, notes }
}

type TakenAgent = { from: string; id: string; value: AgentSetup }

function takenAgents(
  world: World,
  given: readonly PackageAgent[],
  agentOf: (id: string) => AgentId,
  notes: PackageNote[],
): TakenAgent[] {
  const taken: TakenAgent[] = []
  const known = new Set(Object.keys(world.team.toolGuides))
  // Templates of agents have no record of their own.
  const names = [...selectSetup(world, 'agent').values()].map(({ name }) => name.toLowerCase())
  const isIdTaken = (id: string): boolean =>
    Object.hasOwn(world.setup.agent, id) ||
    world.agents[agentOf(id)] !== undefined ||
    taken.some((one) => one.id === id)
  const isTaken = (name: string): boolean =>
    isNameTaken(world, name) ||
    names.includes(name.toLowerCase()) ||
    taken.some(({ value }) => value.name.toLowerCase() === name.toLowerCase())
  for (const { id: from, ...agent } of given) {
    const left = addressNote([agent.role, agent.profile])
    if (left !== null) {
      notes.push({ about: 'agent', name: agent.name, ...left })
      continue
    }
    const id = free(from, (base, n) => `${base.slice(0, 60)}-${n}`, isIdTaken)
    const name = free(agent.name, (base, n) => `${base} ${n}`, isTaken)
    if (name !== agent.name) notes.push({ about: 'agent', name: agent.name, why: 'renamed', detail: name })
    const missing = agent.tools.filter((tool) => !known.has(tool))
    if (missing.length > 0) notes.push({ about: 'agent', name, why: 'tools', detail: missing.join(', ') })
    const tools = agent.tools.filter((tool) => known.has(tool))
    taken.push({ from, id, value: { ...agent, name, tools, model: 'default', manager: false, agent: agentOf(id) } })
  }
  return taken
}

function takenTemplates(world: World, team: TeamPackage, notes: PackageNote[]): PackageTaking['templates'] {
  const names = new Set(
    Object.values<TemplateRecord>(world.templates).flatMap(({ name, removed }) => (removed ? [] : [name])),
  )
  const all = [
    ...team.templates.map((one) => ({ ...one, about: 'template' as const })),
    ...team.examples.map((one) => ({ ...one, fields: [], reviewPlans: false, about: 'example' as const })),
  ]
  return all.flatMap(({ about, name: from, text, fields: given, reviewPlans }) => {
    const left = addressNote([text, ...given.flatMap(({ choices }) => choices)])
    if (left !== null) {
      notes.push({ about, name: from, ...left })
      return []
    }
    const name = free(
      from,
      (base, n) => `${base} ${n}`,
      (one) => names.has(one),
    )
    names.add(name)
    if (name !== from) notes.push({ about, name: from, why: 'renamed', detail: name })
    return [{ name, text, fields: templateFieldsOf(text, given), reviewPlans }]
  })
}

/** The name itself, or the first one with a number that is free. */
function free(
  name: string,
  withNumber: (name: string, n: number) => string,
  isTaken: (name: string) => boolean,
): string {
  let found = name
  for (let n = 2; isTaken(found); n += 1) found = withNumber(name, n)
  return found
}

/** An address that leads into a private network, or holds a name and password. */
function addressNote(texts: readonly string[]): Pick<PackageNote, 'why' | 'detail'> | null {
  const found = texts.flatMap((text) => text.match(/\bhttps?:\/\/[^\s<>"')\]]+/g) ?? []).find(isUnfitAddress)
  return found === undefined ? null : { why: 'address', detail: found }
}

const PRIVATE_HOST =
  /^(localhost|[^.]+|.+\.(local|localhost|internal|intranet|lan|home|corp)|127\..+|10\..+|192\.168\..+|169\.254\..+|172\.(1[6-9]|2\d|3[01])\..+|0\..+|\[.*\])$/i

function isUnfitAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return username !== '' || password !== '' || PRIVATE_HOST.test(hostname)
}

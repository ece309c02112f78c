/** A new agent: from a configuration, with what the manager wants otherwise. All of it is checked before anything is taken. */
import { oneLine } from '@/lib/format/plainText'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { type AgentConfig, type AgentRecord, isSkill, SKILLS, type World } from '../../records'
import { Refused } from '../../steps/commands/namedInAnswer'
import type { AgentInstruction } from '../../steps/outcome'
import { managesTask } from '../agents'
import { agentHandle, isNameTaken, namesWithHandles } from '../handles'

export type NewAgent = Extract<AgentInstruction, { action: 'init_new_agent' }>

/** Its record. Throws Refused with what would fit. */
export function makeAgent(context: DecisionContext, by: AgentId, wanted: NewAgent): AgentRecord {
  const config = context.world.team.startable.find((one) => one.configId === wanted.config_id)
  if (!config) {
    const ids = context.world.team.startable.map(({ configId }) => configId).join(', ') || '-'
    throw new Refused(`${context.say('unknownConfig', { id: wanted.config_id })} ${context.say('configsAre', { ids })}`)
  }
  if (!managesTask(context.world, by)) throw new Refused(context.say('notManager'))
  const doubts = [
    doubtName(context, wanted.name),
    doubtSkills(context, wanted.skills),
    doubtTools(context, wanted.tools),
  ]
  const why = doubts.filter((doubt) => doubt !== null).join(' ')
  if (why !== '') throw new Refused(why)
  const id = context.id<AgentId>()
  context.emit('agent.created', { agent: id, config: { ...changed(context.world, config, wanted), id }, runtime: true })
  const agent = context.world.agents[id]
  if (!agent) throw new Refused(context.say('unknownAgents', { ids: id }))
  return agent
}

function changed(world: World, config: AgentConfig, { name, role, profile, skills, tools }: NewAgent): AgentConfig {
  return {
    ...config,
    name: name === undefined ? freeName(world, config.name) : oneLine(name),
    role: role === undefined ? config.role : oneLine(role),
    profile: profile ?? config.profile,
    skills: skills ?? config.skills,
    tools: tools ?? config.tools,
  }
}

/** `Helper`, `Helper 2`, … */
function freeName(world: World, name: string): string {
  let free = name
  for (let n = 2; isNameTaken(world, free); n += 1) free = `${name} ${n}`
  return free
}

function doubtName(context: DecisionContext, name: string | undefined): string | null {
  const { world } = context
  if (name === undefined || !isNameTaken(world, oneLine(name))) return null
  const present = Object.values(world.agents).filter((agent: AgentRecord) => !agent.removed)
  const names = namesWithHandles(world, present)
  return context.say('nameTaken', { name: oneLine(name), names, free: freeName(world, oneLine(name)) })
}

function doubtSkills(context: DecisionContext, skills: string[] | undefined): string | null {
  const unknown = (skills ?? []).filter((name) => name !== 'all' && !isSkill(name))
  if (unknown.length === 0) return null
  return context.say('unknownSkills', { names: unknown.join(', '), known: ['all', ...SKILLS].join(', ') })
}

function doubtTools(context: DecisionContext, tools: string[] | undefined): string | null {
  const known = Object.keys(context.world.team.toolGuides)
  const unknown = (tools ?? []).filter((name) => !known.includes(name))
  if (unknown.length === 0) return null
  return context.say('unknownTools', { names: unknown.join(', '), known: known.join(', ') || '-' })
}

/** What the instruction's result says of the new agent. */
export const saidOfNew = (world: World, agent: AgentRecord): { [key: string]: string | string[] } => ({
  agent_id: agentHandle(world, agent),
  name: agent.name,
  role: agent.role,
  skills: agent.skills,
  tools: agent.tools,
})

import { oneLine } from '@/lib/format/plainText'
import { escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, SkillName, World } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import { agentHandle } from '@/lib/mas/selectors/agents/handles'
import type { LanguagePrompts } from '../prompts'

/** The skills of an agent; `all` in its list means every one. */
export const allowedSkills = (agent: AgentRecord): SkillName[] =>
  agent.skills.includes('all') ? [...SKILLS] : SKILLS.filter((name) => agent.skills.includes(name))

const line = (text: string): string => escapeTags(oneLine(text))

/** Managers of tasks, cached per state of the tasks: there are more prompts than changes. */
const managing = new WeakMap<World['tasks'], ReadonlySet<AgentId>>()

function managersIn(tasks: World['tasks']): ReadonlySet<AgentId> {
  const known = managing.get(tasks)
  if (known) return known
  const managers = new Set(Object.values(tasks).flatMap((task) => (task.conversation ? [] : [task.manager])))
  managing.set(tasks, managers)
  return managers
}

/** Does the agent manage a task, or may it? */
export const isManager = (world: World, agent: AgentRecord): boolean =>
  agent.manager || managersIn(world.tasks).has(agent.id)

type Written = { manages: boolean; guides: World['team']['toolGuides']; handle: string; text: string }

/** Cached until the agent or the team changes. */
const written = new WeakMap<AgentRecord, Written>()

/** The lines of the section agent_role. */
export function writeRole(world: World, agent: AgentRecord): string {
  const manages = isManager(world, agent)
  const guides = world.team.toolGuides
  const handle = agentHandle(world, agent)
  const last = written.get(agent)
  if (last?.manages === manages && last.guides === guides && last.handle === handle) return last.text
  const text = [
    `name: ${line(agent.name)}`,
    `id: ${line(handle)}`,
    `role: ${line(agent.role)}`,
    `profile: ${line(agent.profile)}`,
    `manages: ${manages ? 'yes' : 'no'}`,
    'tools:',
    ...agent.tools.map((name) => `- ${line(name)}: ${line(guides[name] ?? '')}`),
  ].join('\n')
  written.set(agent, { manages, guides, handle, text })
  return text
}

/** Skills that only the runtime adds, or that only reflection may plan at the end of a part. */
const NEVER_PLANNED: readonly SkillName[] = [
  'planning',
  'instruction_generation',
  'tool_decision',
  'process_message',
  'summary',
]
const FOR_MANAGERS: readonly SkillName[] = ['task_manager', 'agent_manager']

export const plannableSkills = (world: World, agent: AgentRecord): SkillName[] =>
  allowedSkills(agent).filter(
    (name) => !NEVER_PLANNED.includes(name) && (isManager(world, agent) || !FOR_MANAGERS.includes(name)),
  )

/** The skills and tools that this agent may plan; names only, unless the step plans. */
export function writeSkills(world: World, agent: AgentRecord, prompts: LanguagePrompts, plans: boolean): string {
  const skills = plannableSkills(world, agent)
  return [
    ...(plans
      ? ['skills:', ...skills.map((name) => `- ${name}: ${prompts.skills[name].guide}`)]
      : [`skills: ${skills.join(', ')}`]),
    `tools: ${agent.tools.map(line).join(', ') || 'none'}`,
  ].join('\n')
}

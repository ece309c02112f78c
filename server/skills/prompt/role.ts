import { oneLine } from '@/lib/format/plainText'
import { escapeTags } from '@/lib/mas/formats'
import type { AgentRecord, SkillName, World } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import { agentHandle } from '@/lib/mas/team/handles'
import type { LanguagePrompts } from '../prompts'

/** The skills of an agent; `all` in its list means every one. */
export const allowedSkills = (agent: AgentRecord): SkillName[] =>
  agent.skills.includes('all') ? [...SKILLS] : SKILLS.filter((name) => agent.skills.includes(name))

/** A text on one line, escaped. */
export const line = (text: string): string => escapeTags(oneLine(text))

/** The kind of an agent as prompts name it. */
export const kindOf = (agent: AgentRecord | undefined): 'person' | 'agent' | 'outside' =>
  agent?.kind === 'human' ? 'person' : agent?.kind === 'outside' ? 'outside' : 'agent'

/** Does the agent manage a task, or may it? */
export const isManager = (world: World, agent: AgentRecord): boolean =>
  agent.manager || Object.values(world.tasks).some((task) => task.manager === agent.id && !task.conversation)

/** The lines of the section agent_role. */
export const writeRole = (world: World, agent: AgentRecord): string =>
  [
    `name: ${line(agent.name)}`,
    `id: ${line(agentHandle(world, agent))}`,
    `role: ${line(agent.role)}`,
    `profile: ${line(agent.profile)}`,
    `manages: ${isManager(world, agent) ? 'yes' : 'no'}`,
    'tools:',
    ...agent.tools.map((name) => `- ${line(name)}: ${line(world.team.toolGuides[name] ?? '')}`),
  ].join('\n')

/** Skills that only the runtime adds, or that only reflection may plan at the end of a part. */
const NEVER_PLANNED: readonly SkillName[] = [
  'planning',
  'instruction_generation',
  'tool_decision',
  'process_message',
  'summary',
]
export const FOR_MANAGERS: readonly SkillName[] = ['task_manager', 'agent_manager']

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

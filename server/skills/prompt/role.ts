import { escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, SkillName, World } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import type { LanguagePrompts } from '../prompts'

/** The skills an agent may use; `all` in its list means every one. */
export const allowedSkills = (agent: AgentRecord): SkillName[] =>
  agent.skills.includes('all') ? [...SKILLS] : SKILLS.filter((name) => agent.skills.includes(name))

const oneLine = (text: string): string => escapeTags(text.replace(/\s+/g, ' ').trim())

type Written = { manages: boolean; guides: World['team']['toolGuides']; prompts: LanguagePrompts; text: string }

/** As written for the agent's last prompt: it stays until the agent, the team or the language changes. */
const written = new WeakMap<AgentRecord, Written>()

/** Who manages a task, looked up once for each state of them all: there may be hundreds, and prompts outnumber their changes. */
const managing = new WeakMap<World['tasks'], ReadonlySet<AgentId>>()

function managersIn(tasks: World['tasks']): ReadonlySet<AgentId> {
  const known = managing.get(tasks)
  if (known) return known
  const managers = new Set(Object.values(tasks).flatMap((task) => (task.conversation ? [] : [task.manager])))
  managing.set(tasks, managers)
  return managers
}

/** The lines of the section agent_role. */
export function writeRole(world: World, agent: AgentRecord, prompts: LanguagePrompts): string {
  const manages = agent.manager || managersIn(world.tasks).has(agent.id)
  const guides = world.team.toolGuides
  const last = written.get(agent)
  if (last?.manages === manages && last.guides === guides && last.prompts === prompts) return last.text
  const text = writeLines(agent, { manages, guides, prompts })
  written.set(agent, { manages, guides, prompts, text })
  return text
}

function writeLines(agent: AgentRecord, { manages, guides, prompts }: Omit<Written, 'text'>): string {
  const skills = allowedSkills(agent).map((name) => `- ${name}: ${prompts.skills[name].guide}`)
  const tools = agent.tools.map((name) => `- ${oneLine(name)}: ${oneLine(guides[name] ?? '')}`)
  return [
    `name: ${oneLine(agent.name)}`,
    `id: ${agent.id}`,
    `role: ${oneLine(agent.role)}`,
    `profile: ${oneLine(agent.profile)}`,
    `manages: ${manages ? 'yes' : 'no'}`,
    'skills:',
    ...skills,
    'tools:',
    ...tools,
  ].join('\n')
}

/** The section current_task: the task, its members, and the other agents, for agents that may begin work. */
import { escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import { isOutsideRequester, takesRequests } from '@/lib/mas/outside/outsideWork'
import type { AgentRecord, TaskRecord, World } from '@/lib/mas/records'
import { agentHandle, taskHandle } from '@/lib/mas/team/handles'
import { sayInLanguage } from '@/lib/mas/words'
import { memoWith } from '@/lib/memo'
import { sayBytes } from './files'
import { kindOf, line } from './role'
import { indented } from './section'

const cell = (text: string): string => line(text.replaceAll('|', '/'))

/** Others can be looked up with ask_info. */
const MOST_OTHERS = 40

export function writeTask(world: World, task: TaskRecord, agent: AgentId): string {
  const asks = takesRequests(task, agent) && task.manager === agent
  return [
    `task: ${line(task.name)}`,
    `task_id: ${taskHandle(task)}`,
    `task_goal: ${indented(escapeTags(task.intention))}`,
    ...writeStart(task),
    `base_task: ${asks || task.base ? 'yes' : 'no'}`,
    'members:',
    ...membersOf(task.group, world.agents, task.manager),
    ...writeRequester(world, task),
    ...(asks ? writeOthers(world, task) : []),
  ].join('\n')
}

/** Letters of a version's hash. */
const SHA_LENGTH = 8

/** Of a task that changes the result of another: what was asked, and the files that it begins with. */
function writeStart({ changeOf, start }: TaskRecord): string[] {
  if (changeOf === undefined || start === undefined) return []
  const { name, comment, passage, files } = start
  const lines = files.map(({ path, sha, bytes }) =>
    [path, sha?.slice(0, SHA_LENGTH) ?? 'no version', bytes === null ? 'removed' : sayBytes(bytes)]
      .map(cell)
      .join(' | '),
  )
  return [
    `change_of: ${line(name)} | ${taskHandle({ id: changeOf })}`,
    `change_asked: ${indented(escapeTags(comment))}`,
    ...(passage === '' ? [] : [`change_passage: ${indented(escapeTags(passage))}`]),
    ...(lines.length === 0 ? [] : ['begins_with:', ...lines.map((one) => `- ${one}`)]),
  ]
}

/** Each prompt of a task has the same lines, until its group or an agent changes. */
const membersOf = memoWith(
  (group: TaskRecord['group'], agents: World['agents'], manager: AgentId | null): readonly string[] =>
    group.flatMap((id) => {
      const agent = agents[id]
      if (!agent || agent.removed) return []
      const manages = id === manager ? 'manager' : '-'
      return `- ${cell(agent.name)} | ${kindOf(agent)} | ${cell(agent.role)} | ${cell(agentHandle({ agents }, agent))} | ${manages}`
    }),
)

/** An outside agent that requested the task is no member; members may write to it. */
function writeRequester(world: World, task: TaskRecord): string[] {
  const agent = task.requestedBy === null ? undefined : world.agents[task.requestedBy]
  if (!agent || agent.removed || !isOutsideRequester(world, task, agent.id)) return []
  return [`- ${cell(agent.name)} | outside | asked for this task | ${cell(agentHandle(world, agent))} | -`]
}

/** Agents beside the members: each piece of work gets a task of its own. */
function writeOthers(world: World, task: TaskRecord): string[] {
  const members: ReadonlySet<AgentId> = new Set(task.group)
  const others = Object.values(world.agents).filter(
    (agent: AgentRecord) => !agent.removed && agent.kind !== 'human' && !members.has(agent.id),
  )
  const lines = others.slice(0, MOST_OTHERS).map((agent: AgentRecord) => {
    const [role, profile] = [cell(agent.role), cell(agent.profile)]
    const about =
      role && profile ? sayInLanguage(world.team.language, 'roleAndProfile', { role, profile }) : role || profile
    return `- ${cell(agent.name)} | ${kindOf(agent)} | ${about} | tools: ${agent.tools.map(cell).join(', ') || 'none'} | ${cell(agentHandle(world, agent))}`
  })
  const left = others.length - lines.length
  return ['others:', ...lines, ...(left > 0 ? [`- (${left} more: ask_info agents_in_mas)`] : [])]
}

/** The receivers that can be chosen in a task, and those that match what is typed after "@". Pure. */
import { initialsOf } from '@/lib/format'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import { isOutsideRequester } from '@/lib/mas/outside/outsideWork'
import { type AgentRecord, MESSAGE_TYPES, type MessageType, type World } from '@/lib/mas/records'

/** kind outside: the agent of another system that asked for the task, which takes no part in it. */
type ChatMember = { kind: 'person' | 'agent' | 'outside'; id: AgentId; name: string; role: string }
/** A group by role, or one that the sender saved in their settings. members: without the sender */
type ChatGroup = { kind: 'group' | 'saved'; id: string; name: string; members: AgentId[] }
export type ReceiverChoice = ChatMember | ChatGroup

/**
 * Everyone in the task but me, who asked for it from another system, and the role groups and saved groups that have a member
 * there. People first, then agents, then groups.
 */
export function receiverChoices(
  world: Pick<World, 'tasks' | 'agents'>,
  task: TaskId,
  me: AgentId,
  saved: readonly { name: string; members: readonly string[] }[] = [],
): ReceiverChoice[] {
  const present = (world.tasks[task]?.group ?? [])
    .filter((id) => id !== me)
    .flatMap((id): AgentRecord[] => {
      const agent = world.agents[id]
      return agent && !agent.removed ? [agent] : []
    })
  const membersOf = (kind: 'person' | 'agent'): ChatMember[] =>
    present
      .filter((one) => (one.kind === 'human') === (kind === 'person'))
      .map(({ id, name, role }) => ({ kind, id, name, role }))
  const groupOf = (kind: ChatGroup['kind'], name: string, isIn: (agent: AgentRecord) => boolean): ChatGroup[] => {
    const members = present.filter(isIn).map(({ id }) => id)
    return members.length === 0 ? [] : [{ kind, id: `${kind}:${name}`, name, members }]
  }
  const roles = [...new Set(present.flatMap(({ groups }) => groups))].sort()
  return [
    ...membersOf('person'),
    ...membersOf('agent'),
    ...requester(world, task),
    ...roles.flatMap((role) => groupOf('group', role, ({ groups }) => groups.includes(role))),
    ...saved.flatMap(({ name, members }) => groupOf('saved', name, ({ id }) => members.includes(id))),
  ]
}

function requester({ tasks, agents }: Pick<World, 'tasks' | 'agents'>, task: TaskId): ChatMember[] {
  const { requestedBy = null, group = [] } = tasks[task] ?? {}
  const agent = requestedBy === null ? undefined : agents[requestedBy]
  if (agent === undefined || agent.removed || !isOutsideRequester({ agents }, { requestedBy, group }, agent.id))
    return []
  return [{ kind: 'outside', id: agent.id, name: agent.name, role: agent.role }]
}

const wordsOf = (choice: ReceiverChoice): string[] =>
  [choice.name, choice.id, 'role' in choice ? choice.role : '', initialsOf(choice.name)].map((word) =>
    word.toLocaleLowerCase(),
  )

/** Choices whose name, id, role or pinyin initials contain what was typed, in their order. */
export function matchingChoices(choices: readonly ReceiverChoice[], typed: string): ReceiverChoice[] {
  const query = typed.trim().toLocaleLowerCase()
  return choices.filter((choice) => wordsOf(choice).some((word) => word.includes(query)))
}

/** The index that Enter takes: the first name that begins with what was typed, else the first word that does, else 0. */
export function bestMatch(shown: readonly ReceiverChoice[], typed: string): number {
  const query = typed.trim().toLocaleLowerCase()
  const byName = shown.findIndex(({ name }) => name.toLocaleLowerCase().startsWith(query))
  if (byName >= 0) return byName
  return Math.max(
    0,
    shown.findIndex((choice) => wordsOf(choice).some((word) => word.startsWith(query))),
  )
}

/** in: chosen ids of members and groups. out: the receivers, each once; 'all' when nobody was chosen. */
export function chosenReceivers(chosen: readonly string[], choices: readonly ReceiverChoice[]): AgentId[] | 'all' {
  if (chosen.length === 0) return 'all'
  const ids = chosen.flatMap((id) => {
    const choice = choices.find((one) => one.id === id)
    return choice === undefined ? [] : 'members' in choice ? choice.members : [choice.id]
  })
  return [...new Set(ids)]
}

/** "/action check this" at the start sets the type; the rest is the text. */
export function typeCommand(text: string): { type: MessageType; rest: string } | null {
  const [command = '', name = ''] = /^\/(\w+)\s/u.exec(text) ?? []
  const type = MESSAGE_TYPES.find((one) => one === name.toLowerCase())
  return type === undefined ? null : { type, rest: text.slice(command.length) }
}

/** The id of the last line of the list: save the chosen ones as a group. */
export const SAVE_GROUP = 'save-group'

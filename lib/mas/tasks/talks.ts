/** Talks: private conversations of two members, each a task of its own. */

import { canSeeAll } from '../access/access'
import type { AgentId } from '../ids'
import { isAsked, isElsewhere } from '../members/traits'
import type { AgentRecord, TaskRecord, World } from '../records'
import { mayAct } from '../team/agents'

/** The talk of these two; null: they have none. */
export const selectTalk = (world: World, one: AgentId, other: AgentId): TaskRecord | null =>
  Object.values<TaskRecord>(world.tasks).find(
    (task) => task.opened === undefined && otherIn(task, one) === other && one !== other,
  ) ?? null

/** With whom this person has the talk; null: it is no talk of theirs. */
export const otherIn = ({ talk, group }: Pick<TaskRecord, 'talk' | 'group'>, person: AgentId): AgentId | null =>
  talk === true && group.includes(person) ? (group.find((id) => id !== person) ?? null) : null

/** The members with whom this person may begin a talk: people, and agents that they know from a task; none of other systems. */
export function selectTalkable(world: World, person: AgentRecord): AgentRecord[] {
  const shared = Object.values<TaskRecord>(world.tasks).filter(({ group }) => group.includes(person.id))
  const known: ReadonlySet<AgentId> = new Set(shared.flatMap(({ group }) => group))
  return Object.values<AgentRecord>(world.agents).filter((other) => {
    if (other.id === person.id || other.removed || isElsewhere(world, other.id)) return false
    return isAsked(world, other.id) ? mayAct(other) : canSeeAll(person) || known.has(other.id)
  })
}

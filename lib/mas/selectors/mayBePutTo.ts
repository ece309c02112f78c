/** Who may be given a message that was sent to another person. */
import type { AgentId, MessageId, TaskId } from '../ids'
import type { World } from '../records'
import { isMember, isOperator } from './agents'
import { threadOf, threadsOf } from './visibility'

/** Who can read it: operators, and members of the task; in the base task those of its thread. */
export function mayBePutTo(world: World, task: TaskId, message: MessageId, person: AgentId): boolean {
  if (isOperator(world, person)) return true
  if (!isMember(world, task, person)) return false
  const record = world.messages[task]?.[message]
  if (world.tasks[task]?.base !== true || record === undefined) return true
  return threadsOf(world, task, person).has(threadOf(record))
}

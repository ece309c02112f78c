/** Who may rate the result of a task, and what was said of earlier ones. */

import { taskAccessOf } from '../access/access'
import type { AgentId, TaskId, TemplateId } from '../ids'
import type { KeptRating, World } from '../records'
import { isTaskOver } from '../statuses'
import { isOperator } from '../team/agents'

/** The person who asked for an ended task and can read it, and operators. */
export function mayRate(world: World, person: AgentId, id: TaskId): boolean {
  const [task, reader] = [world.tasks[id], world.agents[person]]
  if (!task || !reader || task.base || !isTaskOver(task)) return false
  const reach = taskAccessOf(world, reader, id)
  // Who left the task before its end does not see the result.
  return reach?.upTo === Number.POSITIVE_INFINITY && (task.requestedBy === person || isOperator(world, person))
}

const noRatings: readonly KeptRating[] = []

/** The newest ratings of what this person asked for, and of what was asked for by this template; the newest first, each once. */
export function selectRatings(world: World, asker: AgentId | null, template: TemplateId | null): KeptRating[] {
  const own = asker === null ? noRatings : (world.ratings[asker] ?? noRatings)
  const alike = template === null ? noRatings : (world.templateRatings[template] ?? noRatings)
  const isSame = (one: KeptRating, other: KeptRating): boolean => one.task === other.task && one.by === other.by
  const more = alike.filter((one) => !own.some((other) => isSame(one, other)))
  // Of two at one time the later one first.
  return [...own, ...more].reverse().sort((a, b) => b.at - a.at)
}

/** Who may rate the result of a task, and what was said of earlier ones. */
import type { AgentId, TaskId } from '../../ids'
import type { KeptRating, World } from '../../records'
import { isTaskOver } from '../../statuses'
import { taskAccessOf } from '../access/access'
import { isOperator } from '../agents/agents'

/** The person who asked for an ended task and can read it, and operators. */
export function mayRate(world: World, person: AgentId, id: TaskId): boolean {
  const [task, reader] = [world.tasks[id], world.agents[person]]
  if (!task || !reader || task.base || !isTaskOver(task)) return false
  const reach = taskAccessOf(world, reader, id)
  // Who left the task before its end does not see the result.
  return reach?.upTo === Number.POSITIVE_INFINITY && (task.requestedBy === person || isOperator(world, person))
}

/** The newest ratings of what this person asked for, the newest first. */
export const selectRatings = (world: World, asker: AgentId): KeptRating[] => [...(world.ratings[asker] ?? [])].reverse()

/** Lines that agents share with all of their task. */
import type { AgentId, TaskId } from '../ids'
import type { SharedLine, World } from '../records'
import { changedOr } from './branch'

/** Number of lines of a task in the world; older ones are in the journal. */
export const INFO_LINES_KEPT = 300

/** in: the event of the line; line absent: none */
export function withLine(
  world: World,
  { task, agent, line }: { task: TaskId; agent: AgentId; line?: SharedLine },
  at: number,
): World {
  if (line === undefined) return world
  return {
    ...world,
    info: changedOr(world.info, task, [], (lines) => [
      ...(lines.length < INFO_LINES_KEPT ? lines : lines.slice(1 - INFO_LINES_KEPT)),
      { ...line, agent, at },
    ]),
  }
}

/** Lines that agents share with all of their task. */

import { withLeft } from '../archive/leaving'
import type { AgentId, TaskId } from '../ids'
import type { SharedLine, World } from '../records'
import { RECORD_IDS } from '../records/recordIds'
import { changedOr } from '../reduce/branch'

/** Number of lines of a task in the world; older ones are in the journal. */
export const INFO_LINES_KEPT = 300

/** in: the event of the line; line absent: none */
export function withLine(
  world: World,
  { task, agent, line }: { task: TaskId; agent: AgentId; line?: SharedLine },
  at: number,
): World {
  if (line === undefined) return world
  const first = world.info[task]?.[0]
  const isFull = first !== undefined && (world.info[task]?.length ?? 0) >= INFO_LINES_KEPT
  return {
    ...world,
    left: isFull ? withLeft(world.left, task, [RECORD_IDS.line(task, first.seq)], world.seq) : world.left,
    info: changedOr(world.info, task, [], (lines) => [
      ...(lines.length < INFO_LINES_KEPT ? lines : lines.slice(1 - INFO_LINES_KEPT)),
      { ...line, agent, at, seq: world.seq },
    ]),
  }
}

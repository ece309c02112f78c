/** An operator erases a task: what it said and made leaves the world at once, and the store afterwards. */
import { Fault } from '@/lib/faults'
import { reasonOf } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { selectTaskArchivable } from '../archivable'
import { selectAgentsOfErased, selectWithoutErased } from '../erasing'

/** Throws TASK_ERASED, BASE_TASK_STAYS, NOT_AT_REST while anything in it is open; REASON_MISSING, TOO_LARGE. */
export function eraseTask(
  context: DecisionContext,
  person: AgentId,
  { task, reason, found }: CommandOf<'eraseTask'>,
): void {
  const { world } = context
  const [live, erased] = [world.tasks[task], world.erased[task]]
  if (erased) throw new Fault('TASK_ERASED', { by: context.name(erased.by), at: erased.at })
  if (task === world.baseTask) throw new Fault('BASE_TASK_STAYS')
  if (live && selectTaskArchivable(world, live) === null) throw new Fault('NOT_AT_REST', { what: 'task', id: task })
  context.emit('task.erased', {
    task,
    by: person,
    agents: selectAgentsOfErased(world, task),
    from: found.from,
    to: world.seq,
    rows: found.rows,
    reason: reasonOf(reason),
    counters: found.counters,
    without: selectWithoutErased(world, task),
  })
}

/**
 * Leaving the world: decided again on the world as it is, so that what woke up meanwhile stays.
 *
 * Owns: archiveTask, retireThread, evictRecords. Not here: what is at rest (selectors/rest.ts), when to ask (server/engine).
 */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../ids'
import { stepsIn } from '../ownSteps'
import { selectConversationsOf } from '../selectors/outside'
import { archivableAt, selectEvictable, selectTaskArchivable, selectArchivableThreads } from '../selectors/rest'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'

export function archiveTask(draft: DecisionContext, { task }: CommandOf<'archiveTask'>): void {
  const record = draft.world.tasks[task]
  const rest = record ? selectTaskArchivable(draft.world, record) : null
  if (rest === null || archivableAt(rest, 'task') > draft.at) throw new Fault('NOT_AT_REST', { what: 'task', id: task })
  draft.emit('task.archived', { task, agents: Object.keys(draft.world.steps[task] ?? {}) as AgentId[] })
}

/** Its next message has come: what was read of it goes back into the world. */
export function restoreTask(draft: DecisionContext, { task, piece }: CommandOf<'wakeTask'>): void {
  if (draft.world.tasks[task]) throw new Fault('ALREADY_SO', { what: 'it is awake' })
  const goesOn = selectConversationsOf(draft.world, task).some((one) => one.closedAt === null)
  if (!goesOn || piece.tasks?.id !== task) throw new Fault('NOT_FOUND', { what: 'conversation of task', id: task })
  draft.emit('task.woken', { task, agents: Object.keys(piece.steps ?? {}) as AgentId[], piece })
}

export function retireThread(draft: DecisionContext, { thread }: CommandOf<'retireThread'>): void {
  const task = draft.world.baseTask
  const rest = selectArchivableThreads(draft.world).get(thread)
  if (task === null || rest === undefined || archivableAt(rest, 'thread') > draft.at)
    throw new Fault('NOT_AT_REST', { what: 'thread', id: thread })
  const agents = (Object.keys(draft.world.steps[task] ?? {}) as AgentId[]).filter((agent) =>
    stepsIn(draft.world.steps[task]?.[agent]).some((step) => step.thread === thread),
  )
  draft.emit('thread.retired', { task, thread, agents })
}

/** Nothing to evict is fine: somebody else was quicker. */
export function evictRecords(draft: DecisionContext, { task }: CommandOf<'evictRecords'>): void {
  const found = selectEvictable(draft.world, task)
  if (found) draft.emit('records.evicted', { task, ...found })
}

/** Leaving the world: decided again on the world as it is, so that what became active meanwhile stays. */
import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { selectConversationsOf } from '../../outside/outside'
import { stepsIn } from '../../steps/ownSteps'
import { archivableAt, selectArchivableThreads, selectEvictable, selectTaskArchivable } from '../archivable'

/** Throws NOT_AT_REST while anything in it is open or it has not rested long enough. */
export function archiveTask(context: DecisionContext, { task }: CommandOf<'archiveTask'>): void {
  const record = context.world.tasks[task]
  const rest = record ? selectTaskArchivable(context.world, record) : null
  if (rest === null || archivableAt(rest, 'task') > context.at)
    throw new Fault('NOT_AT_REST', { what: 'task', id: task })
  context.emit('task.archived', { task, agents: Object.keys(context.world.steps[task] ?? {}) as AgentId[] })
}

/** Restore an archived task whose next message has come. Throws ALREADY_SO, NOT_FOUND where no conversation of it continues. */
export function restoreTask(context: DecisionContext, { task, piece }: CommandOf<'wakeTask'>): void {
  if (context.world.tasks[task]) throw new Fault('ALREADY_SO', { what: 'it is awake' })
  const goesOn = selectConversationsOf(context.world, task).some((one) => one.closedAt === null)
  if (!goesOn || piece.tasks?.id !== task) throw new Fault('NOT_FOUND', { what: 'conversation of task', id: task })
  context.emit('task.woken', { task, agents: Object.keys(piece.steps ?? {}) as AgentId[], piece })
}

/** Throws NOT_AT_REST while anything in it is open or it has not rested long enough. */
export function retireThread(context: DecisionContext, { thread }: CommandOf<'retireThread'>): void {
  const task = context.world.baseTask
  const rest = selectArchivableThreads(context.world).get(thread)
  if (task === null || rest === undefined || archivableAt(rest, 'thread') > context.at)
    throw new Fault('NOT_AT_REST', { what: 'thread', id: thread })
  const agents = (Object.keys(context.world.steps[task] ?? {}) as AgentId[]).filter((agent) =>
    stepsIn(context.world.steps[task]?.[agent]).some((step) => step.thread === thread),
  )
  context.emit('thread.retired', { task, thread, agents })
}

/** Nothing to evict is no fault. */
export function evictRecords(context: DecisionContext, { task }: CommandOf<'evictRecords'>): void {
  const found = selectEvictable(context.world, task)
  if (found) context.emit('records.evicted', { task, ...found })
}

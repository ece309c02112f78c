/** Schedules what may leave the world: archived tasks, retired threads, old records of crowded tasks. */

import {
  archivableAt,
  isArchivable,
  isCrowded,
  selectArchivableThreads,
  selectTaskArchivable,
  TASK_ARCHIVE_AFTER_MS,
} from '@/lib/mas/archive/archivable'
import { selectTasksHeld } from '@/lib/mas/archive/branches'
import type { Due } from '@/lib/mas/asks/due'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import type { TaskRecord, World } from '@/lib/mas/records'
import type { CommitAnswer } from '../port'

/** When archivable tasks and threads may leave. */
export function leavingDue(world: World, now: number): Due[] {
  const due: Due[] = []
  for (const task of Object.values<TaskRecord>(world.tasks)) {
    if (!isArchivable(world, task)) continue
    // It cannot be sooner than this; what holds it is looked at when the time has come.
    const soonest = (task.endedAt ?? task.createdAt) + TASK_ARCHIVE_AFTER_MS
    const rest = soonest > now ? null : selectTaskArchivable(world, task)
    const at = soonest > now ? soonest : rest && archivableAt(rest, 'task')
    if (at !== null) due.push({ at, command: { type: 'archiveTask', task: task.id } })
  }
  for (const [thread, rest] of selectArchivableThreads(world)) {
    due.push({ at: archivableAt(rest, 'thread'), command: { type: 'retireThread', thread } })
  }
  return due
}

type EvictorParts = {
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  newId: () => string
  onMistake: (error: unknown, what: string) => void
}

/** A task is looked at after this many new records, so that counting them costs nothing. */
const LOOK_EVERY = 50

export function createEvictor({ commit, newId, onMistake }: EvictorParts) {
  const added = new Map<TaskId, number>()
  const asked = new Set<TaskId>()

  function look(world: World, task: TaskId): void {
    if (asked.has(task) || !isCrowded(world, task)) return
    asked.add(task)
    commit({ id: newId(), by: 'system:timer', command: { type: 'evictRecords', task } })
      .catch((error) => onMistake(error, 'evictRecords'))
      .finally(() => asked.delete(task))
  }

  return {
    /** Look at every task once, after start-up. */
    lookAtAll(world: World): void {
      for (const task of selectTasksHeld(world)) look(world, task)
    },
    onEntries(entries: readonly Entry[], world: World): void {
      for (const { event } of entries) {
        switch (event.type) {
          case 'step.added':
          case 'message.sent':
          case 'request.opened': {
            const count = (added.get(event.task) ?? 0) + 1
            added.set(event.task, count)
            if (count < LOOK_EVERY) break
            added.delete(event.task)
            look(world, event.task)
            break
          }
          // Steps that the stage kept may leave now, and no new ones may come.
          case 'stage.finished':
            look(world, event.task)
            break
          case 'task.archived':
            added.delete(event.task)
        }
      }
    },
  }
}

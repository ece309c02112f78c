/** When points of a task are stored: each time that so many entries of it were confirmed. */
import type { Entry } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import type { Moments } from './moments'
import { STORE_EVERY } from './storedPoints'

type PointsKeepingParts = {
  moments: Pick<Moments, 'store'>
  onTrouble: (error: unknown, task: TaskId) => void
}

/** Counts since the start of the process: after a restart up to as many entries more are read by who asks first. */
export function openPointsKeeping({ moments, onTrouble }: PointsKeepingParts) {
  const counts = new Map<TaskId, number>()
  let working: Promise<void> = Promise.resolve()

  return {
    onEntries(entries: readonly Entry[]): void {
      for (const { seq, event } of entries) {
        if (!('task' in event) || typeof event.task !== 'string') continue
        const { task } = event
        const count = (counts.get(task) ?? 0) + 1
        if (event.type === 'task.archived' || event.type === 'task.erased') counts.delete(task)
        else counts.set(task, count % STORE_EVERY)
        if (count < STORE_EVERY) continue
        working = working.then(() => moments.store(task, seq)).catch((error: unknown) => onTrouble(error, task))
      }
    },
    /** What was begun has ended. */
    settled: (): Promise<void> => working,
  }
}

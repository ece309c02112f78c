/** Waiting, inside a running step, for a request to be settled. */
import type { Entry } from '@/lib/mas/events'
import type { RequestId, TaskId } from '@/lib/mas/ids'
import type { RequestRecord, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'

export function openRequestWatch(world: () => World) {
  const waiting = new Map<RequestId, (record: RequestRecord | null) => void>()
  const find = (world: World, task: TaskId, request: RequestId): RequestRecord | null =>
    world.requests[task]?.[request] ?? null

  return {
    /** The request once it is not open any more; null when the signal ends the waiting first. */
    settled(task: TaskId, request: RequestId, signal: AbortSignal): Promise<RequestRecord | null> {
      return new Promise((resolve) => {
        const end = (record: RequestRecord | null): void => {
          waiting.delete(request)
          signal.removeEventListener('abort', onAbort)
          resolve(record)
        }
        const onAbort = (): void => end(null)
        if (signal.aborted) return resolve(null)
        // It may have been settled between the decision that opened it and now.
        const now = find(world(), task, request)
        if (now && !isOpen(now)) return resolve(now)
        waiting.set(request, end)
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    onEntries(entries: Entry[], next: World): void {
      if (waiting.size === 0) return
      for (const { event } of entries) {
        if (!('request' in event) || !('task' in event)) continue
        const record = find(next, event.task, event.request)
        if (record && !isOpen(record)) waiting.get(record.id)?.(record)
      }
    },
  }
}

export type RequestWatch = ReturnType<typeof openRequestWatch>

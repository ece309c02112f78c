/** Notification attempts without a recorded result. Read once, at a start. */
import type { AttemptId, RequestId, TaskId } from '../ids'
import type { AttemptRecord, RequestRecord, World } from '../records'

/** One try may be about several requests. */
export type UnfinishedAttempt = { attempt: AttemptRecord; items: { task: TaskId; request: RequestId }[] }

export function selectUnfinishedAttempts(world: World): UnfinishedAttempt[] {
  const found = new Map<AttemptId, UnfinishedAttempt>()
  for (const requests of Object.values(world.requests)) {
    for (const { task, id: request, attempts } of Object.values<RequestRecord>(requests)) {
      for (const attempt of attempts ?? []) {
        if (attempt.outcome !== 'began') continue
        const begun = found.get(attempt.id) ?? { attempt, items: [] }
        begun.items.push({ task, request })
        found.set(attempt.id, begun)
      }
    }
  }
  return [...found.values()]
}

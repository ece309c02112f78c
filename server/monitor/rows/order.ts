/**
 * The order of an agent's steps, as text keys that stay as they are while steps come and go.
 *
 * An inserted step stands before one that was planned earlier; its key is made from the planned one's, so that nothing
 * behind it gets another key when it is inserted, runs or ends.
 */
import type { StepId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { memo } from '@/lib/memo'
import { padded } from './source'

const ranKey = memo((step: StepRecord): string => `1${padded(step.startedSeq ?? step.endedSeq ?? step.createdSeq)}`)

/** in: all steps of one agent in one task, and the ids of its queue in order. out: id → key, compared as text. */
export function orderKeys(steps: readonly StepRecord[], queue: readonly StepId[]): ReadonlyMap<StepId, string> {
  const keys = new Map<StepId, string>()
  const byId = new Map(steps.map((step) => [step.id, step]))
  const waiting = queue.flatMap((id) => byId.get(id) ?? [])
  const queued = new Set(waiting.map((step) => step.id))
  for (const step of steps) {
    if (!queued.has(step.id)) keys.set(step.id, ranKey(step))
  }
  for (const [id, key] of queueKeys(waiting, '2')) keys.set(id, key)
  return keys
}

/** Each step stands before its anchor, the earliest planned step behind it; keys before an anchor lie inside its key. */
function queueKeys(queue: readonly StepRecord[], prefix: string): [StepId, string][] {
  const anchors: number[] = new Array(queue.length).fill(0)
  let anchor = Number.POSITIVE_INFINITY
  for (let index = queue.length - 1; index >= 0; index--) {
    anchor = Math.min(anchor, queue[index]?.createdSeq ?? anchor)
    anchors[index] = anchor
  }
  const keys: [StepId, string][] = []
  let before: StepRecord[] = []
  queue.forEach((step, index) => {
    const own = `${prefix}${padded(anchors[index] ?? step.createdSeq)}`
    if (step.createdSeq !== anchors[index]) {
      before.push(step)
      return
    }
    for (const key of queueKeys(before, `${own}a`)) keys.push(key)
    before = []
    keys.push([step.id, `${own}b`])
  })
  return keys
}

/**
 * The order of an agent's steps, as text keys that stay as they are while steps come and go.
 *
 * Owns: the key of a step that has run or runs, and of one that stands in the queue.
 * An inserted step stands before one that was planned earlier; its key is made from the planned one's, so that nothing
 * behind it gets another key when it is inserted, runs or ends.
 */

import type { StepId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { padded } from './source'

/** in: all steps of one agent in one task, and the ids of its queue in order. out: id → key, compared as text. */
export function orderKeys(steps: readonly StepRecord[], queue: readonly StepId[]): ReadonlyMap<StepId, string> {
  const keys = new Map<StepId, string>()
  const byId = new Map(steps.map((step) => [step.id, step]))
  const waiting = queue.flatMap((id) => byId.get(id) ?? [])
  const queued = new Set(waiting.map((step) => step.id))
  for (const step of steps) {
    if (!queued.has(step.id)) keys.set(step.id, `1${padded(step.startedSeq ?? step.endedSeq ?? step.createdSeq)}`)
  }
  /** The earliest planned of those that follow, from the end on. */
  const anchors: number[] = []
  let anchor = Number.POSITIVE_INFINITY
  for (const step of [...waiting].reverse()) {
    anchor = Math.min(anchor, step.createdSeq)
    anchors.unshift(anchor)
  }
  let [last, run] = [-1, 0]
  waiting.forEach((step, index) => {
    const at = anchors[index] ?? step.createdSeq
    run = at === last ? run + 1 : 0
    last = at
    const isInserted = step.createdSeq !== at
    keys.set(step.id, `2${padded(at)}${isInserted ? `a${String(run).padStart(4, '0')}` : 'b'}`)
  })
  return keys
}

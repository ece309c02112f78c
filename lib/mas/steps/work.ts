/** An agent's to-do queue: the pure changes that step events make to it. */
import type { StepId, TaskId } from '../ids'
import type { StepRef, WorkRecord } from '../records'

export const EMPTY_WORK: WorkRecord = { todo: [], running: null, locks: [] }

/** Place a step; position counts from the head of the queue, which is the next step not yet run. */
export function placed(work: WorkRecord, ref: StepRef, position: number): WorkRecord {
  if (work.todo.some((old) => old.step === ref.step)) return work
  const at = Math.max(0, Math.min(position, work.todo.length))
  return { ...work, todo: [...work.todo.slice(0, at), ref, ...work.todo.slice(at)] }
}

/** Removes the step from the queue and from the running step: it started (running), or has ended. */
export function without(work: WorkRecord, steps: readonly StepId[]): WorkRecord {
  const todo = work.todo.filter((ref) => !steps.includes(ref.step))
  const running = work.running && steps.includes(work.running.step) ? null : work.running
  return todo.length === work.todo.length && running === work.running ? work : { ...work, todo, running }
}

export const begun = (work: WorkRecord, task: TaskId, step: StepId): WorkRecord => ({
  ...without(work, [step]),
  running: { task, step },
})

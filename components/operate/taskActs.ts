/**
 * What can be done to a task as its manager would, by name; the name stands in the address (`?act=`) while its dialog
 * is open.
 *
 * Pure.
 */
import type { RequestRecord, StageRecord, TaskRecord } from '@/lib/mas/records'

export const TASK_ACTS = [
  'addStage',
  'finishStage',
  'retryStage',
  'finishTask',
  'addPeople',
  'makeManager',
  'allowMore',
  'pauseTask',
] as const
export type TaskAct = (typeof TASK_ACTS)[number]

export const readTaskAct = (text: string | null): TaskAct | null => TASK_ACTS.find((one) => one === text) ?? null

export const shownRunningStage = (stages: readonly StageRecord[]): StageRecord | null =>
  stages.find(({ state }) => state === 'running') ?? null

/** Stages that can be tried again: the one that runs, and those that are over and have no other try under way. */
export function retriableStages(stages: readonly StageRecord[]): StageRecord[] {
  const isOpen = ({ state }: StageRecord): boolean => state === 'init' || state === 'running'
  return stages.filter(
    (stage) => stage.state !== 'init' && !stages.some((one) => one.retryOf === stage.id && isOpen(one)),
  )
}

/** The open request that asks for more than a limit allows. */
export const openLimitRequest = (requests: readonly RequestRecord[]): RequestRecord | null =>
  requests.find(({ kind, state }) => kind === 'limit' && (state === 'open' || state === 'claimed')) ?? null

/** As much again as the limit was: what the request itself proposes. */
export const moreOf = ({ choices }: RequestRecord): string => choices[0] ?? ''

export const isOver = (task: Pick<TaskRecord, 'state'>): boolean => task.state === 'finished' || task.state === 'failed'

/** Why an act cannot be done now; null when it can. The words are the reader's (namespace `operate.off`). */
export function whyOff(
  act: TaskAct,
  task: Pick<TaskRecord, 'state' | 'paused'>,
  stages: readonly StageRecord[],
): 'taskOver' | 'noStage' | null {
  if (isOver(task)) return 'taskOver'
  if (act === 'finishStage' && shownRunningStage(stages) === null) return 'noStage'
  return act === 'retryStage' && retriableStages(stages).length === 0 ? 'noStage' : null
}

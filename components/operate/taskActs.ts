/** Names of a manager's acts on a task; `?act=` names the one whose dialog is open. Pure. */
import type { Access, PartState, RequestRecord, StageRecord, TaskRecord } from '@/lib/mas/records'
import { placeInPlan } from '@/lib/mas/stages/plan'
import { isOpen, isPartOver, isStageOver, isTaskOver } from '@/lib/mas/statuses'

/** In the order of the menu; null: a line, as before what ends or hands over something. “Pause” has a place of its own. */
export const TASK_MENU = [
  'addStage',
  'finishStage',
  'retryStage',
  null,
  'rename',
  'addPeople',
  'removePeople',
  'makeManager',
  'allowMore',
  'toolRules',
  null,
  'finishTask',
  'eraseTask',
] as const
export type TaskActName = NonNullable<(typeof TASK_MENU)[number]> | 'pauseTask'

export const TASK_ACT_NAMES: readonly TaskActName[] = [...TASK_MENU.filter((act) => act !== null), 'pauseTask']

export const readTaskActName = (text: string | null): TaskActName | null =>
  TASK_ACT_NAMES.find((one) => one === text) ?? null

export const shownRunningStage = (stages: readonly StageRecord[]): StageRecord | null =>
  stages.find(({ state }) => state === 'running') ?? null

/** Stages that can be retried: the running one, and ended ones without an open retry. */
export function retriableStages(stages: readonly StageRecord[]): StageRecord[] {
  return stages.filter(
    (stage) => stage.state !== 'init' && !stages.some((one) => one.retryOf === stage.id && !isStageOver(one)),
  )
}

export const openLimitRequest = (requests: readonly RequestRecord[]): RequestRecord | null =>
  requests.find(({ kind, state }) => kind === 'limit' && isOpen({ state })) ?? null

/** The amount that the request proposes: as much again. */
export const moreOf = ({ choices }: RequestRecord): string => choices[0] ?? ''

/**
 * Is the act offered to who directs the task? Rules of tools are an operator's, and so is erasing; somebody can be added only by
 * who knows the team; there is no limit to raise before one is reached.
 */
export function isOffered(act: TaskActName, access: Access, limit: RequestRecord | null): boolean {
  switch (act) {
    case 'toolRules':
    case 'eraseTask':
      return access === 'operator'
    case 'addPeople':
      return access === 'operator' || access === 'developer'
    case 'allowMore':
      return limit !== null
    default:
      return true
  }
}

/** Why an act is not possible now; null when it is. The words are in `operate.off`. */
export function whyOff(
  act: TaskActName,
  task: Pick<TaskRecord, 'state' | 'paused'>,
  stages: readonly StageRecord[],
): 'taskOver' | 'taskOpen' | 'noStage' | null {
  if (act === 'rename') return null
  if (act === 'eraseTask') return isTaskOver(task) ? null : 'taskOpen'
  if (isTaskOver(task)) return 'taskOver'
  if (act === 'finishStage' && shownRunningStage(stages) === null) return 'noStage'
  return act === 'retryStage' && retriableStages(stages).length === 0 ? 'noStage' : null
}

/** A member's open items: how many requests only they were asked (parts of stages aside), and the numbers of their stages. */
export function openOf(
  member: string,
  stages: readonly StageRecord[],
  requests: readonly RequestRecord[],
): { asked: number; parts: number[]; isAny: boolean } {
  const asked = requests.filter(
    ({ state, kind, asked: people }) =>
      isOpen({ state }) && kind !== 'part' && people.length === 1 && people[0] === member,
  ).length
  const parts = stages.flatMap((stage) => {
    const part = (stage.parts as Partial<Record<string, PartState>>)[member]
    return stage.state === 'running' && part !== undefined && !isPartOver(part)
      ? [placeInPlan(stages, stage.id).number]
      : []
  })
  return { asked, parts, isAny: asked + parts.length > 0 }
}

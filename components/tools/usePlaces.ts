/** Where a tool can be run: the tasks that go on, and the stage of the chosen one that runs. */
import { useTranslations } from 'use-intl'
import { useLog, useRows, useViewStatus } from '@/client'
import type { TaskId } from '@/lib/mas/ids'
import type { StageRecord } from '@/lib/mas/records'
import type { OverviewRow } from '@/lib/wire/rows'

/** No stage: what is done beside them. (A list's choice is never an empty text.) */
export const WITHOUT_STAGE = 'none'
/** No task yet. */
export const WITHOUT_TASK = 'none'

export type Places = {
  isLoading: boolean
  tasks: { value: string; label: string }[]
  /** As chosen, if it still can be; else the first that runs, the base task last. */
  task: OverviewRow | null
  stages: { value: string; label: string }[]
  stage: string
  /** It was chosen, and is over or not mine any more. */
  isTaskGone: boolean
}

export function usePlaces(
  wish: { task: string | null; stage: string | null },
  access: 'participant' | 'operator' | 'developer' | 'none',
): Places {
  const t = useTranslations('tools')
  const rows = useRows('overview')
  const { status } = useViewStatus('overview')
  const open = rows.filter((row) => !row.load && row.endedAt === null)
  const chosen = open.find((row) => row.task === wish.task) ?? null
  const isTaskGone = wish.task !== null && wish.task !== WITHOUT_TASK && chosen === null && status === 'open'
  const task = isTaskGone ? null : (chosen ?? open.find((row) => !row.base) ?? open[0] ?? null)
  const taskId: TaskId | null = task?.task ?? null
  const known = useLog(taskId === null ? null : `task:${taskId}`, (world) =>
    taskId === null ? [] : (Object.values(world.stages[taskId] ?? {}) as StageRecord[]),
  )
  const order = useLog(taskId === null ? null : `task:${taskId}`, (world) =>
    taskId === null ? [] : (world.tasks[taskId]?.stageOrder ?? []),
  )
  const running = task === null || task.base ? [] : known.filter((stage) => stage.state === 'running')
  // Beside a stage that runs only operators do something; the server holds them to it.
  const none = running.length === 0 || access === 'operator' ? [{ value: WITHOUT_STAGE, label: t('noStage') }] : []
  const stages = [
    ...running.map((stage) => ({
      value: stage.id as string,
      label: t('stageNamed', { number: order.indexOf(stage.id) + 1, goal: stage.intention }),
    })),
    ...none,
  ]
  const isStageOpen = stages.some(({ value }) => value === wish.stage)
  return {
    isLoading: status === 'loading',
    tasks: [
      ...(task === null ? [{ value: WITHOUT_TASK, label: t('chooseTask') }] : []),
      ...open.map((row) => ({ value: row.task as string, label: row.name })),
    ],
    task,
    stages,
    stage: isStageOpen ? (wish.stage ?? WITHOUT_STAGE) : (stages[0]?.value ?? WITHOUT_STAGE),
    isTaskGone,
  }
}

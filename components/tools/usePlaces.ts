/** Where a tool can be run: the open tasks, and the running stage of the chosen one. */
import { useTranslations } from 'use-intl'
import { useRecords, useRows, useViewStatus } from '@/client'
import { taskTitle } from '@/client/readersWords'
import type { TaskId } from '@/lib/mas/ids'
import type { Access } from '@/lib/mas/records'
import { placeInPlan, selectPlan } from '@/lib/mas/stages/plan'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import type { OverviewRow } from '@/lib/wire/rows'

/** The value for no stage. (An option's value is never empty.) */
export const WITHOUT_STAGE = 'none'
export const WITHOUT_TASK = 'none'

export type Places = {
  tasks: { value: string; label: string }[]
  /** The chosen task while it is possible; otherwise the first open one, the base task last. */
  task: OverviewRow | null
  stages: { value: string; label: string }[]
  stage: string
  /** The chosen task is over or not mine any more. */
  isTaskGone: boolean
}

export function usePlaces(wanted: { task: string | null; stage: string | null }, access: Access): Places {
  const t = useTranslations('tools')
  const rows = useRows('overview')
  const { status } = useViewStatus('overview')
  const open = rows.filter((row) => row.endedAt === null)
  const chosen = open.find((row) => row.task === wanted.task) ?? null
  const isTaskGone = wanted.task !== null && wanted.task !== WITHOUT_TASK && chosen === null && status === 'open'
  const task = isTaskGone ? null : (chosen ?? open.find((row) => !row.base) ?? open[0] ?? null)
  const taskId: TaskId | null = task?.task ?? null
  const plan = useRecords(taskId === null ? null : `task:${taskId}`, (world) =>
    taskId === null ? [] : selectPlan(world, taskId),
  )
  const running = task === null || task.base ? [] : plan.filter((stage) => stage.state === 'running')
  // Outside the running stage only operators may act; the server checks it.
  const none = running.length === 0 || access === 'operator' ? [{ value: WITHOUT_STAGE, label: t('noStage') }] : []
  const stages = [
    ...running.map((stage) => ({
      value: stage.id as string,
      label: t('stageNamed', { number: placeInPlan(plan, stage.id).number, name: stageName(stage) }),
    })),
    ...none,
  ]
  const isStageOpen = stages.some(({ value }) => value === wanted.stage)
  return {
    tasks: [
      ...(task === null ? [{ value: WITHOUT_TASK, label: t('chooseTask') }] : []),
      ...open.map((row) => ({ value: row.task as string, label: taskTitle(row.name) })),
    ],
    task,
    stages,
    stage: isStageOpen ? (wanted.stage ?? WITHOUT_STAGE) : (stages[0]?.value ?? WITHOUT_STAGE),
    isTaskGone,
  }
}

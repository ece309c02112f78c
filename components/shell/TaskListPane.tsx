/** The list at the left of a task: all tasks, or this task's tree where the page itself does not show it. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useViewStatus } from '@/client/hooks'
import { Link } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { taskTitle } from '@/client/readersWords'
import { useTaskHref } from '@/components/tasks/firstView'
import { StuckCell } from '@/components/tasks/progress'
import { TaskTree } from '@/components/tree/lazy'
import { cx } from '@/components/ui/cx'
import { DraftMark } from '@/components/ui/marks/DraftMark'
import { StateIcon } from '@/components/ui/marks/StatusChip'
import { Skeleton } from '@/components/ui/States'
import { Segmented } from '@/components/ui/Tabs'
import { useIsWide } from '@/components/ui/useIsNarrow'
import type { OverviewRow } from '@/lib/wire/rows'
import { type TaskListView, taskListView } from './taskListView'

export default function TaskListPane({ screen, params }: ScreenProps) {
  const t = useTranslations('shell')
  const isWide = useIsWide()
  const [chosen, setChosen] = useState<TaskListView | null>(null)
  const taskId = params.taskId ?? ''
  // The main pane says why there is no task; here are those that exist.
  const isGone = useViewStatus(`task:${taskId}`).status === 'closed'
  const { views, shown } = taskListView({ screen, isWide, isGone }, chosen)
  return (
    <>
      <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
        {views.length === 1 ? (
          <span className="text-table text-t2">{t('tasks')}</span>
        ) : (
          <Segmented<TaskListView>
            label={t('listView')}
            value={shown}
            onChange={setChosen}
            segments={{ tasks: t('tasks'), tree: t('tree') }}
          />
        )}
      </div>
      {shown === 'tasks' ? <Tasks current={taskId} /> : <TaskTree taskId={taskId} compact />}
    </>
  )
}

function Tasks({ current }: { current: string }) {
  const t = useTranslations('shell')
  const rows = useRows('overview')
  const { status } = useViewStatus('overview')
  if (status === 'loading') return <Skeleton lines={6} />
  return (
    <nav aria-label={t('tasks')} className="min-h-0 grow overflow-y-auto py-1">
      {rows.map((row) => (
        <TaskLink key={row.id} row={row} isCurrent={row.task === current} />
      ))}
    </nav>
  )
}

function TaskLink({ row, isCurrent }: { row: OverviewRow; isCurrent: boolean }) {
  const state = row.chip
  const t = useTranslations()
  const word = t(`state.${state}`)
  const hrefOf = useTaskHref()
  return (
    <Link
      href={hrefOf(row.task)}
      // The intention tells tasks of the same name apart.
      title={row.intention}
      aria-current={isCurrent ? 'page' : undefined}
      data-id={row.task}
      data-kind="task"
      data-state={row.state}
      className={cx(
        'flex min-h-row flex-col justify-center gap-1 px-3 py-1.5 -outline-offset-2 touch:min-h-11',
        isCurrent ? 'bg-sel font-medium' : 'hover:bg-hover',
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        <StateIcon state={state} className="size-3.5 stroke-2!" />
        <span className="sr-only">{word}: </span>
        <span className="cut grow">{taskTitle(row.name)}</span>
        <DraftMark place={`task:${row.task}`} />
        {row.stage && !row.base ? (
          <span className="text-meta font-normal text-t3">
            {row.stage.number}/{row.stage.of}
          </span>
        ) : null}
      </span>
      {row.stuck ? (
        <span className="flex min-w-0 pl-5.5 font-normal">
          <StuckCell row={row} />
        </span>
      ) : null}
    </Link>
  )
}

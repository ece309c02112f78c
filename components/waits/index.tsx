import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { setSearch, useSearchParam } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { useNames } from '@/components/request/useNames'
import { Button } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/fields/Choice'
import { Elapsed } from '@/components/ui/marks/Time'
import { PageHeading } from '@/components/ui/PageHeading'
import type { OverviewRow } from '@/lib/wire'
import { Ended } from './Ended'
import { WaitBoard } from './WaitBoard'
import { sumsOf, tasksOf, WAITER_KINDS, waitsIn } from './waitList'

/** Tasks whose ended waits are read: the newest, where none is chosen. */
const MOST_TASKS = 10

export default function WaitsScreen() {
  const t = useTranslations()
  const all = useRows('waits')
  const task = useSearchParam('task')
  const rows = waitsIn(all, task)
  const sums = sumsOf(rows)
  const namesOf = useNames()
  const waiters = WAITER_KINDS.flatMap((kind) =>
    sums.waiting[kind] > 0 ? [t(`waits.waiters.${kind}`, { count: sums.waiting[kind] })] : [],
  )
  const isEnded = useSearchParam('ended') !== null
  const overview = useRows('overview')
  // Tasks without open waits have ended ones too, or had waits when one was chosen.
  const tasks =
    isEnded || (task !== null && rows.length === 0)
      ? overview.map(({ task: id, name }) => ({ id: id as string, name: taskTitle(name) }))
      : tasksOf(all)
  const change = (next: string): void => setSearch({ task: next === 'all' ? null : next }, { replace: true })
  return (
    <div className="page-scroll">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3 max-md:px-4">
        <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <PageHeading title={[t('waits.title')]}>{t('waits.title')}</PageHeading>
          {sums.oldest === null ? null : (
            <span className="text-table text-t2">
              {t('waits.waiting', { who: namesOf(waiters) })} · {t('waits.longest')} <Elapsed since={sums.oldest} />
              {sums.circles > 0 ? ` · ${t('waits.circles', { count: sums.circles })}` : null}
            </span>
          )}
        </div>
        <Checkbox
          label={t('waits.showEnded')}
          isChecked={isEnded}
          onChange={(next) => setSearch({ ended: next ? '' : null }, { replace: true })}
        />
        {tasks.length > 1 || task !== null ? (
          <Select
            label={t('waits.taskFilter')}
            isLabelHidden
            className="w-52"
            value={task ?? 'all'}
            onChange={change}
            options={[
              { value: 'all', label: t('waits.allTasks') },
              ...tasks.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        ) : null}
      </div>
      <WaitBoard
        rows={rows}
        emptyAction={task === null ? undefined : <Button onClick={() => change('all')}>{t('waits.allTasks')}</Button>}
      />
      {isEnded
        ? endedIn(overview, task).map((row) => (
            <Ended
              key={row.task}
              taskId={row.task}
              isSecond={rows.length > 0}
              name={task === null ? taskTitle(row.name) : undefined}
            />
          ))
        : null}
    </div>
  )
}

/** The tasks whose ended waits are shown: the chosen one, or the newest. */
function endedIn(overview: readonly OverviewRow[], task: string | null): readonly OverviewRow[] {
  if (task !== null) return overview.filter((row) => row.task === task)
  const newest = (row: OverviewRow): number => row.endedAt ?? row.createdAt
  return overview
    .filter(({ base }) => !base)
    .sort((a, b) => newest(b) - newest(a))
    .slice(0, MOST_TASKS)
}

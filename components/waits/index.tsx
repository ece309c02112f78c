/**
 * The screen /waits: who stands still and for whom, as a table and as a picture, and the ways to free it.
 *
 * Owns: heading, the choice of the task (in the address), the faces. Not here: table, graph, acts (their own files).
 */
import { CircleCheck } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useViewStatus } from '@/client'
import { setSearch, useSearchParam } from '@/client/nav'
import { useIsNarrow } from '@/components/tasks/useIsNarrow'
import { Button } from '@/components/ui/Button'
import { Select } from '@/components/ui/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { Elapsed } from '@/components/ui/Time'
import { groupsOf } from './layout'
import { WaitGraph } from './WaitGraph'
import { WaitTable } from './WaitTable'
import { sumsOf, tasksOf, waitsIn } from './waitList'

/** More members than this make no picture; the table has them all. */
const MOST_IN_GRAPH = 80

export default function WaitsScreen() {
  const t = useTranslations()
  const all = useRows('waits')
  const { status, reason } = useViewStatus('waits')
  const isNarrow = useIsNarrow()
  const task = useSearchParam('task')
  const rows = useMemo(() => waitsIn(all, task), [all, task])
  const sums = useMemo(() => sumsOf(rows), [rows])
  const tasks = useMemo(() => tasksOf(all), [all])
  const groups = useMemo(() => groupsOf(rows), [rows])
  const drawn = groups.reduce((count, group) => count + group.nodes.length, 0)
  const change = (next: string): void => setSearch({ task: next === 'all' ? null : next }, { replace: true })
  return (
    <div className="min-h-0 grow overflow-x-hidden overflow-y-auto">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3 max-md:px-4">
        <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <PageHeading title={[t('waits.title')]}>{t('waits.title')}</PageHeading>
          {sums.oldest === null ? null : (
            <span className="text-table text-t2">
              {t('waits.stillCount', { count: sums.agents })} · {t('waits.longest')} <Elapsed since={sums.oldest} />
              {sums.circles > 0 ? ` · ${t('waits.circles', { count: sums.circles })}` : null}
            </span>
          )}
        </div>
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
      {status === 'loading' ? (
        <div aria-busy="true">
          <span className="sr-only">{t('common.loading')}</span>
          <Skeleton lines={8} />
        </div>
      ) : status === 'closed' ? (
        <ErrorState title={t(reason === 'not-allowed' ? 'waits.notAllowed' : 'waits.broken')}>
          {t(reason === 'not-allowed' ? 'waits.notAllowedWhy' : 'waits.brokenWhy')}
        </ErrorState>
      ) : rows.length === 0 ? (
        <EmptyState
          title={t('waits.empty')}
          icon={<CircleCheck aria-hidden />}
          action={task === null ? undefined : <Button onClick={() => change('all')}>{t('waits.allTasks')}</Button>}
        >
          {t('waits.emptyWhy')}
        </EmptyState>
      ) : (
        // The table comes first for keys and ears; on a wide page the picture stands above it.
        <div className="flex flex-col">
          <WaitTable rows={rows} isNarrow={isNarrow} />
          {drawn > MOST_IN_GRAPH ? (
            <p className="px-5 py-3 text-t3 max-md:px-4">{t('waits.tooMany')}</p>
          ) : (
            <WaitGraph groups={groups} isNarrow={isNarrow} className="md:-order-1 md:border-t md:border-line" />
          )}
        </div>
      )}
    </div>
  )
}

/**
 * The screen /tasks: the whole system at a glance, and the way to ask for new work.
 *
 * Owns: heading, filters (in the address), the faces of the table. Not here: rows and cells (TaskTable.tsx), the dialog (AskDialog.tsx).
 */
import { Layers, Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { setSearch, useSearchParam } from '@/client/nav'
import { useKey } from '@/components/shell/keyboard'
import type { ScreenProps } from '@/components/shell/screens'
import { Button } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { TextField } from '@/components/ui/TextField'
import { ArchivedTasks } from './ArchivedTasks'
import { AskDialog } from './AskDialog'
import { DemoStart } from './DemoStart'
import { TaskTable } from './TaskTable'
import { filterTasks, readSort, readStateFilter, STATE_FILTERS, sortTasks, writeSort } from './taskList'
import { useIsNarrow } from './useIsNarrow'

export default function TasksScreen({ person }: ScreenProps) {
  const t = useTranslations()
  const all = useRows('overview')
  const totals = useTotals('overview')
  const status = useViewStatus('overview')
  const isNarrow = useIsNarrow()
  // A link from elsewhere can open the dialog: /tasks?ask=1.
  const isAskedFor = useSearchParam('ask') === '1'
  const [isOpen, setOpen] = useState(false)
  const isAsking = isOpen || isAskedFor
  const filterBox = useRef<HTMLInputElement>(null)
  const scroller = useRef<HTMLDivElement>(null)

  const text = useSearchParam('q') ?? ''
  const state = readStateFilter(useSearchParam('state'))
  const isLoadShown = useSearchParam('load') === '1'
  const sortText = useSearchParam('sort')
  const sort = useMemo(() => readSort(sortText), [sortText])
  const rows = useMemo(
    () => sortTasks(filterTasks(all, { text, state, isLoadShown }), sort),
    [all, text, state, isLoadShown, sort],
  )
  const loads = useMemo(() => all.filter((row) => row.load).length, [all])
  const baseTask = useMemo(() => all.find((row) => row.base)?.task ?? null, [all])
  // Letters are no steps to go back through.
  const change = (next: Record<string, string | null>): void => setSearch(next, { replace: true })
  const setAsking = (next: boolean): void => {
    setOpen(next)
    if (!next && isAskedFor) change({ ask: null })
  }
  useKey('/', t('tasks.filter'), () => filterBox.current?.focus())

  return (
    <div ref={scroller} className="relative min-h-0 grow overflow-x-hidden overflow-y-auto">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3 max-md:px-4">
        <div className="flex min-w-0 grow items-baseline gap-3">
          <PageHeading title={[t('tasks.title')]}>{t('tasks.title')}</PageHeading>
          {totals ? (
            <span className="text-table text-t2">
              {t('tasks.counts', { count: totals.tasks - loads, stuck: totals.waiting })}
            </span>
          ) : null}
        </div>
        <Button look="primary" icon={<Plus aria-hidden />} onClick={() => setAsking(true)}>
          {t('tasks.ask')}
        </Button>
      </div>
      <DemoStart isShort={isNarrow && all.length > 1} />
      <search className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-5 pb-3 max-md:px-4">
        <span className="w-70 max-w-full max-md:w-36 max-md:grow">
          <TextField
            ref={filterBox}
            type="search"
            label={t('tasks.filter')}
            isLabelHidden
            placeholder={t('tasks.filter')}
            value={text}
            onChange={(event) => change({ q: event.target.value === '' ? null : event.target.value })}
          />
        </span>
        <Select
          label={t('tasks.stateFilter')}
          isLabelHidden
          className="w-36"
          value={state}
          onChange={(next) => change({ state: next === 'all' ? null : next })}
          options={STATE_FILTERS.map((value) => ({ value, label: t(`tasks.filterState.${value}`) }))}
        />
        {loads > 0 ? (
          <Checkbox
            label={t('tasks.showLoad', { count: loads })}
            isChecked={isLoadShown}
            onChange={(next) => change({ load: next ? '1' : null })}
          />
        ) : null}
      </search>
      {state === 'archived' ? (
        <ArchivedTasks text={text} />
      ) : status.status === 'loading' ? (
        <div aria-busy="true">
          <span className="sr-only">{t('common.loading')}</span>
          <Skeleton lines={8} />
        </div>
      ) : status.status === 'closed' ? (
        <ErrorState title={t('tasks.broken')}>{t('tasks.brokenWhy')}</ErrorState>
      ) : rows.length === 0 ? (
        <Nothing
          isFiltered={text !== '' || state !== 'all'}
          onClear={() => change({ q: null, state: null })}
          onAsk={() => setAsking(true)}
        />
      ) : (
        <TaskTable
          key={isNarrow ? 'cards' : 'rows'}
          rows={rows}
          me={person.agent_id}
          sort={sort}
          onSort={(next) => change({ sort: writeSort(next) })}
          isNarrow={isNarrow}
          scroller={scroller}
        />
      )}
      <AskDialog isOpen={isAsking} onOpenChange={setAsking} me={person.agent_id} baseTask={baseTask} />
    </div>
  )
}

function Nothing({ isFiltered, onClear, onAsk }: { isFiltered: boolean; onClear: () => void; onAsk: () => void }) {
  const t = useTranslations('tasks')
  return isFiltered ? (
    <EmptyState
      title={t('nothingFits')}
      icon={<Layers aria-hidden />}
      action={<Button onClick={onClear}>{t('clear')}</Button>}
    >
      {t('nothingFitsWhy')}
    </EmptyState>
  ) : (
    <EmptyState title={t('empty')} icon={<Layers aria-hidden />} action={<Button onClick={onAsk}>{t('ask')}</Button>}>
      {t('emptyWhy')}
    </EmptyState>
  )
}

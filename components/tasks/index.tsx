/** The screen /tasks: the whole system at a glance, and asking for new work. */
import { Layers, Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { Button } from '@/components/ui/Button'
import { Checkbox, OptionalSelect } from '@/components/ui/fields/Choice'
import { FilterHead } from '@/components/ui/fields/FilterBox'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { ListStates } from '@/components/ui/Table'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import { ArchivedTasks } from './ArchivedTasks'
import { readAgain } from './askAgain'
import { DemoStart } from './DemoStart'
import { AskDialog } from './lazy'
import { OpenedArchives } from './OpenedArchives'
import { TaskTable } from './TaskTable'
import { filterTasks, readSort, readStateFilter, STATE_FILTERS, sortTasks, taskMembersOf, writeSort } from './taskList'

export default function TasksScreen({ person }: ScreenProps) {
  const t = useTranslations()
  const all = useRows('overview')
  const totals = useTotals('overview')
  const status = useViewStatus('overview')
  const isNarrow = useIsNarrow()
  // A link from elsewhere can open the dialog: /tasks?ask=1.
  const isAskedFor = useSearchParam('ask') === '1'
  const again = readAgain(useSearchParam('again'))
  const template = useSearchParam('template')
  const [isOpen, setOpen] = useState(false)
  const isAsking = isOpen || isAskedFor
  const scroller = useRef<HTMLDivElement>(null)

  const text = useSearchParam('q') ?? ''
  const state = readStateFilter(useSearchParam('state'))
  const sortText = useSearchParam('sort')
  const sort = useMemo(() => readSort(sortText), [sortText])
  const member = useSearchParam('who')
  const rows = useMemo(
    () => sortTasks(filterTasks(all, { text, state, member }), sort),
    [all, text, state, member, sort],
  )
  const members = useMemo(() => taskMembersOf(all), [all])
  // Typing adds no entries to the history.
  const change = (next: Record<string, string | null>): void => setSearch(next, { replace: true })
  const setAsking = (next: boolean): void => {
    setOpen(next)
    if (!next && isAskedFor) change({ ask: null, again: null, template: null })
  }
  const isOperator = person.access === 'operator'

  return (
    <div ref={scroller} className="page-scroll">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3 max-md:px-4">
        <div className="flex min-w-0 grow items-baseline gap-3 max-md:flex-col max-md:gap-0">
          <PageHeading title={[t('tasks.title')]}>{t('tasks.title')}</PageHeading>
          {totals ? (
            <span className="text-table text-t2">
              {t('tasks.counts', { count: totals.tasks, stuck: totals.waiting })}
            </span>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-3 max-md:flex-row-reverse">
          <Button look="primary" icon={<Plus />} onClick={() => setAsking(true)}>
            {t('tasks.ask')}
          </Button>
        </div>
      </div>
      <DemoStart isShort={isNarrow && all.length > 1} />
      <FilterHead
        label={t('tasks.filter')}
        state={{
          label: t('tasks.stateFilter'),
          value: state,
          options: STATE_FILTERS.map((value) => ({ value, label: t(`tasks.filterState.${value}`) })),
        }}
      >
        <MemberFilter member={member} members={members} me={person.agent_id} onChange={(who) => change({ who })} />
      </FilterHead>
      {state === 'archived' ? (
        <>
          {isOperator ? <OpenedArchives text={text} /> : null}
          <ArchivedTasks text={text} />
        </>
      ) : (
        <ListStates
          status={status.status}
          broken={<ErrorState title={t('tasks.broken')}>{t('tasks.brokenWhy')}</ErrorState>}
          empty={
            rows.length > 0 ? null : (
              <Nothing
                isFiltered={text !== '' || state !== 'all' || member !== null}
                onClear={() => change({ q: null, state: null, who: null })}
                onAsk={() => setAsking(true)}
              />
            )
          }
        >
          <TaskTable rows={rows} sort={sort} onSort={(next) => change({ sort: writeSort(next) })} scroller={scroller} />
        </ListStates>
      )}
      {isAsking ? (
        <AskDialog
          onClose={() => setAsking(false)}
          me={person.agent_id}
          again={isAskedFor ? again : null}
          template={isAskedFor ? template : null}
          isOwnTask={false}
        />
      ) : null}
    </div>
  )
}

type MemberFilterProps = {
  member: string | null
  members: readonly { id: string; name: string }[]
  me: string
  onChange: (member: string | null) => void
}

function MemberFilter({ member, members, me, onChange }: MemberFilterProps) {
  const t = useTranslations('tasks')
  return (
    <>
      <OptionalSelect
        label={t('memberFilter')}
        isLabelHidden
        className="w-36"
        none={t('anybody')}
        value={member}
        options={members.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={onChange}
      />
      <Checkbox label={t('onlyMine')} isChecked={member === me} onChange={(next) => onChange(next ? me : null)} />
    </>
  )
}

function Nothing({ isFiltered, onClear, onAsk }: { isFiltered: boolean; onClear: () => void; onAsk: () => void }) {
  const t = useTranslations('tasks')
  return isFiltered ? (
    <EmptyState title={t('nothingFits')} icon={<Layers />} action={<Button onClick={onClear}>{t('clear')}</Button>}>
      {t('nothingFitsWhy')}
    </EmptyState>
  ) : (
    <EmptyState title={t('empty')} icon={<Layers />} action={<Button onClick={onAsk}>{t('ask')}</Button>}>
      {t('emptyWhy')}
    </EmptyState>
  )
}

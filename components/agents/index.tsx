/**
 * The screen /agents: the whole team, those who stand still first.
 *
 * Owns: heading, filters (in the address), the faces of the table. Not here: rows and cells (AgentTable.tsx), one of them (Profile.tsx).
 */
import { Bot } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { Link, pathTo, setSearch, useSearchParam } from '@/client/nav'
import { useKey } from '@/components/shell/keyboard'
import { useIsNarrow } from '@/components/tasks/useIsNarrow'
import { Button, buttonClass } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { TextField } from '@/components/ui/TextField'
import { AgentTable } from './AgentTable'
import { AGENT_FILTERS, filterAgents, readAgentFilter } from './agentList'

export default function AgentsScreen() {
  const t = useTranslations()
  const all = useRows('agents')
  const totals = useTotals('agents')
  const { status, reason } = useViewStatus('agents')
  const isNarrow = useIsNarrow()
  const filterBox = useRef<HTMLInputElement>(null)
  const text = useSearchParam('q') ?? ''
  const filter = readAgentFilter(useSearchParam('state'))
  const isLoadShown = useSearchParam('load') === '1'
  const rows = useMemo(() => filterAgents(all, { text, filter, isLoadShown }), [all, text, filter, isLoadShown])
  const loads = useMemo(() => all.filter((row) => row.load).length, [all])
  const change = (next: Record<string, string | null>): void => setSearch(next, { replace: true })
  useKey('/', t('agents.filter'), () => filterBox.current?.focus())

  return (
    <div className="relative min-h-0 grow overflow-x-hidden overflow-y-auto">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-5 pt-4 pb-3 max-md:px-4">
        <PageHeading title={[t('agents.title')]}>{t('agents.title')}</PageHeading>
        {totals ? (
          <span className="text-table text-t2">
            {t('agents.counts', {
              agents: totals.agents,
              people: totals.people,
              stuck: totals.waiting + totals.blocked,
            })}
          </span>
        ) : null}
      </div>
      {status === 'closed' ? (
        <ErrorState
          title={t(reason === 'not-allowed' ? 'agents.notAllowed' : 'agents.broken')}
          action={
            <Link href={pathTo('inbox')} className={buttonClass('plain')}>
              {t('error.toInbox')}
            </Link>
          }
        >
          {t(reason === 'not-allowed' ? 'agents.notAllowedWhy' : 'agents.brokenWhy')}
        </ErrorState>
      ) : (
        <>
          <search className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 pb-3 max-md:px-4">
            <span className="w-70 max-w-full max-md:w-36 max-md:grow">
              <TextField
                ref={filterBox}
                type="search"
                label={t('agents.filter')}
                isLabelHidden
                placeholder={t('agents.filter')}
                value={text}
                onChange={(event) => change({ q: event.target.value === '' ? null : event.target.value })}
              />
            </span>
            <Select
              label={t('agents.stateFilter')}
              isLabelHidden
              className="w-36"
              value={filter}
              onChange={(next) => change({ state: next === 'all' ? null : next })}
              options={AGENT_FILTERS.map((value) => ({ value, label: t(`agents.filterState.${value}`) }))}
            />
            {loads > 0 ? (
              <Checkbox
                label={t('tasks.showLoad', { count: loads })}
                isChecked={isLoadShown}
                onChange={(next) => change({ load: next ? '1' : null })}
              />
            ) : null}
          </search>
          {status === 'loading' ? (
            <div aria-busy="true">
              <span className="sr-only">{t('common.loading')}</span>
              <Skeleton lines={8} />
            </div>
          ) : rows.length === 0 ? (
            <EmptyState
              title={t('agents.nothingFits')}
              icon={<Bot aria-hidden />}
              action={<Button onClick={() => change({ q: null, state: null })}>{t('tasks.clear')}</Button>}
            >
              {t('agents.nothingFitsWhy')}
            </EmptyState>
          ) : (
            <AgentTable rows={rows} isNarrow={isNarrow} />
          )}
        </>
      )}
    </div>
  )
}

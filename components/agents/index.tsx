import { Bot } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { pathTo, setSearch, useSearchParam } from '@/client/nav'
import { NewAgentButton } from '@/components/setup/AgentSetupButtons'
import { TeamFilesButton } from '@/components/setup/TeamFilesButton'
import { Button, LinkButton } from '@/components/ui/Button'
import { FilterHead } from '@/components/ui/fields/FilterBox'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { ListStates } from '@/components/ui/Table'
import { fitsWords } from '@/lib/format/fitsWords'
import type { AgentRow } from '@/lib/wire'
import { AgentTable } from './AgentTable'

const AGENT_FILTERS = ['all', 'stuck', 'running', 'idle', 'people'] as const
type AgentFilter = (typeof AGENT_FILTERS)[number]
export const readAgentFilter = (text: string | null): AgentFilter => AGENT_FILTERS.find((one) => one === text) ?? 'all'

function fits(row: AgentRow, filter: AgentFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'stuck':
      return row.chip === 'waiting' || row.chip === 'blocked'
    case 'people':
      return row.who.kind === 'human'
    case 'running':
    case 'idle':
      return row.chip === filter && row.who.kind !== 'human'
  }
}

export const filterAgents = (
  rows: readonly AgentRow[],
  { text, filter }: { text: string; filter: AgentFilter },
): AgentRow[] => {
  const has = fitsWords(text)
  return rows.filter((row) => {
    const { name, role } = row.who
    return fits(row, filter) && has(name, role, ...row.tasks.map((task) => task.name))
  })
}

export default function AgentsScreen() {
  const t = useTranslations()
  const all = useRows('agents')
  const totals = useTotals('agents')
  const { status, reason } = useViewStatus('agents')
  const text = useSearchParam('q') ?? ''
  const filter = readAgentFilter(useSearchParam('state'))
  const rows = filterAgents(all, { text, filter })
  const clear = (): void => setSearch({ q: null, state: null }, { replace: true })

  return (
    <div className="page-scroll">
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
        <span className="grow" />
        <TeamFilesButton />
        <NewAgentButton />
      </div>
      {status === 'closed' ? (
        <ErrorState
          title={t(reason === 'not-allowed' ? 'agents.notAllowed' : 'agents.broken')}
          action={<LinkButton href={pathTo('inbox')}>{t('error.toInbox')}</LinkButton>}
        >
          {t(reason === 'not-allowed' ? 'agents.notAllowedWhy' : 'agents.brokenWhy')}
        </ErrorState>
      ) : (
        <>
          <FilterHead
            label={t('agents.filter')}
            state={{
              label: t('agents.stateFilter'),
              value: filter,
              options: AGENT_FILTERS.map((value) => ({ value, label: t(`agents.filterState.${value}`) })),
            }}
          />
          <ListStates
            status={status}
            broken={null}
            empty={
              rows.length > 0 ? null : (
                <EmptyState
                  title={t('agents.nothingFits')}
                  icon={<Bot />}
                  action={<Button onClick={clear}>{t('tasks.clear')}</Button>}
                >
                  {t('agents.nothingFitsWhy')}
                </EmptyState>
              )
            }
          >
            <AgentTable rows={rows} />
          </ListStates>
        </>
      )}
    </div>
  )
}

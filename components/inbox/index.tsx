/** The inbox: its four views as tabs. */
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/components/shell/screenTypes'
import { PageHeading } from '@/components/ui/PageHeading'
import { Skeleton } from '@/components/ui/States'
import { TabLinks } from '@/components/ui/Tabs'
import { DoneList, Information } from './DoneList'
import { FirstRun, useIsFirstRunKnown } from './FirstRun'
import { NeedsMe } from './NeedsMe'
import { viewOf } from './rows'
import { TransferAll } from './TransferAll'
import { TransferOffers } from './TransferOffers'
import { WaitingList } from './WaitingList'

export default function Inbox({ person }: ScreenProps) {
  const t = useTranslations('inbox')
  const rows = useRows('me')
  const totals = useTotals('me')
  const { status } = useViewStatus('me')
  const view = viewOf(useSearchParam('view'))
  const isFirstRunKnown = useIsFirstRunKnown()
  const isLoading = status === 'loading' || (view === 'needs-me' && !isFirstRunKnown)
  const words = { 'needs-me': t('needsMe'), waiting: t('waiting'), fyi: t('information'), done: t('done') }
  return (
    <div data-scroll className="min-h-0 grow overflow-y-auto px-6 pb-12 max-md:px-4">
      <div className="mx-auto max-w-[53.5rem]">
        <div className="flex items-center justify-between gap-3 pt-5 pb-2 touch:min-h-18 max-md:pt-4">
          <PageHeading title={[t('title'), words[view]]}>{t('title')}</PageHeading>
          {view === 'needs-me' ? <TransferAll rows={rows} person={person.agent_id} /> : null}
        </div>
        <TabLinks
          label={t('views')}
          panel="inbox-panel"
          value={view}
          hrefOf={(value) => `/inbox?view=${value}`}
          tabs={[
            { value: 'needs-me', label: words['needs-me'], count: totals?.needsMe ?? null },
            {
              value: 'waiting',
              label: words.waiting,
              short: t('waitingShort'),
              count: totals?.waitingOnOthers ?? null,
            },
            { value: 'fyi', label: words.fyi, short: t('informationShort') },
            { value: 'done', label: words.done },
          ]}
        />
        <div
          id="inbox-panel"
          role="tabpanel"
          aria-label={words[view]}
          aria-busy={isLoading || undefined}
          className="flow-root"
        >
          {isLoading ? (
            <Skeleton lines={6} className="px-0!" />
          ) : view === 'needs-me' ? (
            <>
              {totals?.rehearsal ? <FirstRun /> : null}
              <TransferOffers rows={rows} person={person.agent_id} />
              <NeedsMe rows={rows} totals={totals} person={person.agent_id} />
            </>
          ) : view === 'waiting' ? (
            <WaitingList rows={rows.filter((row) => row.kind === 'waiting')} />
          ) : view === 'fyi' ? (
            <Information rows={rows.filter((row) => row.group === 'info')} />
          ) : (
            <DoneList rows={rows.filter((row) => row.group === 'done')} />
          )}
        </div>
      </div>
    </div>
  )
}

import { ListChecks, ListFilter } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { useMe } from '@/client/account/session'
import { useNow } from '@/client/clock'
import { Link, useLocation, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { Button, buttonClass, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { PageHeading } from '@/components/ui/PageHeading'
import { Skeleton } from '@/components/ui/States'
import { TabLinks } from '@/components/ui/Tabs'
import { useMedia } from '@/components/ui/useIsNarrow'
import type { AgentId } from '@/lib/mas/ids'
import type { InboxFilter } from '@/lib/wire/inboxFilter'
import { FirstRun, useIsFirstRunKnown } from './FirstRun'
import { FilterBar, OtherViews, SelectionActions, TransferDialog, TransferOffers } from './lazy'
import { NeedsMe } from './NeedsMe'
import { PasswordLine } from './PasswordLine'
import { filterHref, filterRows, isFiltered, readRowFilter } from './rowFilter'
import { isOpenRow, type OpenRow, snoozedUntil, transferableRows, transferOffers, viewOf } from './rows'

export default function Inbox({ person }: ScreenProps) {
  const t = useTranslations('inbox')
  const rows = useRows('me')
  const totals = useTotals('me')
  const { status } = useViewStatus('me')
  const view = viewOf(useSearchParam('view'))
  const isFirstRunKnown = useIsFirstRunKnown()
  const filter = useRowFilter()
  /** null: neither opened nor closed; they are shown while the address has one. */
  const [isFilterTurned, setFilterTurned] = useState<boolean | null>(null)
  const isFilterOpen = isFilterTurned ?? isFiltered(filter)
  const hasViews = (useMe()?.settings.views ?? []).length > 0
  /** Ids of chosen items; null: nothing is being selected. */
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const now = useNow(filter.snoozed ? 'minutes' : null)
  const open = useMemo(() => rows.filter(isOpenRow), [rows])
  const shown = useMemo(() => filterRows(open, filter, person.agent_id, now), [open, filter, person.agent_id, now])
  const offers = transferOffers(rows, person.agent_id)
  const isBeside = useHasRoomBeside()
  const isLoading = status === 'loading' || (view === 'needs-me' && !isFirstRunKnown)
  const words = { 'needs-me': t('needsMe'), waiting: t('waiting'), fyi: t('information'), done: t('done') }
  const panel = useRef<HTMLDivElement>(null)
  const hints = (
    <>
      {totals?.rehearsal ? <FirstRun /> : null}
      <PasswordLine />
    </>
  )
  const above = (
    <>
      {isFilterOpen || hasViews || isFiltered(filter) ? (
        <FilterBar rows={open} filter={filter} isEmpty={shown.length === 0} isOpen={isFilterOpen} />
      ) : null}
      {offers.length > 0 ? <TransferOffers offers={offers} /> : null}
    </>
  )
  return (
    <div
      data-scroll={isBeside ? undefined : true}
      className={isBeside ? 'flex min-h-0 grow flex-col' : 'page-scroll pb-12'}
    >
      <div className={cx('shrink-0', isBeside ? 'px-5' : 'page-column')}>
        <div className="flex items-center justify-between gap-3 pt-5 pb-2 touch:min-h-18 max-md:pt-4">
          <PageHeading title={[t('title'), words[view]]}>{t('title')}</PageHeading>
          {view === 'needs-me' ? (
            <HeadButtons
              open={open}
              me={person.agent_id}
              isFilterOpen={isFilterOpen}
              onFilter={() => setFilterTurned(!isFilterOpen)}
              isSelecting={chosen !== null}
              onSelect={() => setChosen(chosen === null ? new Set() : null)}
            />
          ) : null}
        </div>
        <TabLinks
          label={t('views')}
          panel="inbox-panel"
          value={view}
          hrefOf={(value) => `/inbox?view=${value}`}
          className={isBeside ? '-mx-5 px-5' : undefined}
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
      </div>
      <div
        ref={panel}
        id="inbox-panel"
        role="tabpanel"
        tabIndex={-1}
        aria-label={words[view]}
        aria-busy={isLoading || undefined}
        className={cx('outline-none', isBeside ? 'flex min-h-0 grow flex-col' : 'page-column flow-root')}
      >
        {isLoading ? (
          <Skeleton lines={6} className={isBeside ? undefined : 'px-0!'} />
        ) : view === 'needs-me' ? (
          <NeedsMe
            rows={rows}
            shown={shown}
            filter={filter}
            totals={totals}
            person={person.agent_id}
            isBeside={isBeside}
            panel={panel}
            chosen={chosen}
            onChoose={(item, isIn) =>
              setChosen((old) => new Set([...(old ?? []), item].filter((id) => isIn || id !== item)))
            }
            above={above}
            hints={hints}
            selection={
              chosen === null ? null : (
                <SelectionActions
                  shown={shown}
                  chosen={chosen}
                  me={person.agent_id}
                  isBeside={isBeside}
                  onChoose={setChosen}
                />
              )
            }
          />
        ) : (
          <OtherViews view={view} rows={rows} me={person.agent_id} isBeside={isBeside} />
        )}
      </div>
    </div>
  )
}

/** Whether list and item stand side by side: on a wide window without the inspector. */
function useHasRoomBeside(): boolean {
  const isWide = useMedia('(width >= 80rem)')
  return useSearchParam('inspect') === null && isWide
}

function useRowFilter(): InboxFilter {
  const search = useLocation()?.search.toString() ?? ''
  return useMemo(() => {
    const given = new URLSearchParams(search)
    return readRowFilter((name) => given.get(name))
  }, [search])
}

type HeadButtonsProps = {
  open: readonly OpenRow[]
  me: AgentId
  isFilterOpen: boolean
  onFilter: () => void
  isSelecting: boolean
  onSelect: () => void
}

/** open: all that need the reader */
function HeadButtons({ open, me, isFilterOpen, onFilter, isSelecting, onSelect }: HeadButtonsProps) {
  const t = useTranslations('inbox')
  const now = useNow('minutes')
  const [isTransferring, setTransferring] = useState(false)
  const items = transferableRows(open, me)
  const snoozed = open.filter((row) => snoozedUntil(row, me) > now).length
  if (open.length === 0) return null
  return (
    <div className="-mr-2.5 flex flex-wrap items-center justify-end gap-1">
      {snoozed > 0 ? (
        <Link href={filterHref({ snoozed: true })} className={cx(buttonClass('quiet'), 'max-md:order-last')}>
          {t('snoozed', { count: snoozed })}
        </Link>
      ) : null}
      <IconButton icon={<ListFilter />} label={t('filter')} aria-expanded={isFilterOpen} onClick={onFilter} />
      <IconButton icon={<ListChecks />} label={t('select')} aria-pressed={isSelecting} onClick={onSelect} />
      {items.length > 0 ? (
        <Button look="quiet" onClick={() => setTransferring(true)}>
          {t('handOver')}
        </Button>
      ) : null}
      {isTransferring ? <TransferDialog items={items} person={me} onClose={() => setTransferring(false)} /> : null}
    </div>
  )
}

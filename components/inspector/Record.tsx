/** The inspector of a record: a head, Summary, tabs of its kind, JSON, a foot. */
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { ViewStatus } from '@/client'
import { pathTo, setSearch, useLocation } from '@/client/nav'
import { LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { JsonView } from '@/components/ui/lazy'
import { ErrorState, Loading } from '@/components/ui/States'
import { TabList } from '@/components/ui/Tabs'
import { CopyLinkButton } from '@/components/ui/useCopyLink'

export type DetailsProps = { id: string; tab: string | null; onClose: () => void }

export function NoRecord({ status, onClose }: { status: ViewStatus; onClose: () => void }) {
  const t = useTranslations()
  if (status.status === 'loading') return <Loading lines={6} className="pt-12" />
  const isRefused = status.reason === 'not-allowed'
  return (
    <ErrorState
      title={t(isRefused ? 'inspector.refused' : 'inspector.gone')}
      action={
        <button type="button" className="link" onClick={onClose}>
          {t('shell.closeInspector')}
        </button>
      }
    >
      {t(isRefused ? 'inspector.refusedWhy' : 'inspector.goneWhy')}
    </ErrorState>
  )
}

type RecordTab = {
  value:
    | ('prompt' | 'response' | 'tool' | 'compare' | 'cost' | 'people' | 'shared' | 'agents' | 'deliveries')
    | ('queue' | 'memory' | 'history' | 'config')
  body: ReactNode
}

type RecordFrameProps = {
  kind: 'task' | 'stage' | 'agent' | 'message' | 'step'
  id: string
  /** Raw engine value. */
  state: string
  /** The last entry that changed it. */
  seq?: number
  name: string
  /** In the head; the name, if left out. */
  title?: string
  /** The accessible name. */
  label?: string
  tab: string | null
  icon: ReactNode
  chip: ReactNode
  below: ReactNode
  record: unknown
  /** Its address. */
  href: string
  /** The record in its task, where that is another address. */
  place?: string
  acts?: ReactNode
  /** Tabs between Summary and JSON. */
  more?: readonly RecordTab[]
  /** The summary. */
  children: ReactNode
}

export function RecordFrame({ name, title = name, tab, href, place = href, more = [], ...rest }: RecordFrameProps) {
  const t = useTranslations('inspector')
  const label = rest.label ?? t('recordNamed', { name })
  const chosen = more.find(({ value }) => value === tab)
  const value = tab === 'json' ? tab : (chosen?.value ?? 'summary')
  const tabs = (['summary', ...more.map((one) => one.value), 'json'] as const).map((one) => ({
    value: one,
    label: t(`tab.${one}`),
  }))
  return (
    <section
      aria-label={label}
      data-id={rest.id}
      data-kind={rest.kind}
      data-state={rest.state}
      data-seq={rest.seq}
      className="flex min-h-0 grow flex-col"
    >
      <div className="shrink-0 px-4 pt-3 md:pr-14">
        <div className="flex min-w-0 items-center gap-2">
          {rest.icon}
          <h2 tabIndex={-1} className="cut text-question font-bold" title={title}>
            {title}
          </h2>
          <span className="grow" />
          <span className="flex max-w-[60%] shrink-0 *:shrink">{rest.chip}</span>
        </div>
        <p className="mt-1 text-meta text-t3">{rest.below}</p>
      </div>
      <TabList
        label={t('details', { name })}
        tabs={tabs}
        value={value}
        onChange={(next) => setSearch({ tab: next === 'summary' ? null : next }, { replace: true })}
        className="flex min-h-0 grow flex-col"
        listClassName={cx(
          'mt-1.5 shrink-0 fade-on overflow-x-auto overflow-y-hidden px-4 [&>button]:-mx-1 [&>button]:px-1',
          '[&>button]:focus-visible:-outline-offset-2',
        )}
        panelClassName="min-h-0 grow overflow-y-auto outline-none focus-visible:-outline-offset-2"
      >
        <div className="flex min-w-0 flex-col gap-3 px-4 py-3">
          {value === 'json' ? (
            <JsonView value={rest.record} name={rest.label ?? name} />
          ) : (
            (chosen?.body ?? rest.children)
          )}
        </div>
      </TabList>
      <div className="flex shrink-0 [anchor-name:--inspector-foot] flex-wrap items-center gap-2 border-t border-line px-4 py-2">
        {rest.acts}
        <CopyLinkButton href={value === 'summary' ? href : `${href}${href.includes('?') ? '&' : '?'}tab=${value}`} />
        <PlaceLink place={place} />
      </div>
    </section>
  )
}

/** Nothing in the task itself, where the record is on this page. */
function PlaceLink({ place }: { place: string }) {
  const t = useTranslations('inspector')
  const here = useLocation()
  const taskId = here?.params.taskId
  const isHere =
    place.split('?')[0] === here?.pathname || (taskId !== undefined && place.startsWith(pathTo('task', { taskId })))
  return isHere ? null : (
    <LinkButton href={place}>
      <ExternalLink />
      {t('openInTask')}
    </LinkButton>
  )
}

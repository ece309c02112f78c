/** Parts of every inspector: head, pairs of name and value, section titles, the foot. */
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult } from '@/client/api'
import { Link, pathTo, setSearch, useLocation, withSearch } from '@/client/nav'
import { LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { ErrorState, FaultState, Loading } from '@/components/ui/States'
import { TabList } from '@/components/ui/Tabs'
import { LongText } from '@/components/ui/text/LongText'
import { CopyLinkButton } from '@/components/ui/useCopyLink'

type DetailsHeadProps = { icon: ReactNode; title: string; chip: ReactNode; below: ReactNode }

export function DetailsHead({ icon, title, chip, below }: DetailsHeadProps) {
  return (
    <div className="shrink-0 px-4 pt-3 md:pr-14">
      <div className="flex min-w-0 items-center gap-2">
        {icon}
        <h2 tabIndex={-1} className="cut text-question font-bold" title={title}>
          {title}
        </h2>
        <span className="grow" />
        <span className="flex min-w-0 max-w-[45%] shrink-0 overflow-hidden">{chip}</span>
      </div>
      <p className="mt-1 text-meta text-t3">{below}</p>
    </div>
  )
}

type DetailsTabsProps = {
  name: string
  tabs: readonly { value: string; label: string }[]
  /** The one that is open, as the address names it; `summary` is named by none. */
  value: string
  children: ReactNode
}

export function DetailsTabs({ name, tabs, value, children }: DetailsTabsProps) {
  const t = useTranslations('inspector')
  return (
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
      <div className="flex min-w-0 flex-col gap-3 px-4 py-3">{children}</div>
    </TabList>
  )
}

export const DetailsTitle = ({ children }: { children: ReactNode }) => (
  <h3 className="mt-1 text-meta font-medium text-t3">{children}</h3>
)

/** Names and values in two columns; what has no value is left out. */
export const NamedValues = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-table">{children}</dl>
)
export const NamedValue = ({ name, children }: { name: string; children: ReactNode }) =>
  children === null || children === undefined || children === '' ? null : (
    <>
      <dt className="text-t3">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )

/** in: record: as the address names it: `StepState_<id>` */
export const InspectLink = ({ record, children }: { record: string; children: ReactNode }) => (
  <Link href={withSearch({ inspect: record, tab: null })} className="link">
    {children}
  </Link>
)

/** A text as it was written: cut when long, never as markup. */
export const WrittenBlock = ({ text }: { text: string }) => (
  <div className="min-w-0 rounded-control bg-s3 px-3 py-2 text-table break-words whitespace-pre-wrap">
    <LongText text={text} />
  </div>
)

type FetchedProps<T> = {
  answer: ApiResult<T> | null
  onRetry: () => void
  /** What a missing answer means; without it that is an error. */
  goneText?: string
  children: (value: T) => ReactNode
}

/** Draws an answer once it is loaded; loading, gone, refused and broken before. */
export function Fetched<T>({ answer, onRetry, goneText, children }: FetchedProps<T>) {
  const t = useTranslations()
  if (answer === null) return <Loading lines={4} className="p-0!" />
  if (answer.ok) return children(answer.value)
  const { fault } = answer
  if (fault.error === 'NOT_FOUND' && goneText !== undefined) return <p className="text-table text-t3">{goneText}</p>
  if (fault.error === 'NOT_FOUND') return <ErrorState title={t('inspector.gone')}>{t('inspector.goneWhy')}</ErrorState>
  if (fault.error === 'NOT_ALLOWED') return <FaultState title={t('inspector.refused')} fault={fault} />
  return <FaultState title={t('inspector.broken')} fault={fault} onRetry={onRetry} />
}

/** The foot: acts on this record, copy its address, go to its place. */
export function DetailsFoot({ href, place, children }: { href: string; place: string; children?: ReactNode }) {
  const t = useTranslations()
  const here = useLocation()
  // In the task itself the record is on this page.
  const isHere =
    here !== null &&
    (place.split('?')[0] === here.pathname ||
      (here.params.taskId !== undefined && place.startsWith(pathTo('task', { taskId: here.params.taskId }))))
  return (
    <div data-foot="" className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-4 py-2">
      {children}
      <CopyLinkButton href={href} />
      {isHere ? null : (
        <LinkButton href={place}>
          <ExternalLink />
          {t('inspector.openInTask')}
        </LinkButton>
      )}
    </div>
  )
}

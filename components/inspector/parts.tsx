/** Parts of every inspector: pairs of name and value, section titles, links, what is fetched. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, withSearch } from '@/client/nav'
import type { ApiQuery } from '@/client/queries'
import { ErrorState, FaultState, Loading } from '@/components/ui/States'
import { LongText } from '@/components/ui/text/LongText'

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
  query: ApiQuery<T>
  /** What a missing answer means; without it that is an error. */
  goneText?: string
  children: (value: T) => ReactNode
}

/** Draws an answer once it is loaded; loading, gone, refused and broken before. */
export function Fetched<T>({ query: { data, error: fault, refetch }, goneText, children }: FetchedProps<T>) {
  const t = useTranslations()
  if (data !== undefined) return children(data)
  if (fault === null) return <Loading lines={4} className="p-0!" />
  if (fault.error === 'NOT_FOUND' && goneText !== undefined) return <p className="text-table text-t3">{goneText}</p>
  if (fault.error === 'NOT_FOUND') return <ErrorState title={t('inspector.gone')}>{t('inspector.goneWhy')}</ErrorState>
  if (fault.error === 'NOT_ALLOWED') return <FaultState title={t('inspector.refused')} fault={fault} />
  return <FaultState title={t('inspector.broken')} fault={fault} onRetry={refetch} />
}

/** The inspector of records other than steps: a head, Summary, tabs of its kind, JSON, a foot. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { ViewStatus } from '@/client'
import { ErrorState, Loading } from '@/components/ui/States'
import { JsonView } from '@/components/ui/text/JsonView'
import { DetailsFoot, DetailsHead, DetailsTabs } from './parts'

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

export function RecordFrame({
  kind,
  id,
  state,
  name,
  tab,
  icon,
  chip,
  below,
  record,
  href,
  acts,
  more = [],
  children,
}: {
  kind: 'task' | 'stage' | 'agent' | 'message'
  id: string
  /** Raw engine value. */
  state: string
  name: string
  tab: string | null
  icon: ReactNode
  chip: ReactNode
  below: ReactNode
  record: unknown
  /** Of the record in its task. */
  href: string
  acts?: ReactNode
  /** Tabs between Summary and JSON. */
  more?: readonly { value: string; label: string; body: ReactNode }[]
  children: ReactNode
}) {
  const t = useTranslations('inspector')
  const chosen = more.find((one) => one.value === tab)
  const value = tab === 'json' ? 'json' : (chosen?.value ?? 'summary')
  return (
    <section
      aria-label={t('recordNamed', { name })}
      data-id={id}
      data-kind={kind}
      data-state={state}
      className="flex min-h-0 grow flex-col"
    >
      <DetailsHead icon={icon} title={name} chip={chip} below={below} />
      <DetailsTabs
        name={name}
        tabs={[
          { value: 'summary', label: t('tab.summary') },
          ...more.map(({ value: one, label }) => ({ value: one, label })),
          { value: 'json', label: t('tab.json') },
        ]}
        value={value}
      >
        {value === 'json' ? <JsonView value={record} name={name} /> : chosen ? chosen.body : children}
      </DetailsTabs>
      <DetailsFoot href={value === 'summary' ? href : `${href}&tab=${value}`} place={href}>
        {acts}
      </DetailsFoot>
    </section>
  )
}

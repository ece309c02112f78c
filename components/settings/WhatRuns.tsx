import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { FaultState, Skeleton } from '@/components/ui/States'
import { useList } from '@/components/ui/useList'
import { formatCount } from '@/lib/format'
import type { SystemInfo } from '@/lib/wire'
import { Setting } from './Setting'

export function WhatRuns() {
  const t = useTranslations()
  const listOf = useList()
  const { data, error, refetch } = useApiQuery<SystemInfo>('/api/system')
  if (error !== null) return <FaultState title={t('trial.failed')} fault={error} onRetry={refetch} />
  if (data === undefined) return <Skeleton lines={4} />
  const { version, models, rehearsal, limits } = data
  return (
    <section aria-label={t('settings.system')}>
      <Setting name={t('settings.version')}>
        <span data-literal className="font-mono text-table">
          {version}
        </span>
      </Setting>
      <Setting name={t('trial.models')}>
        {models.length === 0 ? null : (
          <span data-literal className="font-mono text-table">
            {listOf(models)}
          </span>
        )}
        {rehearsal ? <p className="mt-1 text-table text-t2">{t('shell.rehearsal')}</p> : null}
      </Setting>
      <Setting name={t('settings.limits')} hint={t('settings.limitsWhy')}>
        <dl className="grid w-fit grid-cols-[auto_auto] gap-x-6 gap-y-2 text-table">
          {limits.map((limit) => (
            <Limit key={limit.name} {...limit} />
          ))}
        </dl>
      </Setting>
      <Setting name={t('budgets.title')}>
        <Link href={pathTo('numbers')} className="link">
          {t('budgets.inNumbers')}
        </Link>
      </Setting>
    </section>
  )
}

function Limit({ name, value }: SystemInfo['limits'][number]) {
  const t = useTranslations('settings')
  return (
    <>
      <dt>
        {t(`limit.${name}`)}
        <code className="block font-mono text-meta text-t3">{name}</code>
      </dt>
      <dd className="text-right tabular-nums">{formatCount(value)}</dd>
    </>
  )
}

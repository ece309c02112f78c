/** What a task cost: time, tokens, money, and what people were asked. Unknown is a dash, estimated has its sign. */
import { useLocale, useTranslations } from 'use-intl'
import { formatCost, formatCount, formatDuration, formatTokens } from '@/lib/format'
import type { TaskResult } from '@/lib/wire'

export function Costs({ result }: { result: TaskResult }) {
  const { tookMs, calls, tokens, isEstimated, costUsd, questions, approvals } = result
  const t = useTranslations('result')
  const locale = useLocale()
  const sign = isEstimated ? '≈ ' : ''
  const isExact = costUsd === null || costUsd === 0
  const figures = [
    { name: t('took'), value: formatDuration(tookMs, locale) },
    { name: t('calls'), value: formatCount(calls) },
    { name: t('tokens'), value: `${sign}${formatTokens(tokens, locale)}` },
    { name: t('cost'), value: `${isExact ? '' : sign}${formatCost(costUsd)}` },
    { name: t('questions'), value: formatCount(questions) },
    { name: t('approvals'), value: formatCount(approvals) },
  ]
  return (
    <dl aria-label={t('costs')} className="flex flex-wrap gap-x-4 gap-y-0.5 text-table text-t3">
      {figures.map(({ name, value }) => (
        <div key={name} className="flex gap-1">
          <dt>{name}</dt>
          <dd className="text-t1 tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

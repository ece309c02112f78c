import { useLocale, useTranslations } from 'use-intl'
import { formatDuration, formatTokens } from '@/lib/format'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import { costsOf } from './costs'
import { DetailsTitle, NamedValue, NamedValues } from './parts'
import { TokenMeter, useUsageWords } from './Usage'

export function CostTab({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const costs = costsOf(step.calls)
  if (costs.calls === 0) return <p className="text-table text-t3">{t('noCalls')}</p>
  return (
    <>
      <TokenMeter spent={costs} />
      <DetailsTitle>{t('times')}</DetailsTitle>
      <NamedValues>
        <NamedValue name={t('firstToken')}>{formatDuration(costs.firstTokenMs, locale)}</NamedValue>
        <NamedValue name={t('totalTime')}>{formatDuration(costs.totalMs, locale)}</NamedValue>
        {costs.waitedMs > 0 ? (
          <NamedValue name={t('waitedFor')}>{formatDuration(costs.waitedMs, locale)}</NamedValue>
        ) : null}
        <NamedValue name={t('retries')}>{String(costs.calls - 1)}</NamedValue>
      </NamedValues>
      <DetailsTitle>{t('calls', { count: costs.calls })}</DetailsTitle>
      <ol className="flex flex-col gap-1.5">
        {step.calls.map((call, at) => (
          <li key={call.id} className="rounded-control border border-line px-3 py-2 text-table">
            <Call call={call} number={at + 1} of={step.calls.length} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Call({ call, number, of }: { call: ModelCall; number: number; of: number }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const words = useUsageWords([call])
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-3">
        <b>{t('callOf', { number, count: of, outcome: t(`outcome.${call.outcome}`) })}</b>
        <span className="text-t3">{[call.model, call.modelVersion].filter((part) => part).join(' · ')}</span>
      </p>
      <p className="text-t2">{[...words, formatDuration(call.totalMs, locale)].join(' · ')}</p>
      {call.leftOutTokens ? (
        <p className="text-t3">{t('leftOut', { tokens: formatTokens(call.leftOutTokens, locale) })}</p>
      ) : null}
      {call.error ? <p className="break-words text-failed">{call.error}</p> : null}
    </>
  )
}

/** Model usage: tokens in and out, of them cached and for reasoning, money, time. Unknown is a dash, estimated has its sign. */
import { useLocale, useTranslations } from 'use-intl'
import { formatCost, formatDuration, formatTokens } from '@/lib/format'
import type { Locale } from '@/lib/i18n/locale'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import { sumKnown } from '@/lib/sumKnown'
import { DetailsTitle, NamedValue, NamedValues } from './parts'
import { whyNoCall } from './steps'

const estimated = (isEstimated: boolean, count: number | null, locale: Locale): string =>
  `${isEstimated && count !== null ? '≈ ' : ''}${formatTokens(count, locale)}`

/**
 * in      isShort: without the parts of tokens
 * out     tokens, cost and time of the first token, one text each; without what the model's server did not say
 */
export function useUsageWords(calls: readonly ModelCall[], isShort = false): string[] {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, ...costs } = costsOf(calls)
  const say = (count: number | null): string => estimated(costs.isEstimated, count, locale)
  return [
    promptTokens === null && completionTokens === null
      ? null
      : t('inOut', { prompt: say(promptTokens), answer: say(completionTokens) }),
    cachedTokens && !isShort ? t('cached', { tokens: formatTokens(cachedTokens, locale) }) : null,
    reasoningTokens && !isShort ? t('reasoned', { tokens: formatTokens(reasoningTokens, locale) }) : null,
    formatCost(costs.costUsd),
    // A built-in model answers at once: that is no measurement.
    costs.firstTokenMs ? t('first', { time: formatDuration(costs.firstTokenMs, locale) }) : null,
  ].filter((part) => part !== null)
}

type TokenMeterProps = {
  /** Without completionTokens the sum of both is shown. */
  spent: Partial<Costs> & Pick<Costs, 'tokens' | 'costUsd'>
  /** Of the configuration; absent or null where there is none. */
  limits?: { tokens?: number | null; costUsd?: number | null }
}

export function TokenMeter({ spent, limits = {} }: TokenMeterProps) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, tokens, costUsd, isEstimated = false } = spent
  const say = (count: number | null): string => estimated(isEstimated, count, locale)
  return (
    <NamedValues>
      {promptTokens === undefined ? null : <NamedValue name={t('tokensIn')}>{say(promptTokens)}</NamedValue>}
      {cachedTokens == null ? null : (
        <NamedValue name={t('tokensCached')}>{formatTokens(cachedTokens, locale)}</NamedValue>
      )}
      {completionTokens === undefined ? null : <NamedValue name={t('tokensOut')}>{say(completionTokens)}</NamedValue>}
      {reasoningTokens == null ? null : (
        <NamedValue name={t('tokensReasoning')}>{formatTokens(reasoningTokens, locale)}</NamedValue>
      )}
      {completionTokens !== undefined ? null : (
        <NamedValue name={t('tokensAll')}>
          {say(tokens)}
          <OfLimit name={t('tokensAll')} used={tokens} limit={limits.tokens} say={(one) => formatTokens(one, locale)} />
        </NamedValue>
      )}
      <NamedValue name={t('cost')}>
        {formatCost(costUsd)}
        <OfLimit name={t('cost')} used={costUsd} limit={limits.costUsd} say={formatCost} />
      </NamedValue>
    </NamedValues>
  )
}

type OfLimitProps = { name: string; used: number | null; limit?: number | null; say: (value: number) => string }

function OfLimit({ name, used, limit = null, say }: OfLimitProps) {
  const t = useTranslations('inspector')
  if (limit === null || used === null || limit <= 0) return null
  return (
    <span className="text-t3">
      {' '}
      {t('ofLimit', { limit: say(limit) })}
      <meter
        aria-label={name}
        min={0}
        max={limit}
        value={Math.min(used, limit)}
        className="mt-0.5 block h-1.5 w-full"
      />
    </span>
  )
}

export function CostTab({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const costs = costsOf(step.calls)
  if (costs.calls === 0) return <p className="text-table text-t3">{t(whyNoCall(step))}</p>
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

type Costs = ReturnType<typeof costsOf>

/** out: tokens, US dollars and ms; null: not known of any call */
export function costsOf(calls: readonly ModelCall[]) {
  const total = (of: (call: ModelCall) => number | null | undefined): number | null => sumKnown(calls.map(of))
  const promptTokens = total((call) => call.promptTokens)
  const completionTokens = total((call) => call.completionTokens)
  return {
    calls: calls.length,
    promptTokens,
    completionTokens,
    /** Of promptTokens. */
    cachedTokens: total((call) => call.cachedTokens),
    /** Of completionTokens. */
    reasoningTokens: total((call) => call.reasoningTokens),
    tokens: sumKnown([promptTokens, completionTokens]),
    isEstimated: calls.some((call) => call.estimated),
    costUsd: total((call) => call.costUsd),
    firstTokenMs: calls.at(-1)?.firstTokenMs ?? null,
    totalMs: total((call) => call.totalMs),
    /** Time waited for a slot among concurrent calls. */
    waitedMs: total((call) => call.waitedMs ?? 0) ?? 0,
  }
}

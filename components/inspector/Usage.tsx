/** Model usage: tokens in and out, of them cached and for reasoning, money, time. Unknown is a dash, estimated has its sign. */
import { useLocale, useTranslations } from 'use-intl'
import { formatCost, formatDuration, formatTokens } from '@/lib/format'
import type { Locale } from '@/lib/i18n/locale'
import type { ModelCall } from '@/lib/mas/records'
import { type Costs, costsOf } from './costs'
import { NamedValue, NamedValues } from './parts'

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

/**
 * Model usage: tokens in and out, of them cached and for reasoning, money, and the share of a limit.
 *
 * Unknown is a dash, estimated has its sign.
 */
import { useLocale, useTranslations } from 'use-intl'
import { formatCost, formatTokens } from '@/lib/format'
import { NamedValue, NamedValues } from './parts'

type TokensSpent = {
  promptTokens?: number | null
  /** Without it the sum of both is shown. */
  completionTokens?: number | null
  cachedTokens?: number | null
  reasoningTokens?: number | null
  tokens: number | null
  costUsd: number | null
  isEstimated?: boolean
}

type TokenMeterProps = { spent: TokensSpent; limits?: { tokens?: number | null; costUsd?: number | null } }

/** limits: of the configuration; absent or null where there is none. */
export function TokenMeter({ spent, limits = {} }: TokenMeterProps) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, tokens, costUsd, isEstimated = false } = spent
  const say = (count: number | null): string =>
    `${isEstimated && count !== null ? '≈ ' : ''}${formatTokens(count, locale)}`
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
        {formatCost(costUsd, locale)}
        <OfLimit name={t('cost')} used={costUsd} limit={limits.costUsd} say={(one) => formatCost(one, locale)} />
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

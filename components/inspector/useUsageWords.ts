import { useLocale, useTranslations } from 'use-intl'
import { formatCost, formatDuration, formatTokens } from '@/lib/format'

type Usage = {
  promptTokens: number | null
  completionTokens: number | null
  cachedTokens?: number | null | undefined
  reasoningTokens?: number | null | undefined
  costUsd: number | null
  firstTokenMs: number | null
}

/** out: tokens, cost and time of the first token, one text each; what the model's server did not say is left out */
export function useUsageWords(): (usage: Usage, isEstimated: boolean) => string[] {
  const t = useTranslations('inspector')
  const locale = useLocale()
  return ({ promptTokens, completionTokens, cachedTokens, reasoningTokens, costUsd, firstTokenMs }, isEstimated) => {
    const say = (count: number | null): string =>
      `${isEstimated && count !== null ? '≈ ' : ''}${formatTokens(count, locale)}`
    return [
      promptTokens === null && completionTokens === null
        ? null
        : t('inOut', { prompt: say(promptTokens), answer: say(completionTokens) }),
      cachedTokens ? t('cached', { tokens: formatTokens(cachedTokens, locale) }) : null,
      reasoningTokens ? t('reasoned', { tokens: formatTokens(reasoningTokens, locale) }) : null,
      formatCost(costUsd, locale),
      // A built-in model answers at once: that is no measurement.
      firstTokenMs ? t('first', { time: formatDuration(firstTokenMs, locale) }) : null,
    ].filter((part) => part !== null)
  }
}

import { useLocale, useTranslations } from 'use-intl'
import { formatDuration, formatTokens } from '@/lib/format'

type Usage = { promptTokens: number | null; completionTokens: number | null; firstTokenMs: number | null }

/** out: tokens and first: null where the model's server did not say */
export function useUsageWords(): (
  usage: Usage,
  isEstimated: boolean,
) => { tokens: string | null; first: string | null } {
  const t = useTranslations('inspector')
  const locale = useLocale()
  return ({ promptTokens, completionTokens, firstTokenMs }, isEstimated) => {
    const say = (count: number | null): string =>
      `${isEstimated && count !== null ? '≈ ' : ''}${formatTokens(count, locale)}`
    return {
      tokens:
        promptTokens === null && completionTokens === null
          ? null
          : t('inOut', { prompt: say(promptTokens), answer: say(completionTokens) }),
      // A built-in model answers at once: that is no measurement.
      first:
        firstTokenMs === null || firstTokenMs === 0 ? null : t('first', { time: formatDuration(firstTokenMs, locale) }),
    }
  }
}

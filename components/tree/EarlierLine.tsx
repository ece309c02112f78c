/** What is known of steps that ran before those of the view: how far they are searched, or why they could not be loaded. */
import { useTranslations } from 'use-intl'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { EarlierSteps } from './useEarlierSteps'

export function EarlierLine({ earlier: { isSearching, more, fault, matches } }: { earlier: EarlierSteps }) {
  const t = useTranslations('tree')
  const faultWords = useFaultWords()
  const words =
    fault !== null
      ? t('earlierBroken', { why: faultWords(fault) })
      : isSearching
        ? t('searching')
        : more !== null
          ? t('foundSoFar', { count: matches.length })
          : null
  if (words === null) return null
  return (
    <p className="shrink-0 px-5 pb-1.5 text-meta text-t3">
      <span role="status">{words}</span>{' '}
      {more === null || isSearching ? null : (
        <button type="button" className="link" onClick={more}>
          {t('searchFurther')}
        </button>
      )}
    </p>
  )
}

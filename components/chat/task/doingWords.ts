/** What a running step does, in words. */
import type { useTranslations } from 'use-intl'
import type { StepDoing } from '@/lib/wire/views'

type T = ReturnType<typeof useTranslations<'chat.atWork'>>

/** in: name: of the step; doing: null: not known yet; isStalled: its text has stopped, and is not at its end */
export function doingWords(t: T, name: string, doing: StepDoing | null, isStalled: boolean): string {
  switch (doing?.what) {
    case 'queued':
      return t('queued', { place: doing.place })
    case 'writing':
      return isStalled ? t('stalled') : t('writing', { name })
    case 'tool':
      return t('tool', { tool: doing.tool })
    case 'asked':
    case 'repeating':
    case 'person':
      return t(doing.what)
    case 'between':
    case undefined:
      return t('between', { name })
  }
}

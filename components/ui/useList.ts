import { useLocale } from 'use-intl'
import { joinList } from '@/lib/format'

/** out: names or values in a row, as the reader's language joins them */
export function useList(): (values: readonly string[]) => string {
  const locale = useLocale()
  return (values) => joinList(values, locale)
}

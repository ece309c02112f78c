import { useTranslations } from 'use-intl'
import type { ScreenName } from '@/client/nav'
import type { BadgeLook } from '@/components/ui/marks/Badges'
import type { Counts } from '../useShellData'
import type { RailRow } from './railRows'

/** How many fit side by side on 360 px. */
const BAR_PLACES = 5

/** The rows behind “More” of the bar: none where all fit; otherwise at least two, for a single one would fit itself. */
export const behindMore = <Row>(rows: readonly Row[]): readonly Row[] =>
  rows.length <= BAR_PLACES ? [] : rows.slice(BAR_PLACES - 1)

export const isThere = (row: RailRow, screen: ScreenName | null): boolean =>
  row.screen === screen || (screen !== null && row.also?.includes(screen) === true)

/** Null while unknown, and for places without a count. */
export const placeCount = ({ counted }: RailRow, counts: Counts): number | null =>
  counted ? counts[counted.count] : null

export const placesSum = (rows: readonly RailRow[], counts: Counts): number =>
  rows.reduce((sum, row) => sum + (placeCount(row, counts) ?? 0), 0)

export const badgeLook = ({ counted }: RailRow, { urgentUnacknowledged }: Counts): BadgeLook =>
  counted?.look ?? (urgentUnacknowledged > 0 ? 'urgent' : 'accent')

/** The place's word, and its name with the count: “Inbox, 3 need you”. */
export function usePlaceWords(row: RailRow, counts: Counts): { word: string; name: string } {
  const t = useTranslations('shell')
  const count = placeCount(row, counts)
  const word = t(row.screen)
  // The inbox says also that nothing needs the reader.
  const isSaid = count !== null && (count > 0 || row.screen === 'inbox')
  return { word, name: row.counted && isSaid ? t(row.counted.name, { count }) : word }
}

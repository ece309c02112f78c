import { useTranslations } from 'use-intl'
import type { ScreenName } from '@/client/nav'
import type { BadgeLook } from '@/components/ui/marks/Badges'
import type { Counts } from '../useShellData'
import type { RailRow } from './railRows'

/** How many fit side by side on 360 px. */
const BAR_PLACES = 5

/**
 * The places of the bar: all, or the first ones and the rest behind “More”.
 *
 * in      the member's rows, in the rail's order
 * out     more is empty where all fit; otherwise it holds at least two, for a single one would fit itself
 */
export function barOf<Row>(rows: readonly Row[]): { bar: readonly Row[]; more: readonly Row[] } {
  if (rows.length <= BAR_PLACES) return { bar: rows, more: [] }
  return { bar: rows.slice(0, BAR_PLACES - 1), more: rows.slice(BAR_PLACES - 1) }
}

export const isThere = (row: RailRow, screen: ScreenName | null): boolean =>
  row.screen === screen || (screen !== null && row.also?.includes(screen) === true)

/** Null while unknown, and for places without a count. */
export function placeCount(row: Pick<RailRow, 'screen'>, counts: Counts): number | null {
  switch (row.screen) {
    case 'inbox':
      return counts.needsMe
    case 'waits':
      return counts.blockedWaits
    case 'direct':
      return counts.unreadDirect
    default:
      return null
  }
}

export const placesSum = (rows: readonly Pick<RailRow, 'screen'>[], counts: Counts): number =>
  rows.reduce((sum, row) => sum + (placeCount(row, counts) ?? 0), 0)

export function badgeLook(row: Pick<RailRow, 'screen'>, counts: Counts): BadgeLook {
  if (row.screen === 'waits') return 'blocked'
  if (row.screen === 'direct') return 'soft'
  return counts.urgentUnacknowledged > 0 ? 'urgent' : 'accent'
}

/** The place's word, and its name with the count: “Inbox, 3 need you”. */
export function usePlaceWords(row: RailRow, counts: Counts): { word: string; name: string } {
  const t = useTranslations('shell')
  const count = placeCount(row, counts)
  const word = t(row.screen)
  if (row.screen === 'inbox' && count !== null) return { word, name: t('inboxNeeds', { count }) }
  if (row.screen === 'waits' && count) return { word, name: t('waitsBlocked', { count }) }
  if (row.screen === 'direct' && count) return { word, name: t('directUnread', { count }) }
  return { word, name: word }
}

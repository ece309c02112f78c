import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ACTIONS, type RailScreen } from '@/client/actions/actionTable'
import type { ScreenName } from '@/client/nav'
import type { BadgeLook } from '@/components/ui/marks/Badges'
import type { Counts } from '../useShellData'

/** Its words are `shell.<screen>`; icon and key are those of the action `go.<screen>`. */
export type RailRow = {
  screen: RailScreen
  /** Further screens that count as being there. */
  also?: readonly ScreenName[]
  /** The number beside it, and the word that says it: `shell.<name>`. */
  counted?: {
    count: 'needsMe' | 'blockedWaits' | 'unreadDirect'
    name: 'inboxNeeds' | 'waitsBlocked' | 'directUnread'
    look?: BadgeLook
  }
  /** At the lower end of the rail. */
  isLast?: boolean
  /** For those who see all tasks; a participant finds the same inside their tasks. */
  isForWatchers?: boolean
}

export const RAIL: readonly RailRow[] = [
  {
    screen: 'inbox',
    also: ['request'],
    counted: { count: 'needsMe', name: 'inboxNeeds' },
  },
  { screen: 'tasks', also: ['task', 'tree', 'taskWaits', 'stage', 'step', 'message'] },
  {
    screen: 'direct',
    also: ['talk'],
    counted: { count: 'unreadDirect', name: 'directUnread', look: 'soft' },
  },
  { screen: 'agents', also: ['agent'], isForWatchers: true },
  {
    screen: 'waits',
    counted: { count: 'blockedWaits', name: 'waitsBlocked', look: 'blocked' },
    isForWatchers: true,
  },
  { screen: 'files', also: ['file'] },
  { screen: 'tools', also: ['tool'] },
  { screen: 'numbers' },
  { screen: 'directory', isForWatchers: true },
  { screen: 'settings', also: ['gallery'], isLast: true },
]

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

/** The place's icon, its word, and its name with the count: “Inbox, 3 need you”. */
export function usePlaceLook(row: RailRow, counts: Counts): { icon: LucideIcon; word: string; name: string } {
  const t = useTranslations('shell')
  const count = placeCount(row, counts)
  const word = t(row.screen)
  // The inbox says also that nothing needs the reader.
  const isSaid = count !== null && (count > 0 || row.screen === 'inbox')
  const { icon } = ACTIONS[`go.${row.screen}`]
  return { icon, word, name: row.counted && isSaid ? t(row.counted.name, { count }) : word }
}

import {
  Bot,
  ChartColumn,
  Files,
  Globe,
  Hourglass,
  Inbox,
  Layers,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Wrench,
} from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { ScreenName } from '@/client/nav'
import type { BadgeLook } from '@/components/ui/marks/Badges'
import type { Counts } from '../useShellData'

/** Its screen also names its words: `shell.<screen>`, and `keys.go.<screen>` for its key. */
export type RailRow = {
  screen: 'inbox' | 'tasks' | 'direct' | 'agents' | 'waits' | 'numbers' | 'files' | 'tools' | 'directory' | 'settings'
  icon: LucideIcon
  key: string
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
    icon: Inbox,
    key: 'g i',
    also: ['request'],
    counted: { count: 'needsMe', name: 'inboxNeeds' },
  },
  { screen: 'tasks', icon: Layers, key: 'g t', also: ['task', 'tree', 'taskWaits', 'stage', 'step', 'message'] },
  {
    screen: 'direct',
    icon: MessagesSquare,
    key: 'g d',
    also: ['talk'],
    counted: { count: 'unreadDirect', name: 'directUnread', look: 'soft' },
  },
  { screen: 'agents', icon: Bot, key: 'g a', also: ['agent'], isForWatchers: true },
  {
    screen: 'waits',
    icon: Hourglass,
    key: 'g w',
    counted: { count: 'blockedWaits', name: 'waitsBlocked', look: 'blocked' },
    isForWatchers: true,
  },
  { screen: 'files', icon: Files, key: 'g f', also: ['file'] },
  { screen: 'tools', icon: Wrench, key: 'g o', also: ['tool'] },
  { screen: 'numbers', icon: ChartColumn, key: 'g n' },
  { screen: 'directory', icon: Globe, key: 'g x', isForWatchers: true },
  { screen: 'settings', icon: Settings, key: 'g s', also: ['gallery'], isLast: true },
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

/** The place's word, and its name with the count: “Inbox, 3 need you”. */
export function usePlaceWords(row: RailRow, counts: Counts): { word: string; name: string } {
  const t = useTranslations('shell')
  const count = placeCount(row, counts)
  const word = t(row.screen)
  // The inbox says also that nothing needs the reader.
  const isSaid = count !== null && (count > 0 || row.screen === 'inbox')
  return { word, name: row.counted && isSaid ? t(row.counted.name, { count }) : word }
}

import {
  Bot,
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
import type { ScreenName } from '@/client/nav'
import type { BadgeLook } from '@/components/ui/marks/Badges'

/** Its screen also names its words: `shell.<screen>`, and `keys.go.<screen>` for its key. */
export type RailRow = {
  screen: 'inbox' | 'tasks' | 'direct' | 'agents' | 'waits' | 'files' | 'tools' | 'directory' | 'settings'
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
  { screen: 'directory', icon: Globe, key: 'g x', isForWatchers: true },
  { screen: 'settings', icon: Settings, key: 'g s', also: ['gallery'], isLast: true },
]

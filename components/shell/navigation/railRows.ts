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

/** Its screen also names its words: `shell.<screen>`, and `keys.go.<screen>` for its key. */
export type RailRow = {
  screen: 'inbox' | 'tasks' | 'direct' | 'agents' | 'waits' | 'files' | 'tools' | 'directory' | 'settings'
  icon: LucideIcon
  key: string
  /** Further screens that count as being there. */
  also?: readonly ScreenName[]
  /** At the lower end of the rail. */
  isLast?: boolean
  /** For those who see all tasks; a participant finds the same inside their tasks. */
  isForWatchers?: boolean
}

export const RAIL: readonly RailRow[] = [
  { screen: 'inbox', icon: Inbox, key: 'g i', also: ['request'] },
  { screen: 'tasks', icon: Layers, key: 'g t', also: ['task', 'tree', 'taskWaits', 'stage', 'step', 'message'] },
  { screen: 'direct', icon: MessagesSquare, key: 'g d', also: ['talk'] },
  { screen: 'agents', icon: Bot, key: 'g a', also: ['agent'], isForWatchers: true },
  { screen: 'waits', icon: Hourglass, key: 'g w', isForWatchers: true },
  { screen: 'files', icon: Files, key: 'g f', also: ['file'] },
  { screen: 'tools', icon: Wrench, key: 'g o', also: ['tool'] },
  { screen: 'directory', icon: Globe, key: 'g x', isForWatchers: true },
  { screen: 'settings', icon: Settings, key: 'g s', also: ['gallery'], isLast: true },
]

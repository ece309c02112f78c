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
import { pathTo, type ScreenName } from '@/client/nav'

export type RailRow = {
  screen: ScreenName
  href: string
  icon: LucideIcon
  word: 'inbox' | 'tasks' | 'direct' | 'agents' | 'files' | 'tools' | 'waits' | 'directory' | 'settings'
  key: string
  keyWord:
    | 'goInbox'
    | 'goTasks'
    | 'goDirect'
    | 'goAgents'
    | 'goFiles'
    | 'goTools'
    | 'goWaits'
    | 'goDirectory'
    | 'goSettings'
  /** Screens that count as being there. */
  screens: readonly ScreenName[]
  /** At the lower end of the rail. */
  isLast?: boolean
  /** For those who see all tasks; a participant finds the same inside their tasks. */
  isForWatchers?: boolean
}

export const RAIL: readonly RailRow[] = [
  {
    screen: 'inbox',
    href: pathTo('inbox'),
    icon: Inbox,
    word: 'inbox',
    key: 'g i',
    keyWord: 'goInbox',
    screens: ['inbox', 'request'],
  },
  {
    screen: 'tasks',
    href: pathTo('tasks'),
    icon: Layers,
    word: 'tasks',
    key: 'g t',
    keyWord: 'goTasks',
    screens: ['tasks', 'task', 'tree', 'taskWaits', 'stage', 'step', 'message'],
  },
  {
    screen: 'direct',
    href: pathTo('direct'),
    icon: MessagesSquare,
    word: 'direct',
    key: 'g d',
    keyWord: 'goDirect',
    screens: ['direct', 'talk'],
  },
  {
    screen: 'agents',
    href: pathTo('agents'),
    icon: Bot,
    word: 'agents',
    key: 'g a',
    keyWord: 'goAgents',
    screens: ['agents', 'agent'],
    isForWatchers: true,
  },
  {
    screen: 'waits',
    href: pathTo('waits'),
    icon: Hourglass,
    word: 'waits',
    key: 'g w',
    keyWord: 'goWaits',
    screens: ['waits'],
    isForWatchers: true,
  },
  {
    screen: 'files',
    href: pathTo('files'),
    icon: Files,
    word: 'files',
    key: 'g f',
    keyWord: 'goFiles',
    screens: ['files', 'file'],
  },
  {
    screen: 'tools',
    href: pathTo('tools'),
    icon: Wrench,
    word: 'tools',
    key: 'g o',
    keyWord: 'goTools',
    screens: ['tools', 'tool'],
  },
  {
    screen: 'directory',
    href: pathTo('directory'),
    icon: Globe,
    word: 'directory',
    key: 'g x',
    keyWord: 'goDirectory',
    screens: ['directory'],
    isForWatchers: true,
  },
  {
    screen: 'settings',
    href: pathTo('settings'),
    icon: Settings,
    word: 'settings',
    key: 'g s',
    keyWord: 'goSettings',
    screens: ['settings', 'gallery'],
    isLast: true,
  },
]

/**
 * Which file draws which screen: one row per screen, each a chunk of its own.
 *
 * Adding a screen is one row here and its pattern in client/nav/patterns.ts. A screen without a row has no link and its
 * address says that nothing is there.
 */
import { Bot, Globe, Hourglass, Inbox, Layers, MessagesSquare, Settings, Wrench } from 'lucide-react'
import type { ComponentType } from 'react'
import { type NavPlace, type Params, pathTo, type ScreenName } from '@/client/nav'
import { type LazyFile, lazyFile } from '@/components/ui/lazy'
import { dialogBody, jsonBody, markdownBody, menuBody, selectBox } from '@/components/ui/loaders'
import type { Me } from '@/lib/wire'
import type { View } from '@/lib/wire/views'
import {
  answerForBody,
  attachmentStrip,
  cardDialogs,
  cardRare,
  chatFilter,
  directoryWords,
  groupDialog,
  keysDialog,
  known,
  loadDecisionBody,
  loadTaskTree,
  loadTaskWaits,
  memberList,
  palette,
  paneEdge,
  queuedFor,
  receiptsDialog,
  savedConversation,
  selectionBar,
  taskDialogs,
  toOutside,
  unsentText,
  voiceRecorder,
} from './lazyParts'

/** What a screen gets: the parameters of its address, and who looks. Search parameters it reads itself (useSearchParam). */
export type ScreenProps = { screen: ScreenName; params: Params; person: Me['person'] }
/** What the inspector gets: the StateID of `?inspect=` and its tab, on any address. */
export type InspectorProps = { inspect: string; tab: string | null; onClose: () => void }

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>
export type ScreenRow = {
  main: Load<ScreenProps>
  /** The pane at its left; without it main gets the room. */
  list?: Load<ScreenProps>
  /** Beside `me`: asked for before its file is there, when the page begins with it. */
  looksAt?: (params: Params) => readonly View[]
  /** For those who build the console: fetched when somebody goes there. */
  isRare?: boolean
}

/** One file for all addresses of a task, so that going between them keeps the page. */
const TASK: ScreenRow = {
  main: () => import('@/components/chat'),
  list: () => import('./TaskListPane'),
  looksAt: ({ taskId = '' }) => [`task:${taskId}`, 'overview'],
}

const DIRECT: ScreenRow = {
  main: () => import('@/components/direct'),
  list: () => import('@/components/direct/DirectList'),
}

export const SCREENS: Partial<Record<ScreenName, ScreenRow>> = {
  inbox: { main: () => import('@/components/inbox'), looksAt: () => ['overview'] },
  request: { main: () => import('@/components/inbox/RequestPage') },
  tasks: { main: () => import('@/components/tasks'), looksAt: () => ['overview'] },
  task: TASK,
  tree: TASK,
  taskWaits: TASK,
  stage: TASK,
  step: TASK,
  message: TASK,
  agents: { main: () => import('@/components/agents') },
  agent: { main: () => import('@/components/agents/Profile'), list: () => import('@/components/agents/AgentList') },
  notices: { main: () => import('@/components/notices') },
  direct: DIRECT,
  talk: DIRECT,
  waits: { main: () => import('@/components/waits') },
  search: { main: () => import('@/components/search') },
  go: { main: () => import('@/components/search/Go') },
  tools: { main: () => import('@/components/tools') },
  tool: { main: () => import('@/components/tools/ToolPage'), list: () => import('@/components/tools/ToolList') },
  directory: {
    main: () => import('@/components/directory'),
    list: () => import('@/components/directory/DirectoryList'),
  },
  settings: { main: () => import('@/components/settings') },
  gallery: { main: () => import('@/components/gallery'), isRare: true },
}

/** The row of an address; the same for all addresses of one screen. */
export const rowOf = ({ screen }: NavPlace): ScreenRow | undefined => (screen ? SCREENS[screen] : undefined)

export const INSPECTOR: Load<InspectorProps> | null = () => import('@/components/inspector')

/** What a part that is on every page gets. */
export type EverywhereProps = { person: Me['person'] }

/**
 * Parts drawn on every page once its first picture is there, besides the urgent dialog, which the frame itself has.
 * They draw nothing while there is nothing to say.
 */
export const EVERYWHERE: readonly LazyFile<{ default: ComponentType<EverywhereProps> }>[] = [
  lazyFile(() => import('@/components/notify/NotifyLayer')),
  lazyFile(() => import('@/components/announce/AnnounceLayer')),
]

export type RailRow = {
  screen: ScreenName
  href: string
  icon: typeof Inbox
  word: 'inbox' | 'tasks' | 'direct' | 'agents' | 'tools' | 'waits' | 'directory' | 'settings'
  key: string
  keyWord: 'goInbox' | 'goTasks' | 'goDirect' | 'goAgents' | 'goTools' | 'goWaits' | 'goDirectory' | 'goSettings'
  /** Screens that count as being there. */
  holds: readonly ScreenName[]
  /** At the lower end of the rail. */
  isLast?: boolean
  /** For those who see all tasks; a participant finds the same inside their tasks. */
  isForWatchers?: boolean
}

const RAIL_ROWS: readonly RailRow[] = [
  {
    screen: 'inbox',
    href: pathTo('inbox'),
    icon: Inbox,
    word: 'inbox',
    key: 'g i',
    keyWord: 'goInbox',
    holds: ['inbox', 'request'],
  },
  {
    screen: 'tasks',
    href: pathTo('tasks'),
    icon: Layers,
    word: 'tasks',
    key: 'g t',
    keyWord: 'goTasks',
    holds: ['tasks', 'task', 'tree', 'taskWaits', 'stage', 'step', 'message'],
  },
  {
    screen: 'direct',
    href: pathTo('direct'),
    icon: MessagesSquare,
    word: 'direct',
    key: 'g d',
    keyWord: 'goDirect',
    holds: ['direct', 'talk'],
  },
  {
    screen: 'agents',
    href: pathTo('agents'),
    icon: Bot,
    word: 'agents',
    key: 'g a',
    keyWord: 'goAgents',
    holds: ['agents', 'agent'],
    isForWatchers: true,
  },
  {
    screen: 'waits',
    href: pathTo('waits'),
    icon: Hourglass,
    word: 'waits',
    key: 'g w',
    keyWord: 'goWaits',
    holds: ['waits'],
    isForWatchers: true,
  },
  {
    screen: 'tools',
    href: pathTo('tools'),
    icon: Wrench,
    word: 'tools',
    key: 'g o',
    keyWord: 'goTools',
    holds: ['tools', 'tool'],
  },
  {
    screen: 'directory',
    href: pathTo('directory'),
    icon: Globe,
    word: 'directory',
    key: 'g x',
    keyWord: 'goDirectory',
    holds: ['directory'],
    isForWatchers: true,
  },
  {
    screen: 'settings',
    href: pathTo('settings'),
    icon: Settings,
    word: 'settings',
    key: 'g s',
    keyWord: 'goSettings',
    holds: ['settings', 'gallery'],
    isLast: true,
  },
]

/** The rail's links, of screens that exist. */
export const RAIL: readonly RailRow[] = RAIL_ROWS.filter((row) => SCREENS[row.screen] !== undefined)

/** What screens fetch only when they show it; whatever a press may open comes first. */
const LATE: readonly (() => Promise<unknown>)[] = [
  menuBody.load,
  dialogBody.load,
  selectBox.load,
  keysDialog.load,
  known.load,
  memberList.load,
  palette.load,
  paneEdge.load,
  attachmentStrip.load,
  cardDialogs.load,
  cardRare.load,
  chatFilter.load,
  queuedFor.load,
  toOutside.load,
  unsentText.load,
  answerForBody.load,
  groupDialog.load,
  receiptsDialog.load,
  savedConversation.load,
  selectionBar.load,
  taskDialogs.load,
  voiceRecorder.load,
  markdownBody.load,
  jsonBody.load,
  loadTaskTree,
  loadTaskWaits,
  loadDecisionBody,
  directoryWords.en.load,
  directoryWords.zh.load,
]

/** Fetch every file of the console, so that nothing later needs the server; nothing that somebody does waits for it. */
export function fetchScreens(): void {
  const rows = [...new Set(Object.values(SCREENS))].filter(({ isRare }) => !isRare)
  const files = rows.flatMap((row) => (row.list ? [row.main, row.list] : [row.main]))
  const layers = EVERYWHERE.map((file) => file.load)
  const inspector = INSPECTOR === null ? [] : [INSPECTOR]
  fetchIdly([...LATE, ...layers, ...files, ...inspector])
}

/** So many are under way at once. */
const AT_ONCE = 4
/** A page that is never idle gets them all the same. */
const AT_LATEST_MS = 300

/** Each begins when the page has nothing else to do: putting sixty files together at once would hold up a press for a third of a second on a phone. */
function fetchIdly(loads: readonly (() => Promise<unknown>)[]): void {
  const waiting = [...loads]
  const whenIdle = (run: () => void): void => {
    // Safari has no such thing.
    if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: AT_LATEST_MS })
    else setTimeout(run, 0)
  }
  const fetchNext = (): void => {
    const load = waiting.shift()
    if (load === undefined) return
    const goOn = (): void => whenIdle(fetchNext)
    load().then(goOn, goOn)
  }
  for (let at = 0; at < AT_ONCE; at++) whenIdle(fetchNext)
}

/**
 * Which file draws which screen. A new name in lib/wire/addresses.ts does not compile before it has its row here; null: the
 * address says that nothing is there.
 */
import type { NavPlace, Params, ScreenName } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { withLaterWords } from '@/components/ui/laterWords'
import { type LazyPart, lazyScreen } from '@/components/ui/lazyPart'
import type { View } from '@/lib/wire/views'

export type ScreenRow = {
  main: LazyPart<ScreenProps>
  /** The pane at its left; without it main gets the room. */
  list?: LazyPart<ScreenProps>
  /** Besides `me`: the views that are asked for with its file when the page opens there. */
  looksAt?: (params: Params) => readonly View[]
  /**
   * Its parts are the containers that style sheets ask for the width. Where main itself is one, the browser computes the styles
   * of all of the screen with each line that comes (5 ms in a tree; 0.2 ms without).
   */
  hasOwnContainers?: boolean
  /** Not preloaded. */
  isRare?: boolean
}

/** One file for all addresses of a task, so that the page stays mounted between them. */
const TASK: ScreenRow = {
  main: lazyScreen(() => import('@/components/chat')),
  list: lazyScreen(() => import('./TaskListPane')),
  hasOwnContainers: true,
  looksAt: ({ taskId = '' }) => [`task:${taskId}`, 'overview'],
}

const DIRECT: ScreenRow = {
  main: lazyScreen(withLaterWords(() => import('@/components/direct'))),
  list: lazyScreen(withLaterWords(() => import('@/components/direct/DirectList'))),
}

const SETTINGS: ScreenRow = { main: lazyScreen(withLaterWords(() => import('@/components/settings'))) }

const FILES: ScreenRow = { main: lazyScreen(withLaterWords(() => import('@/components/files'))) }

export const SCREENS: Readonly<Record<ScreenName, ScreenRow | null>> = {
  // An address that leads on to another.
  home: null,
  inbox: { main: lazyScreen(() => import('@/components/inbox')), looksAt: () => ['overview'] },
  request: { main: lazyScreen(() => import('@/components/inbox/RequestPage')) },
  tasks: { main: lazyScreen(withLaterWords(() => import('@/components/tasks'))), looksAt: () => ['overview'] },
  task: TASK,
  tree: TASK,
  timeline: TASK,
  taskWaits: TASK,
  stage: TASK,
  step: TASK,
  message: TASK,
  agents: { main: lazyScreen(withLaterWords(() => import('@/components/agents'))) },
  agent: {
    main: lazyScreen(withLaterWords(() => import('@/components/agents/Profile'))),
    list: lazyScreen(withLaterWords(() => import('@/components/agents/AgentList'))),
  },
  notices: { main: lazyScreen(() => import('@/components/notices')) },
  direct: DIRECT,
  talk: DIRECT,
  waits: { main: lazyScreen(withLaterWords(() => import('@/components/waits'))) },
  numbers: { main: lazyScreen(withLaterWords(() => import('@/components/numbers'))), looksAt: () => ['overview'] },
  search: { main: lazyScreen(withLaterWords(() => import('@/components/search'))) },
  go: { main: lazyScreen(withLaterWords(() => import('@/components/search/Go'))) },
  tools: { main: lazyScreen(withLaterWords(() => import('@/components/tools'))) },
  tool: {
    main: lazyScreen(withLaterWords(() => import('@/components/tools/ToolPage'))),
    list: lazyScreen(withLaterWords(() => import('@/components/tools/ToolList'))),
  },
  directory: {
    main: lazyScreen(withLaterWords(() => import('@/components/directory'))),
    list: lazyScreen(withLaterWords(() => import('@/components/directory/DirectoryList'))),
  },
  help: { main: lazyScreen(withLaterWords(() => import('@/components/help'))) },
  files: FILES,
  file: FILES,
  settings: SETTINGS,
  audit: SETTINGS,
  // The bundler puts in the values of both names, so that other builds leave the gallery out.
  gallery:
    process.env.NODE_ENV === 'development' || process.env.CONVENE_GALLERY === '1'
      ? { main: lazyScreen(withLaterWords(() => import('@/test/gallery'))), isRare: true }
      : null,
}

/** The row of an address; the same for all addresses of one screen. */
export const rowOf = ({ screen }: NavPlace): ScreenRow | null => (screen ? SCREENS[screen] : null)

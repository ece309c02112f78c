/**
 * Which file draws which screen. A new name in client/nav/patterns.ts does not compile before it has its row here; null: the
 * address says that nothing is there.
 */
import type { NavPlace, Params, ScreenName } from '@/client/nav'
import type { InspectorProps, ScreenProps } from '@/client/nav/screenProps'
import { type LazyPart, laterFile, lazyFile } from '@/components/ui/lazyFile'
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
  main: lazyFile(() => import('@/components/chat')),
  list: lazyFile(() => import('./TaskListPane')),
  hasOwnContainers: true,
  looksAt: ({ taskId = '' }) => [`task:${taskId}`, 'overview'],
}

const DIRECT: ScreenRow = {
  main: laterFile(() => import('@/components/direct')),
  list: laterFile(() => import('@/components/direct/DirectList')),
}

const SETTINGS: ScreenRow = { main: laterFile(() => import('@/components/settings')) }

const FILES: ScreenRow = { main: laterFile(() => import('@/components/files')) }

export const SCREENS: Readonly<Record<ScreenName, ScreenRow | null>> = {
  // An address that leads on to another.
  home: null,
  inbox: { main: lazyFile(() => import('@/components/inbox')), looksAt: () => ['overview'] },
  request: { main: lazyFile(() => import('@/components/inbox/RequestPage')) },
  tasks: { main: laterFile(() => import('@/components/tasks')), looksAt: () => ['overview'] },
  task: TASK,
  tree: TASK,
  timeline: TASK,
  taskWaits: TASK,
  stage: TASK,
  step: TASK,
  message: TASK,
  agents: { main: laterFile(() => import('@/components/agents')) },
  agent: {
    main: laterFile(() => import('@/components/agents/Profile')),
    list: laterFile(() => import('@/components/agents/AgentList')),
  },
  notices: { main: lazyFile(() => import('@/components/notices')) },
  direct: DIRECT,
  talk: DIRECT,
  waits: { main: laterFile(() => import('@/components/waits')) },
  numbers: { main: laterFile(() => import('@/components/numbers')), looksAt: () => ['overview'] },
  search: { main: laterFile(() => import('@/components/search')) },
  go: { main: laterFile(() => import('@/components/search/Go')) },
  tools: { main: laterFile(() => import('@/components/tools')) },
  tool: {
    main: laterFile(() => import('@/components/tools/ToolPage')),
    list: laterFile(() => import('@/components/tools/ToolList')),
  },
  directory: {
    main: laterFile(() => import('@/components/directory')),
    list: laterFile(() => import('@/components/directory/DirectoryList')),
  },
  help: { main: laterFile(() => import('@/components/help')) },
  files: FILES,
  file: FILES,
  settings: SETTINGS,
  audit: SETTINGS,
  // The bundler puts in the values of both names, so that other builds leave the gallery out.
  gallery:
    process.env.NODE_ENV === 'development' || process.env.CONVENE_GALLERY === '1'
      ? { main: laterFile(() => import('@/test/gallery')), isRare: true }
      : null,
}

/** The row of an address; the same for all addresses of one screen. */
export const rowOf = ({ screen }: NavPlace): ScreenRow | null => (screen ? SCREENS[screen] : null)

export const INSPECTOR: LazyPart<InspectorProps> = laterFile(() => import('@/components/inspector'))

/** Fetch the lazy files of the console while it is idle, so that nothing later needs the server. */
import * as chat from '@/components/chat/lazy'
import * as files from '@/components/files/lazy'
import * as inbox from '@/components/inbox/lazy'
import * as inspector from '@/components/inspector/lazy'
import * as notices from '@/components/notices/lazy'
import * as notify from '@/components/notify/lazy'
import * as operate from '@/components/operate/lazy'
import * as palette from '@/components/palette/lazy'
import * as request from '@/components/request/lazy'
import * as result from '@/components/result/lazy'
import * as setup from '@/components/setup/lazy'
import * as timeline from '@/components/timeline/lazy'
import * as tree from '@/components/tree/lazy'
import * as ui from '@/components/ui/lazy'
import * as waits from '@/components/waits/lazy'
import * as shell from './lazy'
import { SCREENS } from './screens'

type Load = () => Promise<unknown>

/** Files that a press opens come first. */
const FOLDERS: readonly Readonly<Record<string, Load | { load: Load }>>[] = [
  ui,
  shell,
  notices,
  notify,
  inbox,
  palette,
  chat,
  request,
  operate,
  tree,
  timeline,
  waits,
  result,
  files,
  setup,
  inspector,
]

export function preloadScreens(): void {
  const parts = FOLDERS.flatMap((folder) => Object.values(folder))
  const rows = [...new Set(Object.values(SCREENS))].filter((row) => row !== null)
  const screens = rows.flatMap(({ main, list, isRare }) => (isRare ? [] : list ? [main, list] : [main]))
  loadWhenIdle([...parts, ...screens].map((one) => ('load' in one ? one.load : one)))
}

/** Files that are fetched at once. */
const AT_ONCE = 4
/** On a page that is never idle. */
const AT_LATEST_MS = 300

/** One at a time per idle moment: evaluating sixty files at once would delay a press by a third of a second on a phone. */
function loadWhenIdle(files: readonly Load[]): void {
  const waiting = [...files]
  const whenIdle = (run: () => void): void => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: AT_LATEST_MS })
    else setTimeout(run, 0)
  }
  const loadNext = (): void => {
    const next = (): void => whenIdle(loadNext)
    waiting.shift()?.().then(next, next)
  }
  for (let at = 0; at < AT_ONCE; at++) whenIdle(loadNext)
}

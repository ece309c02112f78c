/**
 * The demo task of the rehearsal: begun once, and found again while it runs.
 *
 * Owns: starting it, which task came of it. Not here: its buttons (DemoStart.tsx, components/inbox/FirstRun.tsx).
 * No record says that a task is the demo: it is the first one of mine that began after I asked for it in this tab.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type Answer, command, useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import type { OverviewRow, WorkAnswer } from '@/lib/wire'

/** Who asked for it, and when, by the server's clock. */
type Asked = { by: string; at: number }
type Held = { asked: Asked | null; isStarting: boolean; isComing: boolean }

const KEY = 'convene_demo'
/** The page's idea of the server's time may be this much ahead. */
const SKEW_MS = 2_000

function stored(): Asked | null {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    const { by, at } = (read ?? {}) as Partial<Asked>
    return typeof by === 'string' && typeof at === 'number' ? { by, at } : null
  } catch {
    return null
  }
}

const demoStore = createStore<Held>()(() => ({ asked: stored(), isStarting: false, isComing: false }))

/** The task that came of it, over or not. */
export function demoOf(rows: readonly OverviewRow[], asked: Asked | null, me: string): OverviewRow | null {
  if (asked === null || asked.by !== me) return null
  const since = rows.filter(
    (row) => !row.base && !row.load && row.requestedBy?.id === me && row.createdAt >= asked.at - SKEW_MS,
  )
  return since.sort((a, b) => a.createdAt - b.createdAt)[0] ?? null
}

export type Demo = {
  /** coming: asked for, and its task is not there yet. Once it is over it can be begun again. */
  state: 'ready' | 'starting' | 'coming' | 'running'
  /** While it runs. */
  task: OverviewRow | null
  start: () => Promise<Answer<WorkAnswer>>
}

export function useDemo(): Demo {
  const me = useMe()?.person.agent_id ?? ''
  const { asked, isStarting, isComing } = useStore(demoStore)
  const found = demoOf(useRows('overview'), asked, me)
  const task = found?.endedAt === null ? found : null
  return {
    task,
    state: isStarting ? 'starting' : task ? 'running' : isComing && found === null ? 'coming' : 'ready',
    start: async () => {
      const next = { by: me, at: pageClock.now() }
      demoStore.setState({ isStarting: true })
      const answer = await command<WorkAnswer>('/api/work/demo')
      demoStore.setState({ isStarting: false })
      if (!answer.ok) return answer
      demoStore.setState({ asked: next, isComing: true })
      try {
        sessionStorage.setItem(KEY, JSON.stringify(next))
      } catch {
        // A browser that forbids storage forgets it with the page.
      }
      return answer
    },
  }
}

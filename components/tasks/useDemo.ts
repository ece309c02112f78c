/**
 * The demo task of the built-in program: started once, and found again while it runs.
 *
 * No record marks the demo task: it is my first task that began after I asked for it.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type ApiResult, command, useRows } from '@/client'
import { saveSettings, useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import type { OverviewRow, WorkAnswer } from '@/lib/wire'

/** asked: who asked for it on this page, and when (epoch ms, server's clock). */
type Held = { asked: { by: string; at: number } | null; isStarting: boolean; isComing: boolean }

/** The page's estimate of the server's time may be this much ahead. */
const SKEW_MS = 2_000

const demoStore = createStore<Held>()(() => ({ asked: null, isStarting: false, isComing: false }))

/** The demo task, over or not. */
export function demoOf(rows: readonly OverviewRow[], askedAt: number | null, me: string): OverviewRow | null {
  if (askedAt === null) return null
  const since = rows.filter((row) => !row.base && row.requestedBy?.id === me && row.createdAt >= askedAt - SKEW_MS)
  return since.sort((a, b) => a.createdAt - b.createdAt)[0] ?? null
}

type Demo = {
  /** coming: asked for, but its task does not exist yet. Once it is over it can be started again. */
  state: 'ready' | 'starting' | 'coming' | 'running'
  task: OverviewRow | null
  start: () => Promise<ApiResult<WorkAnswer>>
}

export function useDemo(): Demo {
  const me = useMe()
  const id = me?.person.agent_id ?? ''
  const { asked, isStarting, isComing } = useStore(demoStore)
  const askedAt = asked?.by === id ? asked.at : (me?.settings.demoAskedAt ?? null)
  const found = demoOf(useRows('overview'), askedAt, id)
  const task = found?.endedAt === null ? found : null
  return {
    task,
    state: isStarting ? 'starting' : task ? 'running' : isComing && found === null ? 'coming' : 'ready',
    start: async () => {
      const at = pageClock.now()
      demoStore.setState({ isStarting: true })
      const answer = await command<WorkAnswer>('/api/work/demo')
      demoStore.setState({ isStarting: false })
      if (!answer.ok) return answer
      demoStore.setState({ asked: { by: id, at }, isComing: true })
      // If the server does not store it, only this page knows of it.
      void saveSettings({ demoAskedAt: at })
      return answer
    },
  }
}

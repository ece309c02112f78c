/** Starts the demo task of the built-in program, and finds the one that runs. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type ApiResult, command, useRows } from '@/client'
import type { OverviewRow, WorkAnswer } from '@/lib/wire'

/** known: the demo tasks that were there when this page asked for another one; null: it did not. */
type Held = { known: readonly string[] | null; isStarting: boolean }

const demoStore = createStore<Held>()(() => ({ known: null, isStarting: false }))

type Demo = {
  /** coming: asked for here, but its task does not exist yet. Once it is over it can be started again. */
  state: 'ready' | 'starting' | 'coming' | 'running'
  task: OverviewRow | null
  start: () => Promise<ApiResult<WorkAnswer>>
}

export function useDemo(): Demo {
  const { known, isStarting } = useStore(demoStore)
  const demos = useRows('overview').filter((row) => row.demo)
  const task = demos.find(({ endedAt }) => endedAt === null) ?? null
  const isComing = known !== null && demos.every(({ id }) => known.includes(id))
  return {
    task,
    state: task ? 'running' : isStarting ? 'starting' : isComing ? 'coming' : 'ready',
    start: async () => {
      demoStore.setState({ isStarting: true })
      const answer = await command<WorkAnswer>('/api/work/demo')
      demoStore.setState({ isStarting: false, ...(answer.ok ? { known: demos.map(({ id }) => id) } : {}) })
      return answer
    },
  }
}

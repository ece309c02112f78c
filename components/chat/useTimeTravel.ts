/** Time travel of a task on and off: it begins at what is shown now. */
import { useLastEntry } from '@/client/hooks'
import { setSearch, useSearchParam } from '@/client/nav'

/** out: turns it on, or off; null: nothing is shown yet */
export function useTimeTravel(task: string): (() => void) | null {
  const isOn = useSearchParam('at') !== null
  const last = useLastEntry(`task:${task}`)
  if (isOn) return () => setSearch({ at: null })
  return last === 0 ? null : () => setSearch({ at: String(last) })
}

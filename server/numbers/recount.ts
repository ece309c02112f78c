/** Recounts the journal where its counters are missing or of another version: after a move or an update. */

import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import { hoursKeptFrom, recountedOf } from '@/lib/mas/limits/counters'
import type { Schedule } from '../shared/later'
import type { Counters, Store } from '../store'

type RecountParts = {
  store: Pick<Store, 'journal' | 'counters'>
  /** Does this node decide? Only then it recounts. */
  leads: () => boolean
  /** Its entries may not be emptied yet: its sums count. */
  isErased?: (task: string) => boolean
  schedule: Schedule
  /** Entries that are counted at once; default: a few ms of work. */
  atOnce?: number
  onTrouble: (error: unknown) => void
}

const AT_ONCE = 500
const BETWEEN_MS = 5
/** How often the cursor is compared with the head: another node may have written without counting. */
const LOOK_MS = 60_000

export function openRecount({
  store,
  leads,
  isErased = () => false,
  schedule,
  atOnce = AT_ONCE,
  onTrouble,
}: RecountParts) {
  const { journal, counters } = store
  let isStopped = false
  let running = Promise.resolve()
  let stopTimer = schedule(look, 0)

  function look(): void {
    running = slice()
      .catch((error: unknown) => {
        onTrouble(error)
        return false
      })
      .then((isMore) => {
        if (!isStopped) stopTimer = schedule(look, isMore ? BETWEEN_MS : LOOK_MS)
      })
  }

  const counts = ({ event }: Entry): boolean =>
    event.type === 'task.erased' || !('task' in event) || event.task === null || !isErased(event.task)

  /** out: is the cursor still behind the journal? */
  async function slice(): Promise<boolean> {
    if (isStopped || !leads()) return false
    const after = await counters.cursor()
    const entries = await journal.read(after, atOnce)
    const last = entries.at(-1)?.seq
    if (last === undefined) return false
    // False: an append was faster, and has counted them.
    await counters.add(after, last, entries.map(decodeEntry).filter(counts).flatMap(recountedOf))
    return true
  }

  return {
    /** Resolves after the running slice. */
    async stop(): Promise<void> {
      isStopped = true
      stopTimer()
      await running
    },
  }
}

/** out: how many rows of hours went. units: now: epoch ms */
export async function countersToDays(counters: Pick<Counters, 'toDays'>, now: number): Promise<number> {
  let all = 0
  for (;;) {
    const gone = await counters.toDays(hoursKeptFrom(now))
    if (gone === 0) return all
    all += gone
  }
}

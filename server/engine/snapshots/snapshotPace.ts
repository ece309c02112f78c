/** When the world is kept as a snapshot: a while after a change, sooner after many. */
import type { World } from '@/lib/mas/records'
import type { Schedule } from '../../shared/later'
import type { WorldSnapshots } from './worldSnapshots'

/** A snapshot is kept when something has changed for this long, so that a restart reads a short tail. */
const SNAPSHOT_MS = 60_000
/** Sooner after this many entries, and then not more often than this. */
const SNAPSHOT_ENTRIES = 10_000
const SNAPSHOT_LEAST_MS = 15_000
export function openSnapshotPace(parts: {
  worlds: Pick<WorldSnapshots, 'save'>
  world: () => World
  clock: () => number
  schedule: Schedule
  log: { warn(data: object, message: string): void }
}) {
  let unsaved = 0
  let savedAt = parts.clock()
  let stopTimer: (() => void) | null = null

  const stop = (): void => {
    stopTimer?.()
    stopTimer = null
  }
  async function save(): Promise<void> {
    stop()
    unsaved = 0
    savedAt = parts.clock()
    try {
      await parts.worlds.save(parts.world())
    } catch (error) {
      // A snapshot only shortens the next start; the journal has everything.
      parts.log.warn({ err: error, seq: parts.world().seq }, 'the snapshot could not be kept')
    }
  }

  return {
    /** So many entries were confirmed. */
    changed(entries: number): void {
      unsaved += entries
      stopTimer ??= parts.schedule(() => void save(), SNAPSHOT_MS)
      if (unsaved >= SNAPSHOT_ENTRIES && parts.clock() - savedAt >= SNAPSHOT_LEAST_MS) void save()
    },
    save,
    /** There is little to do: what changed is kept now. */
    rest(): void {
      if (unsaved > 0) void save()
    },
    stop,
  }
}

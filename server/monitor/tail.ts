/** The newest entries of the journal, in memory: what a page that was away asks for. */
import type { Entry } from '@/lib/mas/events'

/** in: the last entry so far, how many to keep. out: the newest entries, for pages that come back. */
export function createTail(head: number, size: number) {
  let entries: Entry[] = []
  let last = head

  const trim = (): void => {
    // Twice the size before cutting: one copy per `size` entries, not one per entry.
    if (entries.length > 2 * size) entries = entries.slice(-size)
  }
  return {
    /** Entries in order; those it has already are passed over. */
    add: (more: readonly Entry[]): void => {
      for (const entry of more) {
        if (entry.seq <= last) continue
        // A gap would be handed out as if nothing were missing.
        if (entry.seq !== last + 1) entries = []
        entries.push(entry)
        last = entry.seq
      }
      trim()
    },
    /** Entries before the ones it has; for the start. */
    addBefore: (more: readonly Entry[]): void => {
      const first = entries[0]?.seq ?? last + 1
      const older = more.filter((entry) => entry.seq < first)
      if (older.at(-1)?.seq === first - 1) entries = [...older, ...entries]
    },
    /** All entries with after < seq; null when some of them are no longer here. */
    since: (after: number): Entry[] | null => {
      if (after >= last) return []
      const first = entries[0]
      if (first === undefined || after < first.seq - 1 || last - after > size) return null
      return entries.slice(after - first.seq + 1)
    },
  }
}

export type Tail = ReturnType<typeof createTail>

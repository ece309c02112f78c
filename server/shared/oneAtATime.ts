/** After so long an answer counts as over in any case. */
const LONGEST_MS = 30 * 60_000

/** How soon to try again after a refused one. */
export const EXPORT_PAUSE_S = 5

/** Long answers, such as exports: one of each reader at a time. */
export function oneAtATime<Reader>(now: () => number = Date.now) {
  const begun = new Map<Reader, { at: number }>()
  return {
    /** out: to be called at the end, more than once is fine; null: one of this reader is still under way */
    begin(reader: Reader): (() => void) | null {
      const before = begun.get(reader)
      if (before !== undefined && now() - before.at < LONGEST_MS) return null
      const own = { at: now() }
      begun.set(reader, own)
      return () => {
        if (begun.get(reader) === own) begun.delete(reader)
      }
    },
  }
}

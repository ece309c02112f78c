/** Performance marks: when an entry arrived, and when it was painted. Only a server under a bench sends `marks` (docs/socket.md). */
import type { Beat, View, ViewFrame } from '@/lib/wire/views'

/**
 * in      mark: adds a performance mark · afterPaint: runs after the next paint; never on a hidden page
 * units   `detail.server`: the server's monotonic ms at which the entry was confirmed, or the beat was sent
 */
export function createBenchMarks(
  mark: (name: string, detail: { server: number; view?: View }) => void,
  afterPaint: (run: () => void) => void,
) {
  return {
    arrived: ({ marks }: ViewFrame): void => {
      if (marks) for (const [seq, server] of Object.entries(marks)) mark(`entry:${seq}`, { server })
    },
    /** The view has applied it; the next paint shows it. */
    applied: (view: View, { marks }: ViewFrame): void => {
      if (!marks) return
      afterPaint(() => {
        for (const [seq, server] of Object.entries(marks)) mark(`painted:${seq}`, { server, view })
      })
    },
    beat: ({ head, mono }: Beat): void => {
      if (mono !== undefined) mark(`beat:${head}`, { server: mono })
    },
  }
}

export type BenchMarks = ReturnType<typeof createBenchMarks>

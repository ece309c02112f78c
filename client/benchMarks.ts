/** Performance marks: when an entry arrived, and when it was painted. Only a server under a bench sends `marks` (docs/socket.md). */
import type { Beat, View, ViewFrame } from '@/lib/wire/views'

export type BenchMarks = {
  arrived: (frame: ViewFrame) => void
  /** The view has applied it; the next paint shows it. */
  applied: (view: View, frame: ViewFrame) => void
  beat: (beat: Beat) => void
}

/**
 * in      mark: adds a performance mark · afterPaint: runs after the next paint; never on a hidden page
 * units   `detail.server`: the server's monotonic ms at which the entry was confirmed, or the beat was sent
 */
export function createBenchMarks(
  mark: (name: string, detail: { server: number; view?: View }) => void,
  afterPaint: (run: () => void) => void,
): BenchMarks {
  return {
    arrived: ({ marks }) => {
      if (marks) for (const [seq, server] of Object.entries(marks)) mark(`entry:${seq}`, { server })
    },
    applied: (view, { marks }) => {
      if (!marks) return
      afterPaint(() => {
        for (const [seq, server] of Object.entries(marks)) mark(`painted:${seq}`, { server, view })
      })
    },
    beat: ({ head, mono }) => {
      if (mono !== undefined) mark(`beat:${head}`, { server: mono })
    },
  }
}

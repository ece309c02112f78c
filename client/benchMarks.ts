/**
 * What a bench reads off the page: when an entry came, and when the screen showed it. Only a server that runs a bench
 * sends what this marks (docs/socket.md); on any other nothing is done here.
 */

import type { Beat, View, ViewFrame } from '@/lib/wire/views'

export type BenchMarks = {
  /** The frame has come over the line. */
  arrived: (frame: ViewFrame) => void
  /** The view holds it; what shows it is drawn with the next paint. */
  taken: (view: View, frame: ViewFrame) => void
  heard: (beat: Beat) => void
}

/**
 * in      mark: put a name on the timeline · afterPaint: run once what is drawn now is on screen; never while nothing is
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
    taken: (view, { marks }) => {
      if (!marks) return
      afterPaint(() => {
        for (const [seq, server] of Object.entries(marks)) mark(`painted:${seq}`, { server, view })
      })
    },
    heard: ({ head, mono }) => {
      if (mono !== undefined) mark(`beat:${head}`, { server: mono })
    },
  }
}

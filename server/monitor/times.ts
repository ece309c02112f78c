/** When each of the newest entries was confirmed, for benches alone. */
import type { Entry } from '@/lib/mas/events'
import { type BenchMarksOfFrame, CATCH_UP } from '@/lib/wire/views'
import type { FrameBody } from './streams'

export type Times = {
  confirmed: (entries: readonly Entry[]) => void
  /** Of each entry of a log frame, of the last one of a row frame; those that are too old are left out. */
  marksOf: (body: FrameBody) => { marks: BenchMarksOfFrame }
}

/** in: mono: monotonic ms */
export function createTimes(mono: () => number): Times {
  const times = new Map<number, number>()
  return {
    confirmed: (entries) => {
      const now = mono()
      for (const { seq } of entries) {
        times.set(seq, now)
        times.delete(seq - CATCH_UP.scan)
      }
    },
    marksOf: (body) => {
      const seqs = body.kind === 'log' ? body.entries.map(({ seq }) => seq) : [body.to]
      const known = seqs.flatMap((seq) => {
        const at = times.get(seq)
        return at === undefined ? [] : [[String(seq), at] as const]
      })
      return { marks: Object.fromEntries(known) }
    },
  }
}

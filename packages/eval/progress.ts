/** Says what a job does while it runs. */
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'

export type Progress = { calls: number; step: string }

/** How often a job that runs is reported. */
const REPORT_MS = 10_000

type Report = { watch: (now: () => Progress) => void; close: () => void }

/** Prints that the job at this place has begun, and a line at intervals until it is closed. */
export function openReport(place: string, print: (line: string) => void): Report {
  print(`${place} …`)
  const begun = performance.now()
  let timer: NodeJS.Timeout | undefined
  return {
    watch(now) {
      timer = setInterval(() => {
        const { calls, step } = now()
        const seconds = Math.round((performance.now() - begun) / 1_000)
        print(`${place}: ${seconds} s, ${calls} calls, ${beginningOf(oneLine(step), 100)}`)
      }, REPORT_MS)
    },
    close: () => clearInterval(timer),
  }
}

/** What a store needs now and then: forgetting first outcomes, ended sessions, old snapshots. */
import type { Schedule } from '../../shared/later'

/** out: how many it removed. now: epoch ms. */
export type MaintenanceJob = { name: string; run: (now: number) => Promise<number> }

type MaintenanceParts = {
  jobs: readonly MaintenanceJob[]
  now: () => number
  schedule: Schedule
  onTrouble: (error: unknown, job: string) => void
}

/** Not while the program starts. */
const FIRST_MS = 60_000
const EVERY_MS = 3_600_000

/** out: stop them, and wait for the one under way */
export function startMaintenance({ jobs, now, schedule, onTrouble }: MaintenanceParts): () => Promise<void> {
  let isStopped = false
  let round = Promise.resolve()

  async function runAll(): Promise<void> {
    for (const { name, run } of jobs) {
      if (isStopped) return
      await run(now()).catch((error: unknown) => onTrouble(error, name))
    }
  }
  function next(): void {
    round = runAll().then(() => {
      if (!isStopped) stopTimer = schedule(next, EVERY_MS)
    })
  }
  let stopTimer = schedule(next, FIRST_MS)

  return async () => {
    isStopped = true
    stopTimer()
    await round
  }
}

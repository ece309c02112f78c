/** Calls once after that many ms. out: stop it */
export type Schedule = (run: () => void, ms: number) => () => void

/** The timer keeps no process alive. */
export const later: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Resolves when the work has ended, or after that many ms; the work continues then. Rejects as the work does before. */
export async function within(ms: number, schedule: Schedule, work: Promise<unknown>): Promise<void> {
  let stopWaiting = (): void => {}
  const late = new Promise<void>((resolve) => {
    stopWaiting = schedule(resolve, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    stopWaiting()
  }
}

/** Calls once after that many ms. out: stop it */
export type Schedule = (run: () => void, ms: number) => () => void

/** The timer keeps no process alive. */
export const later: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

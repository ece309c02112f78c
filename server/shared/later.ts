/** Calls once after that many ms; the timer keeps no process alive. out: stops it */
export function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

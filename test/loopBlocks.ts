/** How long the event loop of this thread stood, measured in CPU time: other threads and other programs on the machine do not count. */
import { threadCpuMs } from './threadCpu.cjs'

/** What one turn of the loop may take. */
export const LONGEST_BLOCK_MS = 200

/**
 * Run something while the loop turns as fast as it can.
 *
 * out     its outcome, and the longest turn meanwhile: of the wall clock and of the thread's CPU time the smaller one
 * units   ms
 */
export async function longestBlock<T>(
  work: () => Promise<T> | T,
): Promise<{ outcome: T; blockMs: number; turns: number }> {
  let blockMs = 0
  let turns = 0
  let isOver = false
  let wall = performance.now()
  let used = threadCpuMs()
  const turn = (): void => {
    const [wallNow, usedNow] = [performance.now(), threadCpuMs()]
    blockMs = Math.max(blockMs, Math.min(wallNow - wall, usedNow - used))
    wall = wallNow
    used = usedNow
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  turn()
  try {
    const outcome = await work()
    // The turn in which the work ended counts too.
    await new Promise((done) => setImmediate(done))
    return { outcome, blockMs, turns }
  } finally {
    isOver = true
  }
}

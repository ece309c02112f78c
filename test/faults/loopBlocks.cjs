/**
 * Preloaded into a server: how long its event loop was blocked at most, in CPU time of the loop's own thread.
 * Writes the longest since SIGUSR2, in ms, to the file that CONVENE_LOOP_BLOCKS names. Work of other threads (password hashes, workers,
 * compiling) does not count, nor does a wait for a busy machine.
 */
const { readFileSync, writeFileSync } = require('node:fs')
const { performance } = require('node:perf_hooks')

const TICK_MS = 10
const file = process.env.CONVENE_LOOP_BLOCKS
let longestMs = 0
let at = performance.now()
let cpuMs = threadCpuMs()

/** Linux: the main thread has the number of its process; the first figure is its time on a CPU in ns. Elsewhere all threads count. */
function threadCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}

if (file)
  setInterval(() => {
    const now = performance.now()
    const cpuNow = threadCpuMs()
    const blockMs = Math.min(now - at - TICK_MS, cpuNow - cpuMs)
    at = now
    cpuMs = cpuNow
    if (blockMs <= longestMs) return
    longestMs = blockMs
    writeFileSync(file, String(Math.round(blockMs)))
  }, TICK_MS).unref()

// Forget what was so far.
process.on('SIGUSR2', () => {
  longestMs = 0
})

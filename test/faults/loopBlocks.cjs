/**
 * Preloaded into a server: how long its event loop was blocked at most, in CPU time of its process.
 * Writes the longest since SIGUSR2, in ms, to the file that CONVENE_LOOP_BLOCKS names. A block that only waited for a busy machine has little CPU time.
 */
const { writeFileSync } = require('node:fs')
const { performance } = require('node:perf_hooks')

const TICK_MS = 10
const file = process.env.CONVENE_LOOP_BLOCKS
let longestMs = 0
let at = performance.now()
let cpu = process.cpuUsage()

if (file)
  setInterval(() => {
    const now = performance.now()
    const used = process.cpuUsage(cpu)
    const blockMs = Math.min(now - at - TICK_MS, (used.user + used.system) / 1_000)
    at = now
    cpu = process.cpuUsage()
    if (blockMs <= longestMs) return
    longestMs = blockMs
    writeFileSync(file, String(Math.round(blockMs)))
  }, TICK_MS).unref()

// Forget what was so far.
process.on('SIGUSR2', () => {
  longestMs = 0
})

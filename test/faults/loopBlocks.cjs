/**
 * Preloaded into a server: how long its event loop was blocked at most, in CPU time of the loop's own thread.
 * Writes the longest since SIGUSR2, in ms, to the file that CONVENE_LOOP_BLOCKS names.
 */
const { writeFileSync } = require('node:fs')
const { performance } = require('node:perf_hooks')
const { threadCpuMs } = require('../threadCpu.cjs')

const TICK_MS = 10
const file = process.env.CONVENE_LOOP_BLOCKS
let longestMs = 0
let at = performance.now()
let cpuMs = threadCpuMs()

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

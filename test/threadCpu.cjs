// CPU time of the calling thread alone: work of other threads (password hashes, workers, compiling) does not count, nor does
// waiting for a busy machine.
const { readFileSync } = require('node:fs')

/**
 * Linux: the first figure of a thread's schedstat is its time on a CPU in ns. Elsewhere the CPU time of all threads of the process.
 *
 * @returns {number} ms since the thread began
 */
function threadCpuMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}

exports.threadCpuMs = threadCpuMs

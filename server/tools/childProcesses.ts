// One set for the process, since the exit of the process is one event; it holds ids only, and each transport takes its own out.
const running = new Set<number>()
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
let isWatching = false

/** From now on the process group `pid` is killed when this process exits. */
export function guardChild(pid: number): void {
  running.add(pid)
  if (isWatching) return
  isWatching = true
  process.on('exit', killAll)
  for (const name of SIGNALS) process.on(name, onSignal)
}

/** The child has ended: nothing to guard any more. */
export function releaseChild(pid: number): void {
  running.delete(pid)
  if (running.size > 0) return
  isWatching = false
  process.off('exit', killAll)
  for (const name of SIGNALS) process.off(name, onSignal)
}

/** Signal a child and everything that it started (it leads a process group of its own). */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name)
  } catch {
    // It has ended already.
  }
}

function killAll(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL')
}

function onSignal(name: NodeJS.Signals): void {
  // Someone else handles the signal: the process ends in order there, through close(), or through `exit`.
  if (process.listenerCount(name) > 1) return
  killAll()
  // Our listener took away the default, which is to end; give it back and ask again.
  process.off(name, onSignal)
  process.kill(process.pid, name)
}

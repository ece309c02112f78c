/** How the process ends: each part gets its chance to stop, and the process exits in time even when one hangs. */
import { errorCode } from '@/server/shared/errors'
import type { Schedule } from './shared/later'
import { StoreBrokenError } from './store'
import { print } from './terminal'

type StoppingParts = {
  log: { error(data: object, message: string): void; fatal(data: object, message: string): void }
  exit: (code: number) => void
  schedule: Schedule
}

/** From the first call of stop() to the end of the process. */
export const DEADLINE_MS = 10_000
/** A part that has not stopped by then is left behind, so that those after it have their chance. */
export const PART_MS = 3_000

type Part = { name: string; stop: () => unknown; ms: number }

export function createStopping({ log, exit, schedule }: StoppingParts) {
  const parts: Part[] = []
  let stopping: Promise<void> | null = null
  let code = 0
  let hasExited = false

  function exitNow(final: number): void {
    if (hasExited) return
    hasExited = true
    exit(final)
  }

  async function stopPart({ name, stop, ms }: Part): Promise<void> {
    let forget = (): void => {}
    const late = new Promise<'late'>((resolve) => {
      forget = schedule(() => resolve('late'), ms)
    })
    try {
      const end = await Promise.race([Promise.resolve(stop()).then(() => 'stopped' as const), late])
      if (end === 'late') log.error({ part: name }, 'a part did not stop in time')
    } catch (error) {
      log.error({ err: error, part: name }, 'a part failed to stop')
    } finally {
      forget()
    }
  }

  async function stopAll(): Promise<void> {
    schedule(() => {
      log.fatal({ left: parts.map(({ name }) => name) }, 'the process did not stop in time and is ended')
      exitNow(code === 0 ? 1 : code)
    }, DEADLINE_MS)
    for (let part = parts.pop(); part; part = parts.pop()) await stopPart(part)
    exitNow(code)
  }

  const stop = (wanted: number): Promise<void> => {
    if (code === 0) code = wanted
    stopping ??= Promise.resolve().then(stopAll)
    return stopping
  }

  return {
    /** What has come up; it is stopped before those that came up earlier. in: ms: how long that may take, PART_MS when left out */
    add: (name: string, stopIt: () => unknown, ms: number = PART_MS): void =>
      void parts.push({ name, stop: stopIt, ms }),
    isStopping: (): boolean => stopping !== null,
    /** Stop all parts and exit with this code; the first code that is not 0 counts. Called again it waits for the same end. */
    stop,
    exitNow,
    /** For uncaughtException and unhandledRejection. */
    onUncaught(error: unknown, origin: string): void {
      if (error instanceof StoreBrokenError) {
        // The store says itself whether it comes back, and ends the process if not.
        log.error({ err: error, origin }, 'a background write failed')
        return
      }
      const code = errorCode(error)
      // The other end of a connection or pipe closed it. No state depends on it.
      if (code === 'ECONNRESET' || code === 'EPIPE') {
        log.error({ code, origin }, 'a connection was lost outside a request')
        return
      }
      log.fatal({ err: error, origin }, 'uncaught error: the process stops')
      void stop(1)
    },
  }
}

/** Signals, uncaught errors, and a terminal that was closed. */
export function listenToTheProcess(stopping: ReturnType<typeof createStopping>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.isStopping()) return stopping.exitNow(1)
      print('Stopping.')
      void stopping.stop(0)
    })
  }
  // Next has listeners of its own, which only print: the process would continue in an unknown state.
  process.on('uncaughtException', (error) => stopping.onUncaught(error, 'uncaughtException'))
  process.on('unhandledRejection', (error) => stopping.onUncaught(error, 'unhandledRejection'))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

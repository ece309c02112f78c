import type { Stopping } from './stopping'
import { print } from './terminal'

/** Signals, errors that nothing caught, and a terminal that is gone. */
export function listenToTheProcess(stopping: Stopping): void {
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

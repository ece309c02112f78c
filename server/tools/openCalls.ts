/** Which call a server's question belongs to, on a connection that many calls share. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deadline } from './deadline'
import type { ServerRequestHandlers } from './types'

export type RunningCall = {
  asks: ServerRequestHandlers | undefined
  group: string | undefined
  deadline: Deadline
  /** Ends with the call: a question after it has no person to answer it. */
  signal: AbortSignal
}

// Over Streamable HTTP a question comes on the answer stream of the call that it belongs to, and that stream is read in
// the context in which the call was sent. A connection is opened outside of any call (`outsideCalls`), so that what comes
// over a shared pipe belongs to none.
const context = new AsyncLocalStorage<RunningCall>()

/** Run it apart from the call that is open: what it starts is not counted to that call. */
export const outsideCalls = <T>(work: () => T): T => context.exit(work)

export class RunningCalls {
  private readonly calls = new Set<RunningCall>()

  async during<T>(call: RunningCall, work: () => Promise<T>): Promise<T> {
    this.calls.add(call)
    try {
      return await context.run(call, work)
    } finally {
      this.calls.delete(call)
    }
  }

  /**
   * The call on whose behalf the server asks.
   *
   * out     the call whose stream it came on; else the only one; else the oldest, when all have the same people behind
   *         them; else null: asking the wrong people would show them what is not theirs
   */
  asking(): RunningCall | null {
    const own = context.getStore()
    if (own && this.calls.has(own)) return own
    const [first, ...others] = this.calls
    if (!first) return null
    return others.every(({ group }) => group !== undefined && group === first.group) ? first : null
  }
}

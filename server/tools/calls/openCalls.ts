/** Assigns a server's questions to calls on a connection shared by many. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerRequestHandlers } from '../types'
import type { Deadline } from './deadline'

export type RunningCall = {
  asks: ServerRequestHandlers | undefined
  group: string | undefined
  deadline: Deadline
  /** Aborts with the call: then no person can answer its questions. */
  signal: AbortSignal
}

// Over Streamable HTTP a question arrives on the response stream of its call, which is read in the async context of the call.
// A connection is opened outside of any call (`outsideCalls`), so that messages on a shared pipe belong to none.
const context = new AsyncLocalStorage<RunningCall>()

/** Run outside of the current call's context, so that its work does not belong to the call. */
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
   * The call for which the server asks.
   *
   * out     the call whose stream it arrived on; else the only one; else the oldest that can ask somebody, or the oldest, when all
   *         have the same group of people; else null: the question might show other people's data
   */
  asking(): RunningCall | null {
    const own = context.getStore()
    if (own && this.calls.has(own)) return own
    const [first, ...others] = this.calls
    if (!first) return null
    const areTogether = others.every(({ group }) => group !== undefined && group === first.group)
    return areTogether ? ([first, ...others].find(({ asks }) => asks?.asksNobody !== true) ?? first) : null
  }
}

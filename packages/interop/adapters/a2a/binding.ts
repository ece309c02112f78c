/** What JSON-JSON_RPC and HTTP+JSON have in common: one handler answers both. */
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'

/**
 * A call, decoded as far as both can.
 *
 * operation  of HTTP+JSON; JSON-JSON_RPC names it in the body
 * params     segments of the path
 * body       undefined: it was not JSON
 */
export type BoundCall = {
  operation: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: unknown
}

/** A value with the status of HTTP, or the events of a stream. */
export type BoundAnswer = { status: number; body: unknown } | { events: AsyncGenerator<unknown, void, undefined> }

export type Binding = {
  name: 'JSONRPC' | 'HTTP+JSON'
  /** Throws errors of the SDK. */
  answer(handler: A2ARequestHandler, call: BoundCall, context: ServerCallContext): Promise<BoundAnswer>
  /** in: status: of HTTP, where the binding uses it; left out: that of the error */
  failure(call: BoundCall, error: unknown, status?: number): { status: number; body: unknown }
}

/** JSON-RPC 2.0 as MAP uses it. Readers distinguish messages by their keys, so no optional key is written empty. */
import * as z from 'zod/mini'
import { isJsonObject, jsonValueOf } from '@/lib/json'
import { withNumbersKept } from '@/lib/jsonNumbers'

/** MAP's own clients use numbers; JSON-RPC allows texts as well. */
type RpcId = string | number
export type RpcParams = Record<string, unknown>

export type RpcRequest = { id: RpcId; method: string; params: RpcParams }
type RpcNotification = { method: string; params: RpcParams }
export type RpcError = { code: number; message: string; data?: Record<string, unknown> }

/** The errors of JSON-RPC itself. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

export type Incoming =
  | { kind: 'request'; request: RpcRequest }
  /** These get no answer, and their content is not read: MAP has no notification for a server, and we send no requests. */
  | { kind: 'notification' }
  | { kind: 'answer' }
  /** id null: the request is unknown. */
  | { kind: 'broken'; id: RpcId | null; error: RpcError }

const Id = z.union([z.string(), z.number()])
const Answer = z.looseObject({ jsonrpc: z.literal('2.0'), id: Id })
const Call = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(Id),
  method: z.string().check(z.minLength(1)),
  params: z.optional(z.record(z.string(), z.unknown())),
})

/** in: one text from the socket. out: its kind; never throws. Batches are refused: MAP clients send none */
export function readRpc(text: string): Incoming {
  // A number that parsing would change is a text with the same digits.
  const kept = withNumbersKept(text)
  const value: unknown = kept === null ? undefined : jsonValueOf(kept.text)
  if (value === undefined) return { kind: 'broken', id: null, error: { code: RPC.parse, message: 'This is no JSON.' } }
  if (!isJsonObject(value)) return broken(null, 'One call is one JSON object.')
  const id = Id.safeParse(value.id).data ?? null
  if (!('method' in value)) {
    const isAnswer = Answer.safeParse(value).success && ('result' in value || 'error' in value)
    return isAnswer ? { kind: 'answer' } : broken(id, 'Neither a call (method) nor an answer (result or error).')
  }
  const call = Call.safeParse(value)
  if (!call.success) {
    const wrongParams = call.error.issues.every(({ path }) => path[0] === 'params')
    return wrongParams
      ? { kind: 'broken', id, error: { code: RPC.invalidParams, message: 'params is an object with names.' } }
      : broken(id, 'A call has jsonrpc "2.0", a method and, unless it is a notification, an id.')
  }
  const { id: called, method, params = {} } = call.data
  return called === undefined ? { kind: 'notification' } : { kind: 'request', request: { id: called, method, params } }
}

function broken(id: RpcId | null, message: string): Incoming {
  return { kind: 'broken', id, error: { code: RPC.invalidRequest, message } }
}

/** out: the text of a response */
export function writeResult(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

/** id: null only when the request's could not be read, as JSON-RPC requires. */
export function writeError(id: RpcId | null, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** out: the text of a notification */
export function writeNotification({ method, params }: RpcNotification): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

/** JSON-JSON_RPC: the SDK's handler over ours. */
import { A2A_ERROR_CODE, toJsonRpcError } from '@a2a-js/sdk/errors'
import { type A2ARequestHandler, JsonRpcTransportHandler, type ServerCallContext } from '@a2a-js/sdk/server'
import * as z from 'zod'
import type { Binding, BoundAnswer, BoundCall } from './binding'
import { mustBeSend } from './forms'

const request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(1_000), z.number().int(), z.null()]).optional(),
  method: z.string().min(1),
})
const SENDS: readonly string[] = ['SendMessage', 'SendStreamingMessage']

export const JSON_RPC: Binding = {
  name: 'JSONRPC',
  answer: (handler, call, context) => answerRpc(handler, call, context),
  failure: ({ body }, thrown) => ({
    status: 200,
    body: { jsonrpc: '2.0', id: idIn(body), error: toJsonRpcError(thrown) },
  }),
}

async function answerRpc(
  handler: A2ARequestHandler,
  { body }: Pick<BoundCall, 'body'>,
  context: ServerCallContext,
): Promise<BoundAnswer> {
  const { PARSE_ERROR, INVALID_REQUEST } = A2A_ERROR_CODE
  if (body === undefined) return said(rpcError(null, PARSE_ERROR, 'The body is not JSON in UTF-8.'))
  const read = request.safeParse(body)
  if (!read.success) return said(rpcError(idIn(body), INVALID_REQUEST, 'The body is no request of JSON-JSON_RPC 2.0.'))
  const { method, params } = read.data
  if (SENDS.includes(method)) mustBeSend(params)
  const answer = await new JsonRpcTransportHandler(handler).handle(read.data, context)
  return Symbol.asyncIterator in answer ? { events: answer } : said(answer)
}

const said = (body: unknown): BoundAnswer => ({ status: 200, body })
const withId = z.looseObject({ id: z.union([z.string(), z.number()]) })
const idIn = (body: unknown): string | number | null => withId.safeParse(body).data?.id ?? null

const rpcError = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })

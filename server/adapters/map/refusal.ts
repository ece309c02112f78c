/** A refusal on its way to being an answer: thrown where it is found, written where the call came in. */

import type * as z from 'zod/mini'
import { RPC, type RpcError, type RpcParams } from '@/lib/protocols/map/jsonRpc'

export class RpcRefusal extends Error {
  constructor(readonly error: RpcError) {
    super(error.message)
  }
}

export const refuseRpc = (code: number, message: string): RpcRefusal => new RpcRefusal({ code, message })

/** The params in their shape; throws the Refusal -32602 that names the first thing that is wrong. */
export function read<Shape extends z.ZodMiniType>(shape: Shape, params: RpcParams): z.output<Shape> {
  const parsed = shape.safeParse(params)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.map(String).join('.') || 'params'
  throw refuseRpc(RPC.invalidParams, `${where}: ${issue?.message ?? 'wrong'}`)
}

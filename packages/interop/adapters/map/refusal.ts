/** The codes of MAP: a refusal is an error of JSON-RPC. */
import type * as z from 'zod/mini'
import { issuesInWords } from '@/lib/json'
import { RPC, type RpcError, type RpcParams } from '../../protocols/map/jsonRpc'
import { MAP_ERRORS } from '../../protocols/map/participants'
import { TRAJECTORY_ERRORS } from '../../protocols/map/trajectory'
import { Refusal, type RefusalTable } from '../refusal'

export const rpcRefusal = ({ code, message, data }: RpcError): Refusal => new Refusal(code, null, message, data)
export const refuseRpc = (code: number, message: string): Refusal => rpcRefusal({ code, message })
/** detail: the exact reason, for the peer's log */
export function refuseTrajectory(name: keyof typeof TRAJECTORY_ERRORS, detail?: string): Refusal {
  const { code, message } = TRAJECTORY_ERRORS[name]
  const data = { category: 'trajectory', ...(name === 'streamFailed' ? { retryable: true } : {}) }
  return new Refusal(code, null, detail === undefined ? message : `${message}: ${detail}`, data)
}

/** in: a refusal of this protocol. */
export const rpcErrorOf = ({ code, message, details }: Refusal): RpcError => ({
  code: typeof code === 'number' ? code : RPC.internal,
  message,
  ...(details === null ? {} : { data: details }),
})

const { code, message, details } = refuseTrajectory('permissionDenied', 'this peer may not use it')

/** MAP has no signatures, so a peer that must sign is refused: its key alone would be enough here. */
export const MAP_REFUSALS: RefusalTable = {
  codes: {
    nobody: MAP_ERRORS.authRequired,
    tooMany: MAP_ERRORS.tooMany,
    internal: RPC.internal,
    badSignature: code,
    notAllowed: code,
  },
  statuses: {},
  says: { nobody: 'Show a key first, with map/authenticate.', badSignature: message, notAllowed: message },
  details: { badSignature: details ?? {}, notAllowed: details ?? {} },
}

/** Validates params; throws Refusal -32602 with the first problem. */
export function read<Shape extends z.ZodMiniType>(shape: Shape, params: RpcParams): z.output<Shape> {
  const parsed = shape.safeParse(params)
  if (parsed.success) return parsed.data
  throw refuseRpc(RPC.invalidParams, issuesInWords(parsed.error.issues, 'params', 1))
}

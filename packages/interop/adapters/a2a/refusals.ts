/** How A2A refuses: our refusals as its errors, and errors before the protocol as google.rpc.Status. */
import type { ServerResponse } from 'node:http'
import {
  A2A_ERROR_CODE,
  A2A_ERROR_DOMAIN,
  A2AError,
  ERROR_INFO_TYPE,
  RequestMalformedError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { sendJson } from '../http'
import { Refusal, type RefusalTable } from '../refusal'
import { retryHeaders } from '../routes'

/** Codes of google.rpc, with the statuses of HTTP. */
const STATUSES = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 405,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const

export const REFUSALS: RefusalTable = {
  codes: {
    path: 'NOT_FOUND',
    method: 'UNIMPLEMENTED',
    unknownKey: 'UNAUTHENTICATED',
    nobody: 'UNAUTHENTICATED',
    badSignature: 'UNAUTHENTICATED',
    notJson: 'INVALID_ARGUMENT',
    tooLarge: 'INVALID_ARGUMENT',
    tooMany: 'RESOURCE_EXHAUSTED',
    notAllowed: 'PERMISSION_DENIED',
    receiver: 'NOT_FOUND',
    conversationUnknown: 'INVALID_ARGUMENT',
    conversationOver: 'INVALID_ARGUMENT',
    idTaken: 'ALREADY_EXISTS',
    emptyText: 'INVALID_ARGUMENT',
    unavailable: 'UNAVAILABLE',
    internal: 'INTERNAL',
  },
  statuses: { ...STATUSES, tooLarge: 413, notJson: 415 },
}

/** An error of the protocol for what refused a command; null: it is no fault of the caller. */
export function a2aErrorOf(thrown: unknown): A2AError | null {
  if (thrown instanceof A2AError) return thrown
  if (!(thrown instanceof Refusal)) return null
  switch (thrown.code) {
    case 'UNAVAILABLE':
    case 'INTERNAL':
      return null
    case 'RESOURCE_EXHAUSTED':
      return new UnsupportedOperationError(thrown.message)
    default:
      return new RequestMalformedError(thrown.message)
  }
}

/** in: isRpc: the form of JSON-JSON_RPC */
export function writeRefusal(response: ServerResponse, refusal: Refusal, isRpc: boolean): void {
  const { code, message, status, retryAfterS } = refusal
  const info = { '@type': ERROR_INFO_TYPE, reason: String(code), domain: A2A_ERROR_DOMAIN }
  const http = status ?? 500
  const headers = { ...retryHeaders(retryAfterS), ...(http === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}) }
  if (isRpc) {
    const error = { code: A2A_ERROR_CODE.INVALID_REQUEST, message, data: [info] }
    sendJson(response, http, { jsonrpc: '2.0', id: null, error }, headers)
  } else sendJson(response, http, { error: { code: http, status: code, message, details: [info] } }, headers)
}

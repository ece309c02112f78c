/** Refusals of all protocols: thrown where the cause is found, formatted by the protocol of the call. */
import type { Fault } from '@/lib/faults'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  /**
   * in  status: HTTP; null: the protocol has none. details: protocol fields beside code and message.
   *     retryAfterS: seconds to wait; null: waiting does not help. isRate: a rate limit, which is not logged
   */
  constructor(
    readonly code: string | number,
    readonly status: number | null,
    message: string,
    readonly details: Record<string, unknown> | null = null,
    readonly retryAfterS: number | null = null,
    readonly isRate = retryAfterS !== null,
  ) {
    super(message)
  }
}

/** Makes refusals of one protocol. in: the HTTP status of each code */
export const refuser =
  <Code extends string>(statuses: Readonly<Record<Code, number>>) =>
  (code: Code, message: string, details?: Record<string, unknown>, retryAfterS?: number): Refusal =>
    new Refusal(code, statuses[code], message, details, retryAfterS)

/** Reasons to refuse a call in any protocol. nobody: no key, and no peer was found. */
type RefusalKind =
  | 'path'
  | 'method'
  | 'unknownKey'
  | 'nobody'
  | 'notJson'
  | 'tooLarge'
  | 'tooMany'
  | 'badSignature'
  | 'notAllowed'
  | 'receiver'
  | 'conversationUnknown'
  | 'conversationOver'
  | 'idTaken'
  | 'emptyText'
  | 'unavailable'
  | 'internal'

/**
 * How one protocol refuses. A kind without a code becomes `internal`.
 *
 * statuses: HTTP, by code, or by kind where a code has several. says: texts in place of the caller's
 */
export type RefusalTable = {
  codes: { internal: string | number } & Partial<Record<RefusalKind, string | number>>
  statuses: Readonly<Record<string, number>>
  says?: Partial<Record<RefusalKind, string>>
  details?: Partial<Record<RefusalKind, Record<string, unknown>>>
}

/** The codes that most protocols over HTTP use, and their statuses. */
export const HTTP_CODES = {
  path: 'not_found',
  method: 'method_not_allowed',
  notJson: 'not_json',
  unknownKey: 'unauthorized',
  notAllowed: 'not_allowed',
  tooMany: 'too_many',
  badSignature: 'bad_signature',
  idTaken: 'id_taken',
  unavailable: 'unavailable',
  internal: 'internal_error',
} as const satisfies RefusalTable['codes']
export const HTTP_STATUSES = {
  unauthorized: 401,
  bad_signature: 401,
  not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  id_taken: 409,
  not_json: 415,
  too_many: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export const INTERNAL_WORDS = 'Something went wrong on the server. It was recorded.'

/** A refusal in a protocol's codes and texts; a kind without a code becomes an internal error. */
export function refusalAs(
  table: RefusalTable,
  kind: RefusalKind,
  message: string,
  retryAfterS?: number,
  isRate?: boolean,
): Refusal {
  const { codes, statuses, says, details } = table
  const code = codes[kind]
  if (code === undefined) return refusalAs(table, 'internal', INTERNAL_WORDS)
  const status = statuses[kind] ?? statuses[code] ?? null
  return new Refusal(code, status, says?.[kind] ?? message, details?.[kind], retryAfterS, isRate)
}

const KINDS: { [Code in Fault['code']]?: RefusalKind } = {
  CONVERSATION_UNKNOWN: 'conversationUnknown',
  CONVERSATION_OVER: 'conversationOver',
  CONVERSATION_ASLEEP: 'unavailable',
  ENVELOPE_ID_TAKEN: 'idTaken',
  RECEIVER_UNKNOWN: 'receiver',
  RECEIVER_GONE: 'receiver',
  NO_PEER: 'notAllowed',
  NOT_ALLOWED: 'notAllowed',
  EMPTY_TEXT: 'emptyText',
  TOO_LARGE: 'tooLarge',
  PEER_LIMIT: 'tooMany',
  STORE_BROKEN: 'unavailable',
  STOPPING: 'unavailable',
}

/** A Fault of a command, in the codes of the protocol. */
export function refusalOf(table: RefusalTable, fault: Fault): Refusal {
  const kind = KINDS[fault.code]
  if (kind === undefined) return refusalAs(table, 'internal', INTERNAL_WORDS)
  return refusalAs(table, kind, fault.message, waitOf(fault), false)
}

/** Seconds until a repeat may succeed. */
function waitOf(fault: Fault): number | undefined {
  const { code, data } = fault
  return code === 'PEER_LIMIT' && data !== undefined && 'afterS' in data ? data.afterS : undefined
}

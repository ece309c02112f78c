/** Refusals of all protocols: thrown where the cause is found, written in the form of the protocol where the call came in. */
import type { Fault } from '@/lib/faults'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  /**
   * in  status: of HTTP; null: the protocol has none. details: what the protocol says beside code and message.
   *     retryAfterS: seconds to wait; null: waiting does not help. isRate: too many calls, of which no line is kept
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

/** Makes refusals of one protocol. in: the HTTP status of each of its codes */
export const refuser =
  <Code extends string>(statuses: Readonly<Record<Code, number>>) =>
  (code: Code, message: string, details?: Record<string, unknown>, retryAfterS?: number): Refusal =>
    new Refusal(code, statuses[code], message, details, retryAfterS)

/** Why a call can be refused in any protocol. nobody: it shows no key, and no peer was found for it. */
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
 * How one protocol refuses. A kind without a code is `internal` there.
 *
 * statuses: of HTTP, by code, or by kind where the code has several. says: its words in place of those of the caller
 */
export type RefusalTable = {
  codes: { internal: string | number } & Partial<Record<RefusalKind, string | number>>
  statuses: Readonly<Record<string, number>>
  says?: Partial<Record<RefusalKind, string>>
  details?: Partial<Record<RefusalKind, Record<string, unknown>>>
}

export const INTERNAL_WORDS = 'Something went wrong on the server. It was recorded.'

/** A refusal in the codes and words of one protocol; a kind that it has no code for is an internal error there. */
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

/** The fault of a decision, in the codes of the protocol. */
export function refusalOf(table: RefusalTable, fault: Fault): Refusal {
  const kind = KINDS[fault.code]
  if (kind === undefined) return refusalAs(table, 'internal', INTERNAL_WORDS)
  return refusalAs(table, kind, fault.message, waitOf(fault), false)
}

/** Seconds until the same may be taken. */
function waitOf(fault: Fault): number | undefined {
  const { code, data } = fault
  return code === 'PEER_LIMIT' && data !== undefined && 'afterS' in data ? data.afterS : undefined
}

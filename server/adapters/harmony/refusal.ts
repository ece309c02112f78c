/** What the Harmony face answers when it refuses. */
import type { Fault } from '@/lib/faults'

const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  bad_signature: 401,
  not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  id_taken: 409,
  too_large: 413,
  not_json: 415,
  invalid_list: 422,
  invalid_packet: 422,
  agent_not_found: 422,
  too_many: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type HarmonyCode = keyof typeof STATUS

/** at: the place of the message in its list, from 0; place: the field of it, as messages[2].content[0].type. */
export type RefusalPlace = { at: number | null; place: string; rule: string }

/** Thrown by whatever checks; the door answers it. */
export class HarmonyRefusal extends Error {
  override readonly name = 'HarmonyRefusal'
  constructor(
    readonly code: HarmonyCode,
    message: string,
    readonly where: RefusalPlace | null = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }

  get status(): number {
    return STATUS[this.code]
  }

  toJSON(): Record<string, unknown> {
    const { code: error, message, status: status_code, where } = this
    return { error, message, status_code, ...(where === null ? {} : { details: where }) }
  }
}

/** What a decision refused, in the words of this face. */
export function harmonyRefusalOf(fault: Fault): HarmonyRefusal {
  switch (fault.code) {
    case 'NO_PEER':
    case 'NOT_ALLOWED':
      return new HarmonyRefusal('not_allowed', 'This is not open to you.')
    case 'RECEIVER_UNKNOWN':
    case 'RECEIVER_GONE':
      return new HarmonyRefusal('agent_not_found', 'No agent here takes this.')
    case 'ENVELOPE_ID_TAKEN':
      return new HarmonyRefusal('id_taken', fault.message)
    case 'TOO_LARGE':
      return new HarmonyRefusal('too_large', fault.message)
    case 'STORE_BROKEN':
    case 'STOPPING':
      return new HarmonyRefusal('unavailable', fault.message)
    default:
      return new HarmonyRefusal('internal_error', 'Something went wrong here. It was recorded.')
  }
}

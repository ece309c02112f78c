import { type RefusalTable, refuser } from '../refusal'

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
/** details: `at`, the index of the message, from 0; `place`, its field, as messages[2].content[0].type; `rule`. */
export const harmonyRefusal = refuser(STATUS)

export const HARMONY: { protocol: 'harmony'; refusals: RefusalTable } = {
  protocol: 'harmony',
  refusals: {
    codes: {
      path: 'not_found',
      method: 'method_not_allowed',
      notJson: 'not_json',
      tooLarge: 'too_large',
      unknownKey: 'unauthorized',
      notAllowed: 'not_allowed',
      tooMany: 'too_many',
      badSignature: 'bad_signature',
      conversationUnknown: 'not_found',
      conversationOver: 'bad_request',
      emptyText: 'invalid_list',
      receiver: 'agent_not_found',
      idTaken: 'id_taken',
      unavailable: 'unavailable',
      internal: 'internal_error',
    },
    statuses: STATUS,
    says: {
      unknownKey: 'Sign in, or show a known key: Authorization: Bearer <key>.',
      notAllowed: 'This is not open to you.',
      receiver: 'No agent here takes this.',
    },
  },
}

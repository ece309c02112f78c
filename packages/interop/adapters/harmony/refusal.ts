import { HTTP_CODES, HTTP_STATUSES, type RefusalTable, refuser } from '../refusal'

const STATUS = {
  ...HTTP_STATUSES,
  bad_request: 400,
  too_large: 413,
  invalid_list: 422,
  invalid_packet: 422,
  agent_not_found: 422,
} as const
/** details: `at`, the index of the message, from 0; `place`, its field, as messages[2].content[0].type; `rule`. */
export const harmonyRefusal = refuser(STATUS)

export const HARMONY: { protocol: 'harmony'; refusals: RefusalTable } = {
  protocol: 'harmony',
  refusals: {
    codes: {
      ...HTTP_CODES,
      tooLarge: 'too_large',
      conversationUnknown: 'not_found',
      conversationOver: 'bad_request',
      emptyText: 'invalid_list',
      receiver: 'agent_not_found',
    },
    statuses: STATUS,
    says: {
      unknownKey: 'Sign in, or show a known key: Authorization: Bearer <key>.',
      notAllowed: 'This is not open to you.',
      receiver: 'No agent here takes this.',
    },
  },
}

import {
  ENVELOPE_VERSION,
  type EnvelopeErrorCode,
  type EnvelopeReading,
  readEnvelope,
  type WireEnvelope,
} from '../../protocols/envelope/envelope'
import { parseJson } from '../http'
import type { Codec, Decoded } from '../receive'
import { refuser } from '../refusal'

const STATUS: Readonly<Record<EnvelopeErrorCode, number>> = {
  invalid_json: 400,
  invalid_envelope: 400,
  unsupported_version: 400,
  unknown_message_type: 400,
  unauthenticated: 401,
  forbidden: 403,
  bad_signature: 401,
  agent_not_found: 404,
  agent_unavailable: 503,
  unknown_action: 400,
  invalid_parameters: 400,
  id_taken: 409,
  too_large: 413,
  too_many: 429,
  failed: 500,
}

export const envelopeRefusal = refuser(STATUS)

/** isAnswerable: errors and responses are never answered. */
type DecodedEnvelope = Decoded<WireEnvelope> & { senderId: string | null; isAnswerable: boolean }

export const envelopeCodec: Codec<WireEnvelope, DecodedEnvelope> & { protocol: 'envelope' } = {
  protocol: 'envelope',
  refusals: {
    codes: {
      path: 'invalid_envelope',
      method: 'invalid_envelope',
      notJson: 'invalid_json',
      tooLarge: 'too_large',
      unknownKey: 'unauthenticated',
      notAllowed: 'forbidden',
      tooMany: 'too_many',
      badSignature: 'bad_signature',
      receiver: 'agent_not_found',
      conversationUnknown: 'invalid_parameters',
      idTaken: 'id_taken',
      conversationOver: 'invalid_parameters',
      emptyText: 'invalid_parameters',
      unavailable: 'agent_unavailable',
      internal: 'failed',
    },
    statuses: { ...STATUS, path: 404, method: 405, notJson: 415 },
  },
  decode(bytes) {
    const value = parseJson(bytes)
    return decoded(readEnvelope(value), value === undefined)
  },
}

function decoded(reading: EnvelopeReading, isNoJson: boolean): DecodedEnvelope {
  if ('envelope' in reading) {
    const { envelope: value } = reading
    const isAnswerable = value.message_type === 'request' || value.message_type === 'event'
    return { theirs: value.message_id, senderId: value.sender_id, isAnswerable, value }
  }
  const { code, message, messageId: theirs, senderId, isAnswerable } = reading.unreadable
  const details = code === 'unsupported_version' ? { supported_versions: [ENVELOPE_VERSION] } : undefined
  const refused = isNoJson
    ? envelopeRefusal('invalid_json', 'A message is JSON in UTF-8.')
    : envelopeRefusal(code, message, details)
  return { theirs, senderId, isAnswerable, refused }
}

/** The A2A envelope: the JSON structure of every message between agents, on any transport. */
import * as z from 'zod/mini'
import { isJsonObject, issuesInWords } from '@/lib/json'
import { NAME_MAX, Name, nameIn, Timestamp } from '@/lib/protocols/fields'

export const ENVELOPE_VERSION = '1.0'
export const BROADCAST = 'broadcast'

const Bag = z.record(z.string(), z.unknown())
const Metadata = z.looseObject({ correlation_id: z.optional(z.nullable(z.string().check(z.maxLength(NAME_MAX)))) })

const RequestPayload = z.looseObject({ action: Name, parameters: z._default(Bag, {}) })
const ErrorPayload = z.looseObject({ code: Name, message: z.string(), details: z.optional(z.unknown()) })
const ResponsePayload = z
  .looseObject({ status: Name, result: z.optional(z.unknown()), error: z.optional(z.unknown()) })
  .check(
    z.refine(({ status, error }) => !isFailed(status) || (error !== undefined && error !== null), {
      error: 'a failed response says what went wrong in error',
      path: ['error'],
    }),
  )
const EventPayload = z.looseObject({ event_name: Name, event_data: z._default(Bag, {}) })

const head = {
  protocol_version: z.literal(ENVELOPE_VERSION),
  message_id: Name,
  timestamp: Timestamp,
  sender_id: Name,
  receiver_id: Name,
  metadata: z.optional(Metadata),
}
/** An answer must name what it answers; an error may also be unsolicited. */
const Correlated = z.looseObject({ correlation_id: Name })

export const WireEnvelope = z.discriminatedUnion('message_type', [
  z.object({ ...head, message_type: z.literal('request'), payload: RequestPayload }),
  z.object({ ...head, message_type: z.literal('response'), payload: ResponsePayload, metadata: Correlated }),
  z.object({ ...head, message_type: z.literal('event'), payload: EventPayload }),
  z.object({ ...head, message_type: z.literal('error'), payload: ErrorPayload }),
])
export type WireEnvelope = z.infer<typeof WireEnvelope>
export type RequestEnvelope = Extract<WireEnvelope, { message_type: 'request' }>
export type AnswerEnvelope = Extract<WireEnvelope, { message_type: 'response' | 'error' }>
type EnvelopeType = WireEnvelope['message_type']

/** Codes of error envelopes. */
export type EnvelopeErrorCode =
  | 'invalid_json'
  | 'invalid_envelope'
  | 'unsupported_version'
  | 'unknown_message_type'
  | 'unauthenticated'
  | 'forbidden'
  | 'bad_signature'
  | 'agent_not_found'
  | 'agent_unavailable'
  | 'unknown_action'
  | 'invalid_parameters'
  | 'id_taken'
  | 'too_large'
  | 'too_many'
  | 'failed'

/** Why a value is no envelope, with the fields that could be read: an invalid request still gets an answer. */
type Unreadable = {
  code: EnvelopeErrorCode
  message: string
  /** null: could not be read. */
  messageId: string | null
  senderId: string | null
  /** Errors are never answered by errors, even when malformed. */
  isAnswerable: boolean
}
export type EnvelopeReading = { envelope: WireEnvelope } | { unreadable: Unreadable }

/** in: a parsed JSON value. out: the envelope, or why it is none; never throws */
export function readEnvelope(value: unknown): EnvelopeReading {
  const said = outline(value)
  const unreadable = (code: EnvelopeErrorCode, message: string): EnvelopeReading => ({
    unreadable: {
      code,
      message,
      messageId: said.message_id,
      senderId: said.sender_id,
      isAnswerable: said.message_type !== 'error' && said.message_type !== 'response',
    },
  })
  if (!isJsonObject(value)) {
    return unreadable('invalid_envelope', 'A message is a JSON object.')
  }
  if (said.protocol_version !== null && said.protocol_version !== ENVELOPE_VERSION) {
    return unreadable('unsupported_version', `protocol_version "${ENVELOPE_VERSION}" is spoken here.`)
  }
  if (said.message_type !== null && !MESSAGE_TYPES.includes(said.message_type)) {
    return unreadable('unknown_message_type', `message_type is one of: ${MESSAGE_TYPES.join(', ')}.`)
  }
  const parsed = WireEnvelope.safeParse(value)
  if (parsed.success) return { envelope: parsed.data }
  return unreadable('invalid_envelope', issuesInWords(parsed.error.issues, 'message'))
}

const MESSAGE_TYPES: readonly string[] = ['request', 'response', 'event', 'error'] satisfies EnvelopeType[]

/** The fields of the head that are texts. */
const outline = (value: unknown) => ({
  protocol_version: nameIn(value, 'protocol_version'),
  message_id: nameIn(value, 'message_id'),
  sender_id: nameIn(value, 'sender_id'),
  message_type: nameIn(value, 'message_type'),
})

/** Values that come from the caller: this module creates no ids and reads no clock. */
export type EnvelopeStamp = { messageId: string; at: number; from: string }

/** The only response to a request. */
export function responseEnvelope(
  to: { messageId: string; senderId: string },
  stamp: EnvelopeStamp,
  payload: { status: string; result: unknown },
): AnswerEnvelope {
  return {
    ...headOf(stamp, to.senderId),
    message_type: 'response',
    payload,
    metadata: { correlation_id: to.messageId },
  }
}

/** An error: the answer to an invalid or forbidden message, or unsolicited (messageId null). */
export function errorEnvelope(
  to: { messageId: string | null; senderId: string | null },
  stamp: EnvelopeStamp,
  error: { code: string; message: string; details?: unknown },
): AnswerEnvelope {
  return {
    ...headOf(stamp, to.senderId ?? 'unknown'),
    message_type: 'error',
    payload: error,
    ...(to.messageId === null ? {} : { metadata: { correlation_id: to.messageId } }),
  }
}

/** An event for one receiver or for all. */
export function eventEnvelope(
  stamp: EnvelopeStamp,
  name: string,
  data: Record<string, unknown>,
  to: string = BROADCAST,
): Extract<WireEnvelope, { message_type: 'event' }> {
  return { ...headOf(stamp, to), message_type: 'event', payload: { event_name: name, event_data: data } }
}

/** A request to one agent, which answers it with a response or an error. */
export function requestEnvelope(
  stamp: EnvelopeStamp,
  to: string,
  action: string,
  parameters: Record<string, unknown>,
): RequestEnvelope {
  return { ...headOf(stamp, to), message_type: 'request', payload: { action, parameters } }
}

function headOf({ messageId, at, from }: EnvelopeStamp, to: string) {
  return {
    protocol_version: ENVELOPE_VERSION,
    message_id: messageId,
    timestamp: new Date(at).toISOString(),
    sender_id: from,
    receiver_id: to,
  } as const
}

/** The id of the answered message; null: the envelope answers nothing. */
export function correlationOf(envelope: WireEnvelope): string | null {
  return envelope.metadata?.correlation_id ?? null
}

/** Includes the document's own word. */
export function isFailed(status: string): boolean {
  return FAILED.has(status.toLowerCase())
}
const FAILED = new Set(['failed', 'failure', 'error', '失败'])

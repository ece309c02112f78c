/** MAMP messages between agent systems, one JSON object each. */
import * as z from 'zod/mini'
import { isJsonObject, issuesInWords } from '@/lib/json'
import { NAME_MAX, Name, nameIn, Timestamp } from '@/lib/protocols/fields'

export const MAMP_VERSION = 'mamp/1.0'
const URL_MAX = 4_096
const PARTS_MAX = 1_000

/** agent://domain/agent-id; each system defines the last part. */
export const AgentUri = z
  .string()
  .check(z.maxLength(NAME_MAX), z.regex(/^agent:\/\/[^\s/?#]+\/\S+$/, { error: 'not agent://domain/agent-id' }))
const WebAddress = z.string().check(z.maxLength(URL_MAX), z.regex(/^https?:\/\/\S+$/, { error: 'not a web address' }))

export const MampSource = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url'), url: WebAddress, media_type: z.optional(z.string()) }),
  z.object({ type: z.literal('base64'), media_type: z.optional(z.string()), data: z.string() }),
])
export type MampSource = z.infer<typeof MampSource>

export const MampPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), source: MampSource }),
  z.object({ type: z.literal('code'), language: z.optional(z.string()), code: z.string() }),
  z.object({ type: z.literal('file'), name: z.string(), mime_type: z.optional(z.string()), source: MampSource }),
])
export type MampPart = z.infer<typeof MampPart>

export const MampContent = z.union([z.string(), z.array(MampPart).check(z.minLength(1), z.maxLength(PARTS_MAX))])
export type MampContent = z.infer<typeof MampContent>

/** need_reply, in_reply_to: our extensions; other systems omit and ignore them. */
const MampMetadata = z.looseObject({
  timestamp: Timestamp,
  need_reply: z.optional(z.boolean()),
  in_reply_to: z.optional(z.nullable(Name)),
  callback_url: z.optional(z.nullable(WebAddress)),
})

export const MampMessage = z.object({
  protocol: z.literal(MAMP_VERSION),
  message_id: Name,
  conversation_id: z.optional(z.nullable(Name)),
  from: AgentUri,
  to: AgentUri,
  content: MampContent,
  metadata: MampMetadata,
  callback_url: z.optional(z.nullable(WebAddress)),
})
export type MampMessage = z.infer<typeof MampMessage>

/** The immediate response to a message; the work continues. */
export const MampReceipt = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  status: z.literal('received'),
})
export type MampReceipt = z.infer<typeof MampReceipt>

/** All refusal codes, with their HTTP statuses. */
export const MAMP_ERRORS = {
  invalid_json: 400,
  invalid_message: 400,
  unsupported_protocol: 400,
  callback_not_allowed: 400,
  unauthorized: 401,
  bad_signature: 401,
  agent_not_allowed: 403,
  agent_not_found: 404,
  conversation_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  conversation_closed: 409,
  id_taken: 409,
  message_too_large: 413,
  not_json: 415,
  too_many: 429,
  internal_error: 500,
  unavailable: 503,
} as const

/** messageId: the sender's id of what is no message, if it could be read. */
type MampReading = { message: MampMessage } | { error: keyof typeof MAMP_ERRORS; why: string; messageId: string | null }

/** in: a parsed JSON body. out: the message, or why it is none; never throws */
export function readMampMessage(value: unknown): MampReading {
  const messageId = nameIn(value, 'message_id')
  if (!isJsonObject(value)) return { error: 'invalid_message', why: 'A message is a JSON object.', messageId }
  const protocol = nameIn(value, 'protocol')
  if (protocol !== null && protocol !== MAMP_VERSION)
    return { error: 'unsupported_protocol', why: `protocol "${MAMP_VERSION}" is spoken here.`, messageId }
  const parsed = MampMessage.safeParse(value)
  if (parsed.success) return { message: parsed.data }
  return { error: 'invalid_message', why: issuesInWords(parsed.error.issues, 'message'), messageId }
}

/** A string equals one text part. */
export const mampParts = (content: MampContent): MampPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** The address for answers. The document defines no field for it, so both are read. */
export const callbackOf = ({ callback_url, metadata }: MampMessage): string | null =>
  callback_url ?? metadata.callback_url ?? null

/** Domain and agent of a URI; null: not an agent's URI. */
export function splitUri(uri: string): { domain: string; agent: string } | null {
  const [, domain, agent] = /^agent:\/\/([^\s/?#]+)\/(\S+)$/.exec(uri) ?? []
  return domain === undefined || agent === undefined ? null : { domain, agent }
}

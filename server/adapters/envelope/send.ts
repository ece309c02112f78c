/**
 * A message of ours as an envelope: a request when an answer is wanted, an event else; over a connection that the peer
 * holds, or to its own address.
 */

import { selectPeers } from '@/lib/mas/selectors/outside'
import { eventEnvelope, readEnvelope, requestEnvelope, type WireEnvelope } from '@/lib/protocols/envelope/envelope'
import { openOutbound } from '../../net'
import type { AdapterContext, OutgoingMessage, SendResult } from '../adapter'
import { parseJson } from '../http'
import { whyRefused, whyUnreached } from '../sendFailures'
import { SIGNATURE_HEADER } from '../signatures'
import { type AttachedFile, MESSAGE_EVENT } from './actions'
import type { EnvelopeConnections } from './connections'
import { isMadeUp, madeUpName } from './conversationNames'
import { type EnvelopeContext, receiveEnvelope } from './receive'

const LIMIT_MS = 20_000
/** Of one envelope, in and out. */
export const MAX_ENVELOPE_BYTES = 256 * 1024
export const MESSAGES_PATH = '/a2a/v1/messages'

export async function sendEnvelope(
  context: EnvelopeContext,
  connections: EnvelopeConnections,
  sending: OutgoingMessage,
): Promise<SendResult> {
  const envelope = await asEnvelope(context, sending)
  const body = JSON.stringify(envelope)
  const { peer, conversation } = sending
  const base = {
    envelope: body,
    status: null,
    why: null,
    shared: conversation.shared === null ? madeUpName(context.newId()) : null,
    closes: false,
    retryAfterMs: null,
  }
  const answer = await connections.offer(sending, envelope, body)
  if (answer !== null) {
    // What came back on the connection was taken as it came; here it only names the conversation.
    return { ...base, verdict: 'delivered', by: 'stream', ...named(sending, answer === 'sent' ? null : answer) }
  }
  if (peer.baseUrl === null) {
    return {
      ...base,
      verdict: 'failed',
      by: 'call',
      why: { code: 'notConnected' },
      shared: null,
    }
  }
  return call(context, sending, peer.baseUrl, body, base)
}

/** Of their answer: the name that they gave the conversation. */
function named({ conversation }: OutgoingMessage, answer: WireEnvelope | null): Partial<SendResult> {
  if (answer?.message_type !== 'response') return {}
  const { result } = answer.payload
  const name = typeof result === 'object' && result !== null ? Reflect.get(result, 'conversation_id') : undefined
  const isNew = conversation.shared === null || isMadeUp(conversation.shared)
  return isNew && typeof name === 'string' && name !== '' ? { shared: name } : {}
}

async function call(
  context: EnvelopeContext,
  sending: OutgoingMessage,
  baseUrl: string,
  body: string,
  base: Omit<SendResult, 'verdict' | 'by'>,
): Promise<SendResult> {
  const { peer, signal } = sending
  const key = context.keys.sendKey(peer.id)
  const signature = context.keys.sign(peer.id, body)
  try {
    const { status, headers, text, bytes } = await openOutbound({ allowPrivate: peer.allowPrivate })(
      `${baseUrl.replace(/\/+$/, '')}${MESSAGES_PATH}`,
      {
        body,
        limitMs: LIMIT_MS,
        answerBytes: MAX_ENVELOPE_BYTES,
        signal,
        headers: {
          'Content-Type': 'application/json',
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(signature === null ? {} : { [SIGNATURE_HEADER.a2a]: signature }),
        },
      },
    )
    if (status < 200 || status >= 300) return { ...base, by: 'call', shared: null, ...refusalOf(status, headers, text) }
    const reading = text.trim() === '' ? null : readEnvelope(parseJson(bytes))
    let answer = reading !== null && 'envelope' in reading ? reading.envelope : null
    if (answer !== null && selectPeers(context.engine.world()).some(({ id }) => id === peer.id)) {
      const signed = headers[SIGNATURE_HEADER.a2a]
      const options = {
        peer: peer.id,
        bytes: Buffer.from(bytes),
        signature: typeof signed === 'string' ? signed : null,
      }
      const { code } = await receiveEnvelope(context, options)
      if (code === 'bad_signature') answer = null
    }
    return {
      ...base,
      verdict: 'delivered',
      by: 'call',
      status,
      ...nameNow(context, sending),
      ...named(sending, answer),
    }
  } catch (error) {
    const why = whyUnreached(error)
    return {
      ...base,
      by: 'call',
      verdict: why.code === 'private' ? 'failed' : 'retry',
      shared: null,
      why,
    }
  }
}

/** Their answer may have named it while it was taken. */
function nameNow({ engine }: AdapterContext, { peer, conversation }: OutgoingMessage): Partial<SendResult> {
  const shared = engine.world().conversations[peer.id]?.[conversation.id]?.shared ?? null
  return shared === null ? {} : { shared }
}

/** Worth another try: too early, too many, and whatever is wrong over there. */
const PASSING: readonly number[] = [408, 425, 429]

function refusalOf(status: number, headers: Record<string, string | string[] | undefined>, text: string) {
  const reading = readEnvelope(parseJson(Buffer.from(text)))
  const error = 'envelope' in reading && reading.envelope.message_type === 'error' ? reading.envelope.payload : null
  const why = whyRefused(status, [error?.code, error?.message])
  const seconds = Number(headers['retry-after'])
  return status >= 500 || PASSING.includes(status)
    ? { verdict: 'retry' as const, status, why, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null }
    : { verdict: 'failed' as const, status, why }
}

/** The message's own id is the envelope's: a peer that keeps to its ids takes it once. */
async function asEnvelope(
  context: AdapterContext,
  { message, conversation, peer, from, to }: OutgoingMessage,
): Promise<WireEnvelope> {
  const stamp = { messageId: message.id as string, at: message.at, from }
  const name = isMadeUp(conversation.shared) ? null : conversation.shared
  const { files, missing } = await filesOf(context, message)
  const more = {
    ...(name === null ? {} : { conversation_id: name }),
    ...(files.length === 0 ? {} : { attachments: files }),
  }
  const answers = context.engine
    .world()
    .exchange[peer.id]?.findLast(
      (line) => line.direction === 'in' && line.message !== null && line.message === message.replyTo,
    )
  const text = [message.text, ...missing].filter((line) => line !== '').join('\n')
  const envelope = message.needReply
    ? requestEnvelope(stamp, to, 'ask', { question: text, ...more })
    : eventEnvelope(stamp, MESSAGE_EVENT, { text, ...more }, to)
  return answers === undefined ? envelope : { ...envelope, metadata: { correlation_id: answers.theirs } }
}

/** What an envelope holds beside its files and text, at most. */
const REST_BYTES = 4 * 1024

/** The files that fit beside the text; of the others whoever reads it hears at least that they did not come. */
async function filesOf({ bodies }: AdapterContext, { text, attachments }: OutgoingMessage['message']) {
  const files: AttachedFile[] = []
  const missing: string[] = []
  let room = MAX_ENVELOPE_BYTES - REST_BYTES - 2 * Buffer.byteLength(text)
  for (const { name, body } of attachments) {
    const kept = body.bytes * 1.4 < room ? await bodies.get(body.sha) : null
    if (kept) {
      const data = Buffer.from(kept.bytes).toString('base64')
      files.push({ name, mime_type: body.mime, data })
      room -= data.length + 2 * Buffer.byteLength(name) + 300
    } else missing.push(`[${name}: ${body.mime}, ${body.bytes} bytes, not sent]`)
  }
  return { files, missing }
}

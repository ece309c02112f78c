/**
 * A message of ours as MAMP, to the peer's own address, to the callback address that it named, or on a stream that it
 * holds.
 *
 * A key of ours goes to the peer's own address only; whoever else it named as callback gets the signature.
 */
import * as z from 'zod/mini'
import { MAMP_VERSION, type MampMessage, MampReceipt } from '@/lib/protocols/mamp'
import { type OutboundAnswer, openOutbound } from '../../net'
import type { AdapterContext, OutgoingMessage, SendResult } from '../adapter'
import { parseJson } from '../http'
import { whyRefused, whyUnreached } from '../sendFailures'
import { SIGNATURE_HEADER } from '../signatures'
import { toContent } from './content'

const LIMIT_MS = 20_000

export async function sendMamp(context: AdapterContext, sending: OutgoingMessage): Promise<SendResult> {
  const body = JSON.stringify(await asMessage(context, sending))
  const { conversation, peer, signal } = sending
  const base = { envelope: body, shared: null, closes: false, retryAfterMs: null }
  if (context.streams.offer(conversation.id, body)) {
    return { ...base, verdict: 'delivered', by: 'stream', status: null, why: null }
  }
  const by = conversation.callback === null ? ('call' as const) : ('callback' as const)
  const address = conversation.callback ?? messagesAt(peer.baseUrl)
  if (address === null) {
    return { ...base, verdict: 'failed', by, status: null, why: { code: 'noAddress' } }
  }
  const isOwn = peer.baseUrl !== null && new URL(address).origin === new URL(peer.baseUrl).origin
  const key = isOwn ? context.keys.sendKey(peer.id) : null
  const signature = context.keys.sign(peer.id, body)
  try {
    const answer = await openOutbound({ allowPrivate: peer.allowPrivate })(address, {
      body,
      limitMs: LIMIT_MS,
      signal,
      headers: {
        'Content-Type': 'application/json',
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(signature === null ? {} : { [SIGNATURE_HEADER.mamp]: signature }),
      },
    })
    return { ...base, by, ...meaningOf(answer) }
  } catch (error) {
    const why = whyUnreached(error)
    return { ...base, by, verdict: why.code === 'private' ? 'failed' : 'retry', status: null, why }
  }
}

const messagesAt = (baseUrl: string | null): string | null =>
  baseUrl === null ? null : `${baseUrl.replace(/\/+$/, '')}/mamp/v1/messages`

/** The id of the conversation is the one that both know; no id of a task or of a step is in it. */
async function asMessage(
  { bodies }: AdapterContext,
  { message, conversation, from, to }: OutgoingMessage,
): Promise<MampMessage> {
  return {
    protocol: MAMP_VERSION,
    message_id: message.id,
    ...(conversation.shared === null ? {} : { conversation_id: conversation.shared }),
    from,
    to,
    content: await toContent(message.text, message.attachments, bodies),
    metadata: { timestamp: new Date(message.at).toISOString(), need_reply: message.needReply },
  }
}

const Refusal = z.looseObject({ error: z.optional(z.string()), message: z.optional(z.string()) })
/** They know the conversation no more: the next message begins another. */
const CLOSING: readonly string[] = ['conversation_not_found', 'conversation_closed']
/** Worth another try: too early, too many, and whatever is wrong over there. */
const PASSING: readonly number[] = [408, 425, 429]

type Meaning = Pick<SendResult, 'verdict' | 'status' | 'why'> & Partial<SendResult>

function meaningOf({ status, headers, text }: OutboundAnswer): Meaning {
  const value = parseJson(Buffer.from(text))
  if (status >= 200 && status < 300) {
    const received = MampReceipt.safeParse(value)
    return { verdict: 'delivered', status, why: null, shared: received.success ? received.data.conversation_id : null }
  }
  const refusal = Refusal.safeParse(value)
  const code = refusal.success ? refusal.data.error : undefined
  const says = refusal.success ? refusal.data.message : undefined
  const why = whyRefused(status, [code, says])
  const seconds = Number(headers['retry-after'])
  if (status >= 500 || PASSING.includes(status)) {
    return { verdict: 'retry', status, why, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null }
  }
  return { verdict: 'failed', status, why, closes: CLOSING.includes(code ?? '') }
}

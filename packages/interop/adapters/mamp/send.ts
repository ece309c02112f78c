/** Sends a message as MAMP: on a stream or socket of the peer, to its callback address, or to its own address. */

import * as z from 'zod/mini'
import { needsReply } from '@/lib/mas/messages/records'
import { outsideIdOf } from '@/lib/mas/outside/outside'
import type { OutboundAnswer } from '@/server/net'
import { MAMP_VERSION, type MampMessage, MampReceipt } from '../../protocols/mamp/message'
import type { AdapterContext, OutgoingMessage, SendResult } from '../adapter'
import { callPeer, isPassing, type PeerRequest, saysOf, sendResult, unreached } from '../callPeer'
import type { PeerConnections } from '../connections'
import { parseJson } from '../http'
import { theirIdOf, workSaidIn } from '../workReport'
import { toContent } from './content'
import type { MampAnswer } from './socket'

export async function sendMamp(
  context: AdapterContext,
  connections: PeerConnections<MampAnswer>,
  sending: OutgoingMessage,
): Promise<SendResult> {
  const body = JSON.stringify(await asMessage(context, sending))
  const { conversation, outgoing, message, peer } = sending
  if (context.streams.offer(conversation.id, body))
    return sendResult({ verdict: 'delivered', by: 'stream', envelope: body })
  // Only a conversation without an id needs the receipt, which holds it.
  const awaited = conversation.shared === null ? outsideIdOf(context.engine.world(), message, outgoing.agent) : null
  const said = await connections.offer(sending, body, awaited)
  if (said !== null && said !== 'unread') return onSocket(said, body)
  const by = conversation.callback === null ? 'call' : 'callback'
  const address = conversation.callback ?? messagesAt(peer.baseUrl)
  const isLost = said === 'unread'
  if (address === null) return unreached(sending, isLost, { by, why: { code: 'noAddress' }, envelope: body })
  const request = { protocol: 'mamp' as const, address, body, refusalIn, isLost }
  const { result, answer, code = '' } = await callPeer(context, sending, request)
  const received = result.verdict === 'delivered' && answer ? MampReceipt.safeParse(jsonOf(answer)) : null
  const shared = received?.success ? received.data.conversation_id : null
  return { ...result, by, shared, closes: result.verdict === 'failed' && CLOSING.includes(code) }
}

function onSocket(said: MampAnswer | 'sent', envelope: string): SendResult {
  const sent = { by: 'stream' as const, envelope }
  if (said === 'sent') return sendResult({ ...sent, verdict: 'delivered' })
  if ('status' in said) return sendResult({ ...sent, verdict: 'delivered', shared: said.conversation_id })
  const { error, message, status_code: status } = said
  const why = { code: 'answered' as const, status, says: saysOf(error, message) }
  return sendResult({
    ...sent,
    status,
    why,
    verdict: isPassing(status) ? 'retry' : 'failed',
    closes: CLOSING.includes(error),
  })
}

const messagesAt = (baseUrl: string | null): string | null =>
  baseUrl === null ? null : `${baseUrl.replace(/\/+$/, '')}/mamp/v1/messages`

/** Holds the shared id of the conversation, and no ids of tasks or steps. */
async function asMessage({ bodies, engine }: AdapterContext, sending: OutgoingMessage): Promise<MampMessage> {
  const { message, outgoing, conversation, from, to } = sending
  const work = workSaidIn(engine.world(), sending)
  const answers = needsReply(message.type) ? null : theirIdOf(engine.world(), sending.peer.id, message.replyTo)
  const about = work?.request ?? answers
  return {
    protocol: MAMP_VERSION,
    message_id: outsideIdOf(engine.world(), message, outgoing.agent),
    ...(conversation.shared === null ? {} : { conversation_id: conversation.shared }),
    from,
    to,
    content: await toContent(message.text, message.attachments, bodies),
    metadata: {
      timestamp: new Date(message.at).toISOString(),
      need_reply: needsReply(message.type),
      ...(work === null ? {} : { task_status: work.state }),
      ...(about === null ? {} : { in_reply_to: about }),
    },
  }
}

/** The peer no longer knows the conversation: the next message begins another. */
const CLOSING: readonly string[] = ['conversation_not_found', 'conversation_closed']
const Refusal = z.looseObject({ error: z.optional(z.string()), message: z.optional(z.string()) })

const jsonOf = ({ text }: OutboundAnswer): unknown => parseJson(Buffer.from(text))

function refusalIn(answer: OutboundAnswer): ReturnType<PeerRequest['refusalIn']> {
  const { error: code, message } = Refusal.safeParse(jsonOf(answer)).data ?? {}
  return { code, message }
}

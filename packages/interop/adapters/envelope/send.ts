/** A message of ours as an envelope, a request or an event, over the peer's connection or to its address. */

import { fieldsIn } from '@/lib/json'
import type { PeerId } from '@/lib/mas/ids'
import { needsReply } from '@/lib/mas/messages/records'
import { outsideIdOf, selectPeers } from '@/lib/mas/outside/outside'
import type { OutboundAnswer } from '@/server/net'
import { bodyContent } from '@/server/shared/bodyText'
import { eventEnvelope, readEnvelope, requestEnvelope, type WireEnvelope } from '../../protocols/envelope/envelope'
import { EVENT_NAMES, type EventKind } from '../../protocols/envelope/events'
import type { AdapterContext, OutgoingMessage, SendResult } from '../adapter'
import { callPeer, type PeerRequest, sendResult, unreached } from '../callPeer'
import type { PeerConnections } from '../connections'
import { parseJson } from '../http'
import { SIGNATURE_HEADER } from '../signatures'
import { theirIdOf, type WorkSaid, workSaidIn } from '../workReport'
import { type AttachedFile, MESSAGE_EVENT } from './actions'
import { isMadeUp, madeUpName } from './conversationNames'
import type { EnvelopeContext } from './handle'
import { receiveEnvelope } from './receive'

/** Limit of one envelope, in both directions. */
export const MAX_ENVELOPE_BYTES = 256 * 1024
export const MESSAGES_PATH = '/envelope/v1/messages'

export async function sendEnvelope(
  context: EnvelopeContext,
  connections: PeerConnections<WireEnvelope>,
  sending: OutgoingMessage,
): Promise<SendResult> {
  const envelope = await asEnvelope(context, sending)
  const body = JSON.stringify(envelope)
  const { peer, conversation } = sending
  const shared = conversation.shared === null ? madeUpName(context.newId()) : null
  const awaited = envelope.message_type === 'request' ? envelope.message_id : null
  const answer = await connections.offer(sending, body, awaited)
  if (answer !== null && answer !== 'unread') {
    // The socket has already received the answer; here it only names the conversation.
    const named = nameIn(sending, answer === 'sent' ? null : answer)
    return sendResult({ verdict: 'delivered', by: 'stream', envelope: body, shared: named ?? shared })
  }
  if (peer.baseUrl === null)
    return unreached(sending, answer === 'unread', { by: 'call', why: { code: 'notConnected' }, envelope: body })
  const address = `${peer.baseUrl.replace(/\/+$/, '')}${MESSAGES_PATH}`
  const isLost = answer === 'unread'
  const request = { protocol: 'envelope' as const, address, body, answerBytes: MAX_ENVELOPE_BYTES, refusalIn, isLost }
  const called = await callPeer(context, sending, request)
  if (called.result.verdict !== 'delivered' || called.answer === null) return called.result
  const said = await takeAnswer(context, peer.id, called.answer)
  return { ...called.result, shared: nameIn(sending, said) ?? nameNow(context, sending) ?? shared }
}

function refusalIn({ text }: OutboundAnswer): ReturnType<PeerRequest['refusalIn']> {
  const reading = readEnvelope(parseJson(Buffer.from(text)))
  return 'envelope' in reading && reading.envelope.message_type === 'error' ? reading.envelope.payload : {}
}

/** Handles the immediate answer like any other envelope. out: it; null: there was none, or its signature is wrong */
async function takeAnswer(
  context: EnvelopeContext,
  peer: PeerId,
  { headers, text, bytes }: OutboundAnswer,
): Promise<WireEnvelope | null> {
  const reading = text.trim() === '' ? null : readEnvelope(parseJson(bytes))
  if (reading === null || !('envelope' in reading)) return null
  if (!selectPeers(context.engine.world()).some(({ id }) => id === peer)) return reading.envelope
  const signature = headers[SIGNATURE_HEADER.envelope] ?? null
  const { refused } = await receiveEnvelope(context, { peer, bytes: Buffer.from(bytes), signature })
  return refused?.code === 'bad_signature' ? null : reading.envelope
}

function nameIn({ conversation }: OutgoingMessage, answer: WireEnvelope | null): string | null {
  if (answer?.message_type !== 'response') return null
  const { conversation_id: name } = fieldsIn(answer.payload.result)
  const isNew = conversation.shared === null || isMadeUp(conversation.shared)
  return isNew && typeof name === 'string' && name !== '' ? name : null
}

/** The name may have been set while the answer was handled. */
const nameNow = ({ engine }: AdapterContext, { peer, conversation }: OutgoingMessage): string | null =>
  engine.world().conversations[peer.id]?.[conversation.id]?.shared ?? null

/** Uses the message's own id, so that the peer can recognise a repeat. */
async function asEnvelope(context: AdapterContext, sending: OutgoingMessage): Promise<WireEnvelope> {
  const { message, outgoing, conversation, peer, from, to } = sending
  const work = workSaidIn(context.engine.world(), sending)
  const stamp = { messageId: outsideIdOf(context.engine.world(), message, outgoing.agent), at: message.at, from }
  const name = isMadeUp(conversation.shared) ? null : conversation.shared
  const { files, missing } = await filesOf(context, message)
  const more = {
    ...(name === null ? {} : { conversation_id: name }),
    ...(files.length === 0 ? {} : { attachments: files }),
    ...(work === null ? {} : { task_status: work.state }),
  }
  const answers = theirIdOf(context.engine.world(), peer.id, message.replyTo)
  const text = [message.text, ...missing].filter((line) => line !== '').join('\n')
  const envelope =
    message.action !== undefined
      ? requestEnvelope(stamp, to, message.action.name, { ...message.action.parameters, ...more })
      : needsReply(message.type)
        ? requestEnvelope(stamp, to, 'ask', { question: text, ...more })
        : eventEnvelope(stamp, ...namedEvent(message, work, { text, ...more }), to)
  const correlation = answers ?? work?.request ?? null
  return correlation === null ? envelope : { ...envelope, metadata: { correlation_id: correlation } }
}

/** A message that reports the begin or end of work is sent as the event of that name. */
function namedEvent(
  { said }: OutgoingMessage['message'],
  work: WorkSaid | null,
  data: Record<string, unknown>,
): [string, Record<string, unknown>] {
  const kind: EventKind | null =
    said?.say === 'workBegun'
      ? 'task_started'
      : work?.state === 'finished'
        ? 'task_finished'
        : work?.state === 'failed'
          ? 'task_failed'
          : null
  return kind === null ? [MESSAGE_EVENT, data] : [EVENT_NAMES[kind], { event: kind, ...data }]
}

/** Limit of an envelope's content beside files and text. */
const REST_BYTES = 4 * 1024

/** The files that fit beside the text; a line of text names the others as not sent. */
async function filesOf({ bodies }: AdapterContext, { text, attachments }: OutgoingMessage['message']) {
  const files: AttachedFile[] = []
  const missing: string[] = []
  let room = MAX_ENVELOPE_BYTES - REST_BYTES - 2 * Buffer.byteLength(text)
  for (const { name, body } of attachments) {
    const kept = body.bytes * 1.4 < room ? await bodyContent(bodies, body) : null
    if (kept) {
      const data = Buffer.from(kept.bytes).toString('base64')
      files.push({ name, mime_type: body.mime, data })
      room -= data.length + 2 * Buffer.byteLength(name) + 300
    } else missing.push(`[${name}: ${body.mime}, ${body.bytes} bytes, not sent]`)
  }
  return { files, missing }
}

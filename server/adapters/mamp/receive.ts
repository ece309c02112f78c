/** A MAMP message that comes in: checked from the outside in, then one command. */

import type { Fault } from '@/lib/faults'
import type { CommandOf } from '@/lib/mas/commands/command'
import type { ConversationId, MessageId, PeerId, TaskId } from '@/lib/mas/ids'
import { fitsPattern, selectConversation, selectPeerOf } from '@/lib/mas/selectors/outside'
import {
  callbackOf,
  type MampError,
  type MampErrorCode,
  type MampMessage,
  mampError,
  mampParts,
  readMampMessage,
} from '@/lib/protocols/mamp'
import { isPrivateHost } from '../../net'
import { sha256 } from '../../shared/sha256'
import type { AdapterContext } from '../adapter'
import { ourAgent } from '../agentUri'
import { keepEnvelope } from '../exchange'
import { parseJson } from '../http'
import { takeOnce } from '../idempotency'
import { allowedAgents } from './card'
import { fromParts } from './content'

/** A message that was taken: what the sender is told, and where its answers will be said. */
export type TakenMessage = {
  messageId: string
  shared: string
  conversation: ConversationId
  task: TaskId | null
  message: MessageId | null
}
export type MampAnswer = { taken: TakenMessage } | { refused: MampError; retryAfter?: number }

/** Who stands behind the request: a peer by its key, nobody yet, or nobody at all. */
export type MampSender = { peer: PeerId | null }

/**
 * Who sends it, before a byte of it is read.
 *
 * out     the peer of the key; peer null where no key was shown and none is demanded; refused otherwise
 */
export function mampSenderOf(
  { keys, ourselves }: AdapterContext,
  authorization: string | undefined,
): MampSender | MampError {
  if (authorization !== undefined) {
    const peer = keys.holder(authorization)
    return peer === null ? mampError('unauthorized', 'This key is not known here.') : { peer }
  }
  if (ourselves().requireAuth) {
    return mampError('unauthorized', 'A key is needed: Authorization: Bearer <key>.')
  }
  return { peer: null }
}

/** Take a message. Whatever is wrong with it is an answer; what is wrong with us rejects. */
export async function receiveMamp(
  context: AdapterContext,
  sender: MampSender,
  bytes: Buffer,
  signature: string | undefined,
): Promise<MampAnswer> {
  const { exchange } = context
  const value = parseJson(bytes)
  const reading =
    value === undefined
      ? { refused: mampError('invalid_json', 'The body is not JSON in UTF-8.'), messageId: null }
      : readMampMessage(value)
  const message = 'message' in reading ? reading.message : null
  const peer = sender.peer ?? (message === null ? null : keylessPeer(context, message))
  const known = peer === null ? undefined : context.engine.world().peers[peer]
  if (peer === null || !known) {
    const refused = message === null && 'refused' in reading ? reading.refused : notAllowed()
    exchange.countRefused('mamp', refused.error)
    return { refused }
  }
  const note = async (refused: MampError): Promise<MampAnswer> => {
    const { error: verdict, message: why, status_code: status } = refused
    const theirs = message?.message_id ?? ('messageId' in reading ? reading.messageId : null)
    await exchange.note({ peer, protocol: 'mamp', theirs, verdict, why, status, envelope: bytes })
    return { refused }
  }
  const seconds = await exchange.tooMany(peer)
  if (seconds > 0) {
    // A line for each would let a flood push everything else out.
    exchange.countRefused('mamp', 'too_many')
    return { refused: mampError('too_many', `Too many messages. Try again in ${seconds} s.`), retryAfter: seconds }
  }
  // Of what was tampered with nothing is believed, not even its form.
  const unsigned = context.keys.signatureProblem(peer, bytes, signature)
  if (unsigned !== null) return note(mampError('bad_signature', unsigned))
  if (message === null) return note('refused' in reading ? reading.refused : notAllowed())
  const wrong = mayNot(context, peer, message) ?? (await badCallback(message, known.allowPrivate))
  if (wrong !== null) return note(wrong)
  return take(context, peer, message, bytes, note)
}

const notAllowed = (): MampError => mampError('agent_not_allowed', 'This agent may not write here.')

/** Where no key is demanded: the peer that names this sender and shows no key. */
function keylessPeer({ engine, keys }: AdapterContext, { from }: MampMessage): PeerId | null {
  const peer = selectPeerOf(engine.world(), from)
  return peer === null || keys.hasKey(peer.id) ? null : peer.id
}

/** A key speaks for the agents of its own system, and only as long as the card lets them in. */
function mayNot({ engine, ourselves }: AdapterContext, peer: PeerId, message: MampMessage): MampError | null {
  const world = engine.world()
  const record = world.peers[peer]
  if (!record || record.removed || !record.may.includes('mamp')) return notAllowed()
  if (selectPeerOf(world, message.from)?.id !== peer) {
    return mampError('agent_not_allowed', `This key does not speak for ${message.from}.`)
  }
  const us = ourselves()
  const isLetIn = us.public || allowedAgents(world, us).some((pattern) => fitsPattern(pattern, message.from))
  if (!isLetIn) return notAllowed()
  return ourAgent(world, us, message.to) === null ? mampError('agent_not_found', `Agent ${message.to} not found`) : null
}

/** An address that somebody else named may lead nowhere but out. */
async function badCallback(message: MampMessage, allowPrivate: boolean): Promise<MampError | null> {
  const callback = callbackOf(message)
  if (callback === null) return null
  if (!URL.canParse(callback)) return mampError('callback_not_allowed', 'callback_url is no web address.')
  const url = new URL(callback)
  if (url.username !== '' || url.password !== '') {
    return mampError('callback_not_allowed', 'callback_url may hold no name and no password.')
  }
  if (!allowPrivate && (await isPrivateHost(url.hostname))) {
    return mampError('callback_not_allowed', 'callback_url lies in a private network.')
  }
  return null
}

async function take(
  context: AdapterContext,
  peer: PeerId,
  message: MampMessage,
  bytes: Buffer,
  note: (refused: MampError) => Promise<MampAnswer>,
): Promise<MampAnswer> {
  const { engine, exchange } = context
  const world = engine.world()
  const to = ourAgent(world, context.ourselves(), message.to)
  if (to === null) return note(mampError('agent_not_found', `Agent ${message.to} not found`))
  const { text, attachments } = await fromParts(mampParts(message.content), context.bodies)
  const command: CommandOf<'takeFromOutside'> = {
    type: 'takeFromOutside',
    peer,
    protocol: 'mamp',
    from: message.from,
    to: to.id,
    shared: message.conversation_id ?? null,
    theirs: message.message_id,
    text,
    attachments,
    needReply: message.metadata.need_reply ?? null,
    inReplyTo: message.metadata.in_reply_to ?? null,
    callback: callbackOf(message),
    status: 200,
    bytes: bytes.length,
    sha: sha256(bytes),
    body: await keepEnvelope(context.bodies, bytes),
  }
  const answer = await takeOnce(context, command)
  if (!answer.ok) return note(errorOf(answer.fault, message))
  if (answer.isRepeat) {
    const line = { peer, protocol: 'mamp' as const, theirs: message.message_id, envelope: bytes }
    await exchange.note({ ...line, verdict: 'repeat', status: 200, why: null })
  }
  const { conversation: named, message: taken, task } = answer.taken
  const conversation = named === null ? null : selectConversation(engine.world(), peer, named)
  if (named === null || conversation === null) return note(mampError('internal_error', 'The conversation is gone.'))
  const ids = { shared: named, conversation: conversation.id }
  return { taken: { messageId: message.message_id, ...ids, task, message: taken } }
}

function errorOf(fault: Fault, message: MampMessage): MampError {
  const says = (code: MampErrorCode, text = fault.message): MampError => mampError(code, text)
  switch (fault.code) {
    case 'CONVERSATION_UNKNOWN':
      return says('conversation_not_found')
    case 'ENVELOPE_ID_TAKEN':
      return says('id_taken')
    case 'CONVERSATION_OVER':
      return says('conversation_closed')
    case 'RECEIVER_UNKNOWN':
    case 'RECEIVER_GONE':
      return says('agent_not_found', `Agent ${message.to} not found`)
    case 'NO_PEER':
    case 'NOT_ALLOWED':
      return notAllowed()
    case 'EMPTY_TEXT':
      return says('invalid_message')
    case 'TOO_LARGE':
      return says('message_too_large')
    case 'CONVERSATION_ASLEEP':
    case 'STORE_BROKEN':
    case 'STOPPING':
      return says('unavailable')
    default:
      return says('internal_error', 'Something went wrong here. It was recorded.')
  }
}

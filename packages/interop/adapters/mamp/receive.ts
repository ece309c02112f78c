/** Decodes incoming MAMP messages, and the rules for accepting them. */
import type { ConversationId, MessageId, TaskId } from '@/lib/mas/ids'
import { fitsPattern, selectConversation, selectPeerOf } from '@/lib/mas/outside/outside'
import { isPrivateHost } from '@/server/net'
import { callbackOf, MAMP_ERRORS, type MampMessage, mampParts, readMampMessage } from '../../protocols/mamp/message'
import type { AdapterContext } from '../adapter'
import { ourAgent } from '../agentUri'
import { parseJson } from '../http'
import { openPictures } from '../pictures'
import { type Codec, type Decoded, type PeerCall, type Rules, takeMessage } from '../receive'
import { HTTP_CODES, Refusal, type RefusalTable, refuser } from '../refusal'
import { workStateIn } from '../workReport'
import { allowedAgents } from './card'
import type { PictureAt } from './content'

/** An accepted message: the sender's ids, and its place here. */
export type TakenMessage = {
  messageId: string
  shared: string
  conversation: ConversationId
  task: TaskId | null
  message: MessageId | null
}

export const mampRefusal = refuser(MAMP_ERRORS)
const NOT_ALLOWED = 'This agent may not write here.'

const REFUSALS: RefusalTable = {
  codes: {
    ...HTTP_CODES,
    tooLarge: 'message_too_large',
    nobody: 'agent_not_allowed',
    notAllowed: 'agent_not_allowed',
    receiver: 'agent_not_found',
    conversationUnknown: 'conversation_not_found',
    conversationOver: 'conversation_closed',
    emptyText: 'invalid_message',
  },
  statuses: MAMP_ERRORS,
  says: { nobody: NOT_ALLOWED, notAllowed: NOT_ALLOWED },
}

/** in: the parsed JSON; undefined: it was not JSON */
export function decodeMamp(value: unknown): Decoded<MampMessage> {
  if (value === undefined)
    return { theirs: null, refused: mampRefusal('invalid_json', 'The body is not JSON in UTF-8.') }
  const reading = readMampMessage(value)
  if ('message' in reading) return { theirs: reading.message.message_id, value: reading.message }
  return { theirs: reading.messageId, refused: mampRefusal(reading.error, reading.why) }
}

export const MAMP: Codec<MampMessage> & { protocol: 'mamp' } = {
  protocol: 'mamp',
  refusals: REFUSALS,
  decode: (bytes) => decodeMamp(parseJson(bytes)),
}

export function mampRules(context: AdapterContext): Rules<MampMessage, TakenMessage> {
  const { engine, keys } = context
  return {
    /** Without required keys: the peer with this sender's URI and no key of its own. */
    peerOf({ from }) {
      const peer = selectPeerOf(engine.world(), from)
      return peer === null || keys.hasKey(peer.id) ? null : peer.id
    },
    async decide(message, call) {
      mustSpeakFor(context, message, call)
      await mustBeGoodCallback(callbackOf(message), call.peer.allowPrivate)
      return take(context, message, call)
    },
  }
}

/** A key authorises the agents of its own system, as long as the card allows them. */
function mustSpeakFor({ engine, ourselves }: AdapterContext, { from }: MampMessage, { peer }: PeerCall): void {
  const world = engine.world()
  if (selectPeerOf(world, from)?.id !== peer.id)
    throw mampRefusal('agent_not_allowed', `This key does not speak for ${from}.`)
  const us = ourselves()
  if (!us.public && !allowedAgents(world, us).some((pattern) => fitsPattern(pattern, from)))
    throw mampRefusal('agent_not_allowed', NOT_ALLOWED)
}

async function mustBeGoodCallback(callback: string | null, allowPrivate: boolean): Promise<void> {
  if (callback === null) return
  const refuse = (why: string): Refusal => mampRefusal('callback_not_allowed', `callback_url ${why}`)
  if (!URL.canParse(callback)) throw refuse('is no web address.')
  const url = new URL(callback)
  if (url.username !== '' || url.password !== '') throw refuse('may hold no name and no password.')
  if (!allowPrivate && (await isPrivateHost(url.hostname))) throw refuse('lies in a private network.')
}

const MOST_PICTURES = 8
/** The sender waits during this time. */
const PICTURES_WITHIN_MS = 10_000

/** Fetches the pictures of one message. */
function picturesOf({ schedule }: AdapterContext, { peer }: PeerCall): { pictureAt: PictureAt; stop: () => void } {
  const limit = new AbortController()
  const { allowPrivate } = peer
  const fetchOne = openPictures({ allowPrivate, most: MOST_PICTURES, signal: limit.signal })
  let stop: (() => void) | null = null
  return {
    async pictureAt(url) {
      stop ??= schedule(() => limit.abort(), PICTURES_WITHIN_MS)
      const picture = await fetchOne(url)
      return 'why' in picture ? null : picture
    },
    stop: () => stop?.(),
  }
}

async function take(context: AdapterContext, message: MampMessage, call: PeerCall): Promise<TakenMessage> {
  const { engine, ourselves } = context
  const notFound = mampRefusal('agent_not_found', `Agent ${message.to} not found`)
  const to = ourAgent(engine.world(), ourselves(), message.to)
  if (to === null) throw notFound
  const pictures = picturesOf(context, call)
  const taken = await takeMessage(context, MAMP, call, {
    from: message.from,
    to: to.id,
    shared: message.conversation_id ?? null,
    theirs: message.message_id,
    parts: mampParts(message.content),
    pictureAt: pictures.pictureAt,
    needReply: message.metadata.need_reply ?? null,
    inReplyTo: message.metadata.in_reply_to ?? null,
    ...workStateIn(message.metadata),
    callback: callbackOf(message),
    status: 200,
  })
    .catch((error: unknown) => {
      throw error instanceof Refusal && error.code === notFound.code ? notFound : error
    })
    .finally(pictures.stop)
  const { conversation: shared, message: ours, task } = taken
  const conversation = shared === null ? null : selectConversation(engine.world(), call.peer.id, shared)
  if (shared === null || conversation === null) throw mampRefusal('internal_error', 'The conversation is gone.')
  return { messageId: message.message_id, shared, conversation: conversation.id, task, message: ours }
}

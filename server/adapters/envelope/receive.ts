/** An envelope that comes in: checked from the outside in, then done. Whatever carried it, the same comes of it. */

import type { Fault } from '@/lib/faults'
import type { CommandOf } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId, type PeerId } from '@/lib/mas/ids'
import type { ConversationRecord, PeerRecord } from '@/lib/mas/outsideRecords'
import type { Json, MessageRecord } from '@/lib/mas/records'
import { selectConversation, selectTaken } from '@/lib/mas/selectors/outside'
import {
  type AnswerEnvelope,
  BROADCAST,
  correlationOf,
  type EnvelopeErrorCode,
  errorEnvelope,
  isFailed,
  type RequestEnvelope,
  readEnvelope,
  responseEnvelope,
  type WireEnvelope,
} from '@/lib/protocols/envelope/envelope'
import type { RecentMap } from '../../shared/recentMap'
import { sha256 } from '../../shared/sha256'
import type { AdapterContext } from '../adapter'
import { keepEnvelope } from '../exchange'
import { parseJson } from '../http'
import { takeOnce } from '../idempotency'
import { fromParts } from '../mamp/content'
import {
  type Action,
  AskParameters,
  type AttachedFile,
  actionOf,
  filesOfResult,
  IN_PROGRESS,
  isUnderWay,
  MESSAGE_EVENT,
  MessageEvent,
  mayAsk,
  StartTaskParameters,
  textOfResult,
} from './actions'
import { reachableAgents, receiverOf, uriOfSender } from './callers'
import { isMadeUp, madeUpName } from './conversationNames'

/** What is said back. answer null: nothing is, for it was an answer or an event itself. code null: all is well. */
export type EnvelopeAnswer = {
  answer: AnswerEnvelope | null
  code: EnvelopeErrorCode | null
  envelope: WireEnvelope | null
  /** Seconds, with `too_many`. */
  retryAfter?: number
}

type Wrong = { code: EnvelopeErrorCode; message: string }
const wrong = (code: EnvelopeErrorCode, message: string): Wrong => ({ code, message })

export type ReceiveOptions = {
  peer: PeerId
  /** As it came over the wire. */
  bytes: Buffer
  /** null: none came with it. */
  signature: string | null
}

/** statuses: what was answered lately to each id that asked for one; nothing else is kept of such a question. */
export type EnvelopeContext = AdapterContext & { statuses: RecentMap<string, { agent: AgentId; status: Json }> }
export const MOST_STATUSES = 10_000

/** Take one envelope. Whatever is wrong with it is an answer; what is wrong with us rejects. */
export async function receiveEnvelope(context: EnvelopeContext, options: ReceiveOptions): Promise<EnvelopeAnswer> {
  const reception = await checkAndTake(context, options)
  const { answer, code } = reception
  // Of a flood no line is kept, neither of what came nor of what was said to it. Nobody waits for the line to be written.
  if (answer !== null && code !== 'too_many') {
    void context.exchange.note({
      peer: options.peer,
      protocol: 'a2a',
      direction: 'out',
      theirs: answer.message_id,
      verdict: code ?? 'answered',
      status: null,
      why: null,
      envelope: Buffer.from(JSON.stringify(answer)),
    })
  }
  return reception
}

async function checkAndTake(context: EnvelopeContext, options: ReceiveOptions): Promise<EnvelopeAnswer> {
  const { engine, exchange, keys } = context
  const { peer: id, bytes, signature } = options
  const line = { peer: id, protocol: 'a2a' as const, status: null, envelope: bytes }
  const value = parseJson(bytes)
  const reading = readEnvelope(value)
  const envelope = 'envelope' in reading ? reading.envelope : null
  const to =
    'envelope' in reading
      ? { messageId: reading.envelope.message_id, senderId: reading.envelope.sender_id }
      : { messageId: reading.unreadable.messageId, senderId: reading.unreadable.senderId }
  // An error is never answered by an error, and a response by nothing.
  const isAnswerable =
    'envelope' in reading
      ? envelope?.message_type === 'request' || envelope?.message_type === 'event'
      : reading.unreadable.isAnswerable
  const refused = async ({ code, message }: Wrong): Promise<EnvelopeAnswer> => {
    await exchange.note({ ...line, theirs: to.messageId, verdict: code, why: message })
    const answer = isAnswerable
      ? errorEnvelope(to, stampOf(context, context.ourselves().domain), { code, message })
      : null
    return { answer, code, envelope }
  }
  const seconds = await exchange.tooMany(id)
  if (seconds > 0) {
    exchange.countRefused('a2a', 'too_many')
    const said = wrong('too_many', `Too many messages. Try again in ${seconds} s.`)
    return {
      answer: isAnswerable ? errorEnvelope(to, stampOf(context, context.ourselves().domain), said) : null,
      code: said.code,
      envelope,
      retryAfter: seconds,
    }
  }
  // Integrity comes before meaning: of what was tampered with nothing is believed, not even its form.
  const unsigned = keys.signatureProblem(id, bytes, signature)
  if (unsigned !== null) return refused(wrong('bad_signature', unsigned))
  if (value === undefined) return refused(wrong('invalid_json', 'A message is JSON in UTF-8.'))
  if ('unreadable' in reading) return refused(reading.unreadable)
  const peer = engine.world().peers[id]
  if (!peer || peer.removed || !peer.may.includes('a2a'))
    return refused(wrong('forbidden', 'This peer may not write here.'))
  const from = uriOfSender(peer, reading.envelope.sender_id)
  if (from === null) return refused(wrong('forbidden', `This key does not speak for ${reading.envelope.sender_id}.`))
  return handle({ context, peer, from, bytes, refused }, reading.envelope)
}

type Handling = {
  context: EnvelopeContext
  peer: PeerRecord
  /** The sender's URI. */
  from: string
  bytes: Buffer
  refused: (why: Wrong) => Promise<EnvelopeAnswer>
}

function handle(handling: Handling, envelope: WireEnvelope): Promise<EnvelopeAnswer> {
  switch (envelope.message_type) {
    case 'request':
      return handleRequest(handling, envelope)
    case 'response':
      return handleResponse(handling, envelope)
    case 'error':
      return handleError(handling, envelope)
    case 'event':
      return handleEvent(handling, envelope)
  }
}

async function handleRequest(handling: Handling, request: RequestEnvelope): Promise<EnvelopeAnswer> {
  const { context, peer, refused } = handling
  const { action: name, parameters } = request.payload
  const world = context.engine.world()
  if (request.receiver_id === BROADCAST) {
    return refused(wrong('invalid_envelope', 'A request has one receiver: every request gets exactly one answer.'))
  }
  const receiver = receiverOf(context, world, peer, request.receiver_id)
  if (receiver === null) return refused(wrong('agent_not_found', `There is no agent ${request.receiver_id} for you.`))
  const action = actionOf(name)
  if (action === null) return refused(wrong('unknown_action', `${name} is no action that is known here.`))
  if (!mayAsk(peer.actions, action)) return refused(wrong('forbidden', `This peer may not ask for ${name}.`))

  const answer = (status: string, result: unknown): EnvelopeAnswer => ({
    answer: responseEnvelope(
      { messageId: request.message_id, senderId: request.sender_id },
      stampOf(context, receiver.configId ?? receiver.id),
      { status, result },
    ),
    code: null,
    envelope: request,
  })
  const isTaken = wrong('id_taken', `The id ${request.message_id} was used before, for something else.`)
  const asked = { peer: peer.id, protocol: 'a2a' as const, from: handling.from, theirs: request.message_id }
  const key = JSON.stringify([asked.peer, asked.from, asked.theirs])
  const before = context.statuses.get(key)
  if (action === 'get_status') {
    const isOther = before !== undefined && before.agent !== receiver.id
    if (isOther || selectTaken(world, asked) !== null) return refused(isTaken)
    const said = context.statuses.getOrMake(key, () => ({ agent: receiver.id, status: statusOf(context, receiver.id) }))
    await note(handling, request, before === undefined ? 'answered' : 'repeat')
    return answer('success', said.status)
  }
  if (before !== undefined) return refused(isTaken)
  const wish = wishOf(action, parameters)
  if ('code' in wish) return refused(wish)
  const taken = await take(handling, request, {
    to: receiver.id,
    text: wish.text,
    files: wish.files,
    shared: wish.conversation,
    needReply: true,
    inReplyTo: null,
  })
  return 'code' in taken ? refused(taken) : answer(IN_PROGRESS, { conversation_id: taken.conversation })
}

function wishOf(
  action: Exclude<Action, 'get_status'>,
  parameters: unknown,
): { text: string; files: AttachedFile[]; conversation: string | null } | Wrong {
  switch (action) {
    case 'ask': {
      const read = AskParameters.safeParse(parameters)
      if (!read.success)
        return wrong('invalid_parameters', 'ask has question, a text, and may have conversation_id and attachments.')
      const { question, conversation_id, attachments } = read.data
      return { text: question, files: attachments, conversation: conversation_id ?? null }
    }
    case 'start_task': {
      const read = StartTaskParameters.safeParse(parameters)
      if (!read.success)
        return wrong('invalid_parameters', 'start_task has goal, a text, and may have conversation_id and attachments.')
      const { goal, conversation_id, attachments } = read.data
      return { text: goal, files: attachments, conversation: conversation_id ?? null }
    }
  }
}

/** How the agent is, as far as somebody outside may know. */
function statusOf({ engine }: AdapterContext, agent: AgentId): Record<string, Json> {
  const { work, agents } = engine.world()
  const own = work[agent]
  const state = agents[agent]?.paused !== null ? 'paused' : (own?.locks.length ?? 0) > 0 ? 'waiting' : 'ready'
  return { state, queue: own?.todo.length ?? 0 }
}

/** The answer to something that we asked. That it is under way is no answer yet. */
async function handleResponse(
  handling: Handling,
  response: Extract<WireEnvelope, { message_type: 'response' }>,
): Promise<EnvelopeAnswer> {
  const { status, result, error } = response.payload
  if (isUnderWay(status)) {
    await note(handling, response, IN_PROGRESS)
    return { answer: null, code: null, envelope: response }
  }
  const text = isFailed(status) ? `${status}: ${textOfResult(error)}` : textOfResult(result)
  return answered(handling, response, text === '' ? status : text, filesOfResult(result))
}

async function handleError(
  handling: Handling,
  error: Extract<WireEnvelope, { message_type: 'error' }>,
): Promise<EnvelopeAnswer> {
  const { code, message } = error.payload
  return answered(handling, error, `${code}: ${message}`, [])
}

/** It is said to whoever asked; an answer to nothing of ours has no effect, and is kept with that verdict. */
async function answered(
  handling: Handling,
  envelope: WireEnvelope,
  text: string,
  files: AttachedFile[],
): Promise<EnvelopeAnswer> {
  const asked = askedBy(handling, correlationOf(envelope))
  if (asked === null) {
    await note(handling, envelope, 'answers_nothing')
    return { answer: null, code: null, envelope }
  }
  const { message, conversation } = asked
  const taken = await take(handling, envelope, {
    to: message.sender,
    text,
    files,
    // A conversation that we began has no name before its first answer.
    shared: conversation ?? madeUpName(handling.context.newId()),
    needReply: false,
    inReplyTo: message.id,
  })
  return 'code' in taken ? handling.refused(taken) : { answer: null, code: null, envelope }
}

/** Our message that the envelope answers, and the conversation that it belongs to. */
function askedBy(
  { context, peer }: Handling,
  correlation: string | null,
): { message: MessageRecord & { sender: AgentId }; conversation: string | null } | null {
  const world = context.engine.world()
  for (const conversation of Object.values(world.conversations[peer.id] ?? {})) {
    const message = correlation === null ? undefined : world.messages[conversation.task]?.[asId<MessageId>(correlation)]
    if (message === undefined || message.sender === 'system:task') continue
    return { message: { ...message, sender: message.sender }, conversation: conversation.shared }
  }
  return null
}

/** A message is one; anything else that happened is told as it is, to whoever it is for. */
async function handleEvent(
  handling: Handling,
  event: Extract<WireEnvelope, { message_type: 'event' }>,
): Promise<EnvelopeAnswer> {
  const { context, peer, refused } = handling
  const { event_name: name, event_data: data } = event.payload
  const world = context.engine.world()
  const listener =
    event.receiver_id === BROADCAST
      ? (reachableAgents(world, peer)[0] ?? null)
      : receiverOf(context, world, peer, event.receiver_id)
  if (listener === null) return refused(wrong('agent_not_found', `There is no agent ${event.receiver_id} for you.`))
  const message = name === MESSAGE_EVENT ? MessageEvent.safeParse(data) : null
  if (message !== null && !message.success) {
    return refused(
      wrong('invalid_parameters', 'The event message has text, and may have conversation_id and attachments.'),
    )
  }
  const asked = askedBy(handling, correlationOf(event))
  const taken = await take(handling, event, {
    to: asked?.message.sender ?? listener.id,
    text: message?.data.text ?? `${name}: ${JSON.stringify(data)}`,
    files: message?.data.attachments ?? [],
    shared: asked?.conversation ?? sharedIn(handling, message?.data.conversation_id ?? null),
    needReply: false,
    inReplyTo: asked?.message.id ?? null,
  })
  return 'code' in taken ? refused(taken) : { answer: null, code: null, envelope: event }
}

/** The name that they use; where we had to make one up, that one stands for theirs. */
function sharedIn({ context, peer, from }: Handling, said: string | null): string | null {
  const world = context.engine.world()
  if (said === null || selectConversation(world, peer.id, said) !== null) return said
  const unnamed = Object.values(world.conversations[peer.id] ?? {}).filter(
    (one: ConversationRecord) =>
      one.closedAt === null && isMadeUp(one.shared) && world.agents[one.agent]?.outside?.uri === from,
  )
  return unnamed.length === 1 ? (unnamed[0]?.shared ?? said) : said
}

type Taking = {
  to: AgentId
  text: string
  files: readonly AttachedFile[]
  shared: string | null
  needReply: boolean
  inReplyTo: MessageId | null
}

/** It becomes a message of ours, once: the same envelope again is the same command. */
async function take(
  handling: Handling,
  envelope: WireEnvelope,
  { files, ...wish }: Taking,
): Promise<{ conversation: string | null } | Wrong> {
  const { context, peer, from, bytes } = handling
  const parts = files.map(({ name, mime_type, data }) => ({
    ...{ type: 'file' as const, name, source: { type: 'base64' as const, data } },
    ...(mime_type === undefined ? {} : { mime_type }),
  }))
  const { text, attachments } = await fromParts([{ type: 'text', text: wish.text }, ...parts], context.bodies)
  const command: CommandOf<'takeFromOutside'> = {
    ...wish,
    text,
    attachments,
    type: 'takeFromOutside',
    peer: peer.id,
    protocol: 'a2a',
    from,
    theirs: envelope.message_id,
    callback: null,
    status: null,
    bytes: bytes.length,
    sha: sha256(bytes),
    body: await keepEnvelope(context.bodies, bytes),
  }
  const answer = await takeOnce(context, command)
  if (!answer.ok) return wrongOf(answer.fault)
  if (answer.isRepeat) await note(handling, envelope, 'repeat')
  return { conversation: answer.taken.conversation }
}

function wrongOf(fault: Fault): Wrong {
  switch (fault.code) {
    case 'CONVERSATION_UNKNOWN':
    case 'CONVERSATION_OVER':
      return wrong('invalid_parameters', fault.message)
    case 'ENVELOPE_ID_TAKEN':
      return wrong('id_taken', fault.message)
    case 'RECEIVER_UNKNOWN':
    case 'RECEIVER_GONE':
      return wrong('agent_not_found', fault.message)
    case 'NO_PEER':
    case 'NOT_ALLOWED':
      return wrong('forbidden', fault.message)
    case 'EMPTY_TEXT':
      return wrong('invalid_parameters', fault.message)
    case 'TOO_LARGE':
      return wrong('too_large', fault.message)
    case 'CONVERSATION_ASLEEP':
    case 'STORE_BROKEN':
    case 'STOPPING':
      return wrong('agent_unavailable', fault.message)
    default:
      return wrong('failed', 'Something went wrong here. It was recorded.')
  }
}

const note = ({ context, peer, bytes }: Handling, envelope: WireEnvelope, verdict: string): Promise<void> =>
  context.exchange.note({
    peer: peer.id,
    protocol: 'a2a',
    theirs: envelope.message_id,
    verdict,
    status: null,
    why: null,
    envelope: bytes,
  })

export const stampOf = ({ now, newId }: AdapterContext, from: string) => ({ messageId: newId(), at: now(), from })

/** Handles each type of envelope after admission. All functions throw a Refusal. */
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import type { BuiltInAction } from '@/lib/mas/outside/builtInActions'
import { selectConversation, selectTaken } from '@/lib/mas/outside/outside'
import { findSaid, selectVoice } from '@/lib/mas/outside/outsideWork'
import type { ConversationRecord, WorkState } from '@/lib/mas/outside/records'
import type { Json, MessageRecord } from '@/lib/mas/records'
import type { NamedAction } from '@/server/otherSystems'
import type { RecentMap } from '@/server/shared/recentMap'
import { checkForm } from '@/server/tools'
import {
  type AnswerEnvelope,
  BROADCAST,
  correlationOf,
  type EnvelopeStamp,
  isFailed,
  type RequestEnvelope,
  responseEnvelope,
  type WireEnvelope,
} from '../../protocols/envelope/envelope'
import { isTaskEvent } from '../../protocols/envelope/events'
import type { AdapterContext } from '../adapter'
import { reachableAgent, reachableAgents } from '../agentUri'
import { type PeerCall, takeMessage } from '../receive'
import { workStateIn } from '../workReport'
import {
  type AttachedFile,
  actionOf,
  actionOfAgent,
  filesOfResult,
  IN_PROGRESS,
  isUnderWay,
  MESSAGE_EVENT,
  MessageEvent,
  mayAsk,
  TalkParameters,
  TEXT_PARAMETER,
  textOfAction,
  textOfResult,
} from './actions'
import { envelopeCodec, envelopeRefusal } from './codec'
import { isMadeUp, madeUpName } from './conversationNames'

/** statuses: recent `get_status` answers by message id; such a request leaves no other record. */
export type EnvelopeContext = AdapterContext & { statuses: RecentMap<string, { agent: AgentId; status: Json }> }
export const MOST_STATUSES = 10_000

/** from: the sender's URI. */
type EnvelopeCall = PeerCall & { context: EnvelopeContext; from: string }

/** out: the response to a request; null for other types */
export function handleEnvelope(call: EnvelopeCall, envelope: WireEnvelope): Promise<AnswerEnvelope | null> {
  switch (envelope.message_type) {
    case 'request':
      return handleRequest(call, envelope)
    case 'response':
      return handleResponse(call, envelope)
    case 'error':
      return handleAnswer(call, envelope, `${envelope.payload.code}: ${envelope.payload.message}`, [])
    case 'event':
      return handleEvent(call, envelope)
  }
}

async function handleRequest(call: EnvelopeCall, request: RequestEnvelope): Promise<AnswerEnvelope> {
  const { context, peer, from } = call
  const { action: name, parameters } = request.payload
  const world = context.engine.world()
  if (request.receiver_id === BROADCAST)
    throw envelopeRefusal('invalid_envelope', 'A request has one receiver: every request gets exactly one answer.')
  const receiver = reachableAgent(world, context.ourselves(), peer, request.receiver_id)
  if (receiver === null) throw noAgent(request)
  const action = actionOf(name) ?? actionOfAgent(context.ourselves().actions, receiver, name)
  const unknown = envelopeRefusal(
    'unknown_action',
    `${name} is no action that is known here of ${request.receiver_id}.`,
  )
  if (action === null) throw unknown
  if (!mayAsk(peer.actions, name)) throw envelopeRefusal('forbidden', `This peer may not ask for ${name}.`)
  // Only a manager of tasks can begin one.
  if (action === 'start_task' && !receiver.manager) throw unknown

  const answer = (status: string, result: unknown): AnswerEnvelope =>
    responseEnvelope(
      { messageId: request.message_id, senderId: request.sender_id },
      stampOf(context, receiver.configId ?? receiver.id),
      { status, result },
    )
  const isTaken = envelopeRefusal('id_taken', `The ID ${request.message_id} was already used for something else.`)
  const asked = { peer: peer.id, protocol: envelopeCodec.protocol, from, theirs: request.message_id }
  const key = JSON.stringify([asked.peer, asked.from, asked.theirs])
  const before = context.statuses.get(key)
  if (action === 'get_status') {
    const isOther = before !== undefined && before.agent !== receiver.id
    if (isOther || selectTaken(world, asked) !== null) throw isTaken
    const said = context.statuses.getOrMake(key, () => ({ agent: receiver.id, status: statusOf(context, receiver.id) }))
    await note(call, request, before === undefined ? 'answered' : 'repeat')
    return answer('success', said.status)
  }
  if (before !== undefined) throw isTaken
  const {
    text,
    attachments: files,
    conversation_id: shared = null,
  } = typeof action === 'string' ? messageIn(action, parameters) : await messageOfAction(action, parameters)
  const begins = action === 'start_task'
  const work = workStateIn(parameters)
  const message = { to: receiver.id, text, files, shared, needReply: true, inReplyTo: null, begins, ...work }
  return answer(IN_PROGRESS, { conversation_id: await take(call, request, message) })
}

const noAgent = ({ receiver_id }: WireEnvelope) =>
  envelopeRefusal('agent_not_found', `There is no agent ${receiver_id} for you.`)

function messageIn(action: Exclude<BuiltInAction, 'get_status'>, parameters: Record<string, unknown>) {
  const name = TEXT_PARAMETER[action]
  const read = MessageEvent.safeParse({ ...parameters, text: parameters[name] })
  if (read.success) return read.data
  const words = `${action} has ${name}, a text, and may have conversation_id and attachments.`
  throw envelopeRefusal('invalid_parameters', words)
}

/** The message of a configured action. Its parameters are checked against its schema. */
async function messageOfAction(action: NamedAction, { conversation_id, attachments, ...own }: Record<string, unknown>) {
  const talk = TalkParameters.safeParse({ conversation_id, attachments })
  if (!talk.success)
    throw envelopeRefusal(
      'invalid_parameters',
      'conversation_id is an id, and attachments are files with name and data.',
    )
  const problem = await checkForm(action.parameters, own)
  if (problem !== null) throw envelopeRefusal('invalid_parameters', `${action.name}: ${problem}`)
  return { ...talk.data, text: textOfAction(action, own) }
}

/** The public state of an agent. */
function statusOf({ engine }: AdapterContext, agent: AgentId): Record<string, Json> {
  const { work, agents } = engine.world()
  const own = work[agent]
  const state = agents[agent]?.paused !== null ? 'paused' : (own?.locks.length ?? 0) > 0 ? 'waiting' : 'ready'
  return { state, queue: own?.todo.length ?? 0 }
}

/** The answer to one of our requests. The status `in_progress` means that the answer follows later. */
async function handleResponse(
  call: EnvelopeCall,
  response: Extract<WireEnvelope, { message_type: 'response' }>,
): Promise<null> {
  const { status, result, error } = response.payload
  if (isUnderWay(status)) {
    await note(call, response, IN_PROGRESS)
    return null
  }
  const text = isFailed(status) ? `${status}: ${textOfResult(error)}` : textOfResult(result)
  return handleAnswer(call, response, text === '' ? status : text, filesOfResult(result), workStateIn(result))
}

/** Delivers the answer to the asking agent; an answer that matches no request has no effect and is recorded as such. */
async function handleAnswer(
  call: EnvelopeCall,
  envelope: WireEnvelope,
  text: string,
  files: AttachedFile[],
  work: Pick<Taking, 'workState'> = {},
): Promise<null> {
  const asked = askedBy(call, correlationOf(envelope))
  if (asked === null) {
    await note(call, envelope, 'answers_nothing')
    return null
  }
  const { message, conversation } = asked
  // A conversation that we began has no shared name before its first answer.
  const shared = conversation ?? madeUpName(call.context.newId())
  const answer = { to: message.sender, text, files, shared, needReply: false, inReplyTo: message.id, ...work }
  await take(call, envelope, answer)
  return null
}

/** The message of ours that an envelope answers, and its conversation. */
function askedBy(
  { context, peer, from }: EnvelopeCall,
  correlation: string | null,
): { message: MessageRecord & { sender: AgentId }; conversation: string | null } | null {
  const world = context.engine.world()
  const all: ConversationRecord[] = Object.values(world.conversations[peer.id] ?? {})
  const isOwn = ({ agent }: ConversationRecord): boolean => world.agents[agent]?.outside?.uri === from
  // Conversations of one task hold the same messages: the sender's own comes first.
  for (const conversation of [...all.filter(isOwn), ...all.filter((one) => !isOwn(one))]) {
    const message = correlation === null ? null : findSaid(world, conversation, asId<MessageId>(correlation))
    const voice = message === null ? 'system:task' : selectVoice(message, conversation)
    if (message === null || voice === 'system:task') continue
    return { message: { ...message, sender: voice }, conversation: conversation.shared }
  }
  return null
}

/** The event `message`, or a task event in our form, is a message; others are passed as text to their receiver, or to all reachable. */
async function handleEvent(call: EnvelopeCall, event: Extract<WireEnvelope, { message_type: 'event' }>): Promise<null> {
  const { context, peer } = call
  const { event_name: name, event_data: data } = event.payload
  const world = context.engine.world()
  const everyone = event.receiver_id === BROADCAST ? reachableAgents(world, peer) : []
  const listener = everyone[0] ?? reachableAgent(world, context.ourselves(), peer, event.receiver_id)
  if (listener === null) throw noAgent(event)
  const read = name === MESSAGE_EVENT || isTaskEvent(name) ? MessageEvent.safeParse(data) : null
  if (name === MESSAGE_EVENT && read?.success === false)
    throw envelopeRefusal(
      'invalid_parameters',
      'The event message has text, and may have conversation_id and attachments.',
    )
  const message = read?.data ?? null
  const asked = askedBy(call, correlationOf(event))
  await take(call, event, {
    to: asked?.message.sender ?? listener.id,
    also: everyone.map(({ id }) => id),
    text: message?.text ?? `${name}: ${JSON.stringify(data)}`,
    files: message?.attachments ?? [],
    shared: asked?.conversation ?? sharedIn(call, message?.conversation_id ?? null),
    needReply: false,
    inReplyTo: asked?.message.id ?? null,
    ...workStateIn(data),
  })
  return null
}

/** The peer's name of the conversation, or a local one. */
function sharedIn({ context, peer, from }: EnvelopeCall, said: string | null): string | null {
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
  also?: AgentId[]
  text: string
  files: readonly AttachedFile[]
  shared: string | null
  needReply: boolean
  inReplyTo: MessageId | null
  workState?: WorkState
  /** It explicitly asks for a task. */
  begins?: boolean
}

/** out: the name of its conversation */
async function take(
  call: EnvelopeCall,
  envelope: WireEnvelope,
  { files, text, ...wish }: Taking,
): Promise<string | null> {
  const { context, from } = call
  const parts = files.map(({ name, mime_type, data }) => ({
    type: 'file' as const,
    name,
    source: { type: 'base64' as const, data },
    ...(mime_type === undefined ? {} : { mime_type }),
  }))
  const { conversation } = await takeMessage(context, envelopeCodec, call, {
    ...wish,
    parts: [{ type: 'text', text }, ...parts],
    from,
    theirs: envelope.message_id,
    callback: null,
    status: null,
  })
  return conversation
}

const note = ({ context, peer, bytes }: EnvelopeCall, { message_id: theirs }: WireEnvelope, verdict: string) =>
  context.exchange.note({ peer: peer.id, protocol: 'envelope', theirs, verdict, envelope: bytes })

export const stampOf = ({ now, newId }: AdapterContext, from: string): EnvelopeStamp => ({
  messageId: newId(),
  at: now(),
  from,
})

/** Jobs: what an agent of another system asked for in one message, and all that was said about it since. A conversation holds several. */

import { selectOutcome } from '../asks/outcomes'
import type { MessageId, PeerId } from '../ids'
import { needsReply } from '../messages/records'
import type { MessageRecord, TaskRecord, World } from '../records'
import { deliveryStateOf, isFulfilled, isSettled, isTaskOver } from '../statuses'
import { selectAskedOutside } from './outside'
import { selectWorkOf } from './outsideWork'
import type { Protocol } from './peerProtocols'
import type { ConversationRecord } from './records'

export type JobState = 'submitted' | 'working' | 'input_required' | 'finished' | 'failed' | 'canceled'

/**
 * begin     the message that asked
 * said      all messages of both sides about it, `begin` first, oldest first
 * question  what its agent is asked now; null: nothing
 * at        of the state: epoch ms
 */
export type OutsideJob = {
  id: MessageId
  conversation: ConversationRecord
  begin: MessageRecord
  said: readonly MessageRecord[]
  question: MessageRecord | null
  state: JobState
  at: number
}

const OVER: Readonly<Record<JobState, boolean>> = {
  submitted: false,
  working: false,
  input_required: false,
  finished: true,
  failed: true,
  canceled: true,
}
export const isJobOver = ({ state }: Pick<OutsideJob, 'state'>): boolean => OVER[state]

/** The job that this message began; null: it began none, or its conversation is not in this world. */
export function selectJob(world: World, peer: PeerId, id: MessageId): OutsideJob | null {
  const conversation = selectConversationWith(world, peer, id)
  return conversation === null ? null : (selectJobsIn(world, conversation).find((job) => job.id === id) ?? null)
}

/** The conversation of a message that was taken from the peer, as far as the world remembers. */
export function selectConversationWith(world: World, peer: PeerId, id: MessageId): ConversationRecord | null {
  const taken = world.taken[peer]?.findLast((one) => one.message === id)
  return (taken?.conversation && world.conversations[peer]?.[taken.conversation]) ?? null
}

/** The conversations that agents of the peer began in that protocol. */
export const selectTheirConversations = (world: World, peer: PeerId, protocol: Protocol): ConversationRecord[] =>
  Object.values(world.conversations[peer] ?? {}).filter(
    (one: ConversationRecord) => one.protocol === protocol && one.openedBy === 'them',
  )

/** in: its task is in this world. out: oldest first */
export function selectJobsIn(world: World, conversation: ConversationRecord): OutsideJob[] {
  const works = selectWorkOf(world, conversation.task)
  return [...saidByJob(world, conversation, works)].flatMap(([id, said]) => {
    const [begin] = said
    const own = works.filter(({ requestedIn }) => requestedIn?.thread === id)
    return begin?.id === id ? [jobOf(world, conversation, begin, said, own)] : []
  })
}

/** The job to which a message to its agent belongs; null: none. */
export function selectJobOf(world: World, conversation: ConversationRecord, message: MessageId): OutsideJob | null {
  return selectJobsIn(world, conversation).find(({ said }) => said.some(({ id }) => id === message)) ?? null
}

function saidByJob(
  world: World,
  { task, agent }: ConversationRecord,
  works: readonly TaskRecord[],
): Map<MessageId, MessageRecord[]> {
  const inWork = new Map(works.map((work) => [work.id, work.requestedIn?.thread ?? null]))
  const all = [task, ...inWork.keys()]
    .flatMap((one): MessageRecord[] => Object.values(world.messages[one] ?? {}))
    .filter(({ sender, receivers }) => sender === agent || receivers.includes(agent))
    .sort((a, b) => a.seq - b.seq)
  const jobOfMessage = new Map<MessageId, MessageId>()
  const said = new Map<MessageId, MessageRecord[]>()
  let last: MessageId | null = null
  for (const message of all) {
    const { id, replyTo } = message
    const isBegin = message.task === task && message.sender === agent && replyTo === null
    const job: MessageId | null = isBegin
      ? id
      : // What names no message belongs to what was asked last.
        (inWork.get(message.task) ?? (replyTo === null ? null : jobOfMessage.get(replyTo)) ?? last)
    if (job === null) continue
    if (isBegin) last = id
    jobOfMessage.set(id, job)
    said.set(job, [...(said.get(job) ?? []), message])
  }
  return said
}

function jobOf(
  world: World,
  conversation: ConversationRecord,
  begin: MessageRecord,
  said: readonly MessageRecord[],
  works: readonly TaskRecord[],
): OutsideJob {
  const { task, agent } = conversation
  const own = new Set(said.map(({ id }) => id))
  const places = [task, ...works.filter((work) => !isTaskOver(work)).map(({ id }) => id)]
  const question =
    places.flatMap((place) => selectAskedOutside(world, place, agent)).find(({ id }) => own.has(id)) ?? null
  const outcomes = said.flatMap((message) => {
    const [receiver] = message.receivers
    const isAsked = message.sender === agent && message.task === task && needsReply(message.type)
    return isAsked && receiver !== undefined ? (selectOutcome(world, message, receiver) ?? []) : []
  })
  const times = [
    ...said.map(({ at }) => at),
    ...works.flatMap(({ createdAt, endedAt }) => [createdAt, endedAt ?? 0]),
    ...outcomes.flatMap(({ deliveredAt, shownAt, settledAt }) => [deliveredAt ?? 0, shownAt ?? 0, settledAt ?? 0]),
  ]
  const job = { id: begin.id, conversation, begin, said, at: Math.max(...times) }
  const ended = said.findLast(({ said: words }) => words?.say === 'taskEnded')?.said
  const isCanceled = said.some(({ sender, workState }) => sender === agent && workState === 'stopped')
  const open = outcomes.find(({ state }) => !isSettled(state))
  if (isCanceled) return { ...job, question: null, state: 'canceled' }
  if (question !== null) return { ...job, question, state: 'input_required' }
  if (works.some((work) => !isTaskOver(work))) return { ...job, question, state: 'working' }
  if (open !== undefined) {
    const isBegun = open.message !== begin.id || deliveryStateOf(open.state).isSeen
    return { ...job, question, state: isBegun ? 'working' : 'submitted' }
  }
  const isFailed = ended === undefined ? outcomes.some(({ state }) => !isFulfilled(state)) : hasFailed(ended.with)
  return { ...job, question, state: isFailed ? 'failed' : 'finished' }
}

const hasFailed = (fields: object): boolean => 'failed' in fields && fields.failed === true

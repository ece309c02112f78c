/** The operations of A2A for one call of a peer, over our conversations and tasks. */

import { type AgentCard, type Message, Role, type SendMessageRequest } from '@a2a-js/sdk'
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { asId, type MessageId } from '@/lib/mas/ids'
import { isJobOver, type OutsideJob, selectJob, selectJobOf } from '@/lib/mas/outside/jobs'
import { isPattern, selectConversation, selectTaken } from '@/lib/mas/outside/outside'
import type { PeerRecord, TakenRecord } from '@/lib/mas/outside/records'
import type { AgentRecord } from '@/lib/mas/records'
import { sha256 } from '@/server/shared/sha256'
import type { AdapterContext } from '../adapter'
import { reachableAgents } from '../agentUri'
import { keepEnvelope } from '../exchange'
import { readParts } from '../mamp/content'
import { type PeerCall, takeMessage } from '../receive'
import { refusalAs, refusalOf } from '../refusal'
import { pageOf } from './listTasks'
import { mampPartsIn } from './parts'
import { beganAs, type PushConfigs } from './push'
import { REFUSALS } from './refusals'
import { findJob, type HeldJob, isServed, listJobs, taskOf } from './tasks'
import { untilAtRest, watchJob } from './watch'

/**
 * A call of a peer.
 *
 * agent   ours that is addressed; null: none is named
 * card    of whom is addressed
 * signal  ends what waits: the caller has gone, or the server stops
 */
export type A2aCall = PeerCall & { agent: AgentRecord | null; card: AgentCard; signal: AbortSignal }

export const NO_TASK = 'There is no such task.'

/** Throws errors of the SDK, and a Refusal for what a command refused. */
export function handlerFor(context: AdapterContext, pushes: PushConfigs, call: A2aCall): A2ARequestHandler {
  const { peer, card, signal } = call
  const held = async (id: string): Promise<HeldJob> => {
    const found = await findJob(context, peer.id, id)
    if (found === null) throw new TaskNotFoundError(NO_TASK)
    return found
  }

  async function begin({ message, configuration }: SendMessageRequest): Promise<HeldJob> {
    if (message === undefined) throw new RequestMalformedError('message is missing.')
    mustBeCount(configuration?.historyLength)
    const push = configuration?.taskPushNotificationConfig
    if (push !== undefined) await pushes.mustBeGood(peer, push)
    const of = message.taskId === '' ? message.messageId : nameOf(await held(message.taskId))
    const config = push === undefined ? null : { ...push, id: push.id === '' ? 'of-message' : push.id }
    const known = config !== null && (await pushes.list(peer.id, of)).some(({ id }) => id === config.id)
    if (config !== null) await pushes.save(peer.id, of, config)
    try {
      return { job: await takeA2aMessage(context, call, message), world: context.engine.world() }
    } catch (error) {
      if (config !== null && !known) await pushes.remove(peer.id, of, config.id)
      throw error
    }
  }
  const nameOf = ({ job, world }: HeldJob): string => beganAs(world, job)
  const listed = async (taskId: string) =>
    (await pushes.list(peer.id, nameOf(await held(taskId)))).map((config) => ({ ...config, taskId }))

  return {
    getAgentCard: async () => card,
    async getAuthenticatedExtendedAgentCard() {
      throw new UnsupportedOperationError('There is no extended card.')
    },
    async sendMessage(params) {
      const job = await begin(params)
      const shown = params.configuration?.returnImmediately === true ? job : await untilAtRest(context, job, signal)
      return taskOf(context, shown, { historyLength: params.configuration?.historyLength, artifacts: true })
    },
    async *sendMessageStream(params) {
      const job = await begin(params)
      yield* watchJob(context, job, signal, params.configuration?.historyLength)
    },
    async getTask({ id, historyLength }) {
      mustBeCount(historyLength)
      return taskOf(context, await held(id), { historyLength, artifacts: true })
    },
    listTasks: async (params) => pageOf(context, await listJobs(context, peer.id), params),
    async cancelTask({ id }) {
      return taskOf(context, await cancel(context, call, await held(id)), { artifacts: true })
    },
    async *resubscribe({ id }) {
      const job = await held(id)
      if (isJobOver(job.job)) throw new UnsupportedOperationError('The task is over. Get it instead.')
      yield* watchJob(context, job, signal)
    },
    async createTaskPushNotificationConfig(params) {
      const of = nameOf(await held(params.taskId))
      await pushes.mustBeGood(peer, params)
      return { ...(await pushes.save(peer.id, of, params)), taskId: params.taskId }
    },
    async getTaskPushNotificationConfig({ taskId, id }) {
      const found = (await listed(taskId)).find((one) => one.id === id)
      if (found === undefined) throw new TaskNotFoundError('There is no such configuration.')
      return found
    },
    listTaskPushNotificationConfigs: async ({ taskId }) => ({ configs: await listed(taskId), nextPageToken: '' }),
    async deleteTaskPushNotificationConfig({ taskId, id }) {
      await pushes.remove(peer.id, nameOf(await held(taskId)), id)
    },
  }
}

function mustBeCount(historyLength: number | undefined): void {
  if (historyLength !== undefined && (!Number.isInteger(historyLength) || historyLength < 0))
    throw new RequestMalformedError('historyLength must be 0 or more.')
}

/** The URI of the agent that speaks for the peer: A2A names none. */
const voiceOf = ({ uri }: Pick<PeerRecord, 'uri'>): string =>
  isPattern(uri) ? (uri.includes('*') ? uri.replaceAll('*', 'a2a') : `${uri.replace(/\/$/, '')}/a2a`) : uri

/** The job that the message begins, or adds to. Throws errors of the SDK, and a Refusal. */
async function takeA2aMessage(context: AdapterContext, call: A2aCall, message: Message): Promise<OutsideJob> {
  const { peer } = call
  const { messageId: theirs, taskId, contextId, role } = message
  if (theirs === '') throw new RequestMalformedError('message.messageId is missing.')
  if (role !== Role.ROLE_USER) throw new RequestMalformedError('message.role must be ROLE_USER.')
  if (message.parts.length === 0) throw new RequestMalformedError('message.parts holds nothing.')
  const parts = mampPartsIn(message.parts)
  const from = voiceOf(peer)
  const before = selectTaken(context.engine.world(), { peer: peer.id, protocol: 'a2a', from, theirs })
  if (before !== null) return repeated(context, call, before, parts)
  const known = taskId === '' ? null : await jobToAddTo(context, peer, taskId, contextId)
  const conversation = known?.conversation ?? (contextId === '' ? null : conversationOf(context, peer, contextId))
  const to = call.agent?.id ?? conversation?.ours ?? reachableAgents(context.engine.world(), peer)[0]?.id
  if (to === undefined) throw refusalAs(REFUSALS, 'receiver', 'Nobody answers here yet.')
  const question = known?.question ?? null
  const taken = await takeMessage(context, { protocol: 'a2a', refusals: REFUSALS }, call, {
    ...{ from, to, theirs, parts, callback: null, status: 200 },
    shared: conversation?.shared ?? null,
    // An answer to a question of a running task needs no reply.
    needReply: question === null || question.task === known?.conversation.task,
    inReplyTo: question?.id ?? null,
    ...(known === null ? {} : { continues: known.id }),
  })
  const job = jobOfTaken(context, peer, taken)
  if (job === null) throw refusalAs(REFUSALS, 'internal', 'The task is gone.')
  return job
}

function jobOfTaken(
  { engine }: AdapterContext,
  peer: PeerRecord,
  { message, conversation: shared }: { message: MessageId | null; conversation: string | null },
): OutsideJob | null {
  const world = engine.world()
  const conversation = shared === null ? null : selectConversation(world, peer.id, shared)
  return conversation === null || message === null ? null : selectJobOf(world, conversation, message)
}

/** The same id again has no second effect; with another content it is refused. */
async function repeated(
  context: AdapterContext,
  { peer, bytes }: A2aCall,
  { message, conversation: id, task, theirs }: TakenRecord,
  parts: Parameters<typeof readParts>[0],
): Promise<OutsideJob> {
  const world = context.engine.world()
  const { text, attachments } = await readParts(parts)
  const sent = task === null || message === null ? undefined : world.messages[task]?.[message]
  const conversation = id === null ? null : (world.conversations[peer.id]?.[id] ?? null)
  const job = conversation === null || message === null ? null : selectJobOf(world, conversation, message)
  const isSame =
    sent !== undefined &&
    sent.text === text &&
    sent.attachments.map(({ body }) => body.sha).join() === attachments.map(({ body }) => body.sha).join()
  if (!isSame) throw refusalAs(REFUSALS, 'idTaken', `The message id ${theirs} was used for another message.`)
  await context.exchange.note({
    peer: peer.id,
    protocol: 'a2a',
    theirs,
    status: 200,
    verdict: 'repeat',
    envelope: bytes,
  })
  if (job === null) throw new TaskNotFoundError(NO_TASK)
  return job
}

async function jobToAddTo(
  context: AdapterContext,
  peer: PeerRecord,
  taskId: string,
  contextId: string,
): Promise<OutsideJob> {
  const job = (await findJob(context, peer.id, taskId))?.job
  if (job === undefined) throw new TaskNotFoundError(NO_TASK)
  if (contextId !== '' && contextId !== job.conversation.shared)
    throw new RequestMalformedError('The task belongs to another contextId.')
  if (isJobOver(job))
    throw new UnsupportedOperationError('The task is over. Send the message with its contextId alone.')
  return job
}

function conversationOf({ engine }: AdapterContext, peer: PeerRecord, contextId: string) {
  const conversation = selectConversation(engine.world(), peer.id, contextId)
  if (conversation === null || !isServed(conversation))
    throw new RequestMalformedError('There is no such contextId. Leave it out to begin a conversation.')
  return conversation
}

async function cancel(context: AdapterContext, { peer, bytes }: A2aCall, { job }: HeldJob): Promise<HeldJob> {
  const notNow = new TaskNotCancelableError('The task is over.')
  if (isJobOver(job)) throw notNow
  const body = await keepEnvelope(context.bodies, bytes)
  const committed = await context.engine.commit({
    id: `a2a-cancel:${job.id}`,
    by: 'system:a2a',
    command: {
      type: 'cancelFromOutside',
      peer: peer.id,
      protocol: 'a2a',
      message: asId<MessageId>(job.id),
      ...{ status: 200, bytes: bytes.length, sha: sha256(bytes), body },
    },
  })
  if (!committed.ok) throw committed.fault.code === 'ALREADY_SO' ? notNow : refusalOf(REFUSALS, committed.fault)
  const world = context.engine.world()
  const after = selectJob(world, peer.id, job.id)
  return after === null ? { world, job } : { world, job: after }
}

/** Push notifications: the addresses that a caller named for its task, and what is sent to them. */
import { type StreamResponse, StreamResponse as StreamResponseForm, TaskPushNotificationConfig } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import * as z from 'zod'
import type { PeerId } from '@/lib/mas/ids'
import { isJobOver, type OutsideJob, selectJobOf } from '@/lib/mas/outside/jobs'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { World } from '@/lib/mas/records'
import { isPrivateHost, openOutbound, PrivateAddressError } from '@/server/net'
import { errorMessage } from '@/server/shared/errors'
import { sha256 } from '@/server/shared/sha256'
import type { AdapterContext, OutgoingMessage, SendResult } from '../adapter'
import { isPassing, saysOf, sendResult } from '../callPeer'
import { theirIdOf } from '../workReport'
import { statusOf } from './tasks'

/** Configurations of one task. */
const MOST_CONFIGS = 10
const MOST_CHARACTERS = 4_000
const LIMIT_MS = 20_000
/** After so many tries, some hours, it is left to the caller to get the task. */
const MOST_TRIES = 7
const TOKEN_HEADER = 'X-A2A-Notification-Token'

const stored = z.looseObject({ id: z.string(), url: z.string() })

/**
 * Rows of the store: they last until the task is over or they are deleted, at every node. `of`: the caller's id of the message that
 * began the task; it is known before the message is taken, so that no notification is missed.
 */
export function openPushConfigs({ rows, newId }: Pick<AdapterContext, 'rows' | 'newId'>) {
  const personOf = (peer: PeerId): string => `peer:${peer}`
  const keyOf = (of: string, id = ''): string => `a2a-push:${sha256(Buffer.from(of))}:${id}`

  async function list(peer: PeerId, of: string): Promise<TaskPushNotificationConfig[]> {
    const found = await rows.list(personOf(peer), keyOf(of))
    return found.flatMap(({ value }) => {
      const read = stored.safeParse(value)
      return read.success ? [TaskPushNotificationConfig.fromJSON(read.data)] : []
    })
  }
  return {
    list,
    /** Throws RequestMalformedError. */
    async mustBeGood(
      { allowPrivate }: PeerRecord,
      { url, id, token, authentication }: TaskPushNotificationConfig,
    ): Promise<void> {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new RequestMalformedError('url must be a web address.')
      const { hostname, username, password } = new URL(url)
      if (username !== '' || password !== '') throw new RequestMalformedError('url may hold no name and no password.')
      const { scheme = '', credentials = '' } = authentication ?? {}
      const fields = [url, id, token, scheme, credentials]
      if (fields.some((field) => field.length > MOST_CHARACTERS || /\p{Cc}/u.test(field)))
        throw new RequestMalformedError('A field of the configuration is too long, or holds control characters.')
      if (!allowPrivate && (await isPrivateHost(hostname)))
        throw new RequestMalformedError('url lies in a private network.')
    },
    /** Throws RequestMalformedError: there are too many. */
    async save(peer: PeerId, of: string, config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
      const id = config.id === '' ? newId() : config.id
      const known = await list(peer, of)
      if (known.length >= MOST_CONFIGS && !known.some((one) => one.id === id))
        throw new RequestMalformedError(`A task has at most ${MOST_CONFIGS} of them.`)
      const saved = { ...config, id }
      const row = await rows.get(personOf(peer), keyOf(of, id))
      await rows.put(personOf(peer), keyOf(of, id), TaskPushNotificationConfig.toJSON(saved), row?.version ?? null)
      return saved
    },
    async remove(peer: PeerId, of: string, id: string): Promise<void> {
      await rows.remove(personOf(peer), keyOf(of, id))
    },
  }
}
export type PushConfigs = ReturnType<typeof openPushConfigs>

/** The caller's id of the message that began it. */
export const beganAs = (world: World, { id, conversation: { peer } }: OutsideJob): string =>
  theirIdOf(world, peer, id) ?? id

/**
 * A message of ours in a conversation that the other side began: it reads it in the task, and is notified where it named an address.
 * The queue repeats what was not taken; the same event may arrive twice.
 */
export async function pushMessage(
  { engine }: Pick<AdapterContext, 'engine'>,
  pushes: PushConfigs,
  { outgoing, message, conversation, peer, signal }: OutgoingMessage,
): Promise<SendResult> {
  const world = engine.world()
  const job = selectJobOf(world, conversation, message.id)
  const of = job === null ? '' : beganAs(world, job)
  const configs = job === null ? [] : await pushes.list(peer.id, of)
  if (job === null || configs.length === 0) return sendResult({ verdict: 'delivered', by: 'stream' })
  const isLast = job.said.at(-1)?.id === message.id
  const state = isLast ? job.state : 'working'
  const event: StreamResponse = {
    payload: {
      $case: 'statusUpdate',
      value: {
        taskId: job.id,
        contextId: conversation.shared ?? '',
        status: statusOf({ world, job }, message, state),
        metadata: undefined,
      },
    },
  }
  const body = JSON.stringify(StreamResponseForm.toJSON(event))
  const results: SendResult[] = []
  for (const config of configs) results.push(await notify(peer, config, body, signal))
  const worst =
    results.find(({ verdict }) => verdict === 'retry') ?? results.find(({ verdict }) => verdict === 'failed')
  if (worst?.verdict === 'retry' && outgoing.attempts < MOST_TRIES) return worst
  if (isLast && isJobOver(job)) for (const { id } of configs) await pushes.remove(peer.id, of, id)
  // The task holds it, whether an address took the notification or refused it for good.
  return {
    ...(worst ?? sendResult({ envelope: body, status: results[0]?.status ?? null })),
    verdict: 'delivered',
    by: 'callback',
  }
}

async function notify(
  { allowPrivate }: PeerRecord,
  { url, token, authentication }: TaskPushNotificationConfig,
  body: string,
  signal: AbortSignal,
): Promise<SendResult> {
  const sent = { by: 'callback' as const, envelope: body }
  const headers = {
    'Content-Type': 'application/json',
    ...(token === '' ? {} : { [TOKEN_HEADER]: token }),
    ...(authentication === undefined
      ? {}
      : { Authorization: `${authentication.scheme} ${authentication.credentials}` }),
  }
  try {
    const { status, text } = await openOutbound({ allowPrivate })(url, { body, headers, signal, limitMs: LIMIT_MS })
    if (status >= 200 && status < 300) return sendResult({ ...sent, verdict: 'delivered', status })
    const why = { code: 'answered' as const, status, says: saysOf(undefined, text) }
    return sendResult({ ...sent, verdict: isPassing(status) ? 'retry' : 'failed', status, why })
  } catch (error) {
    if (error instanceof PrivateAddressError) return sendResult({ ...sent, why: { code: 'private', host: error.host } })
    return sendResult({ ...sent, verdict: 'retry', why: { code: 'network', says: errorMessage(error).slice(0, 300) } })
  }
}

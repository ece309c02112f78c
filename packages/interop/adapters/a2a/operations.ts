/** Answers one operation, in the form of its binding: version, type of the body, the peer's rights, then the handler. */
import { A2A_CONTENT_TYPE, A2A_VERSION_HEADER } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import { type A2ARequestHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { AgentRecord } from '@/lib/mas/records'
import { requestIdOf } from '@/server/shared/requestId'
import type { AdapterContext } from '../adapter'
import { hostOf, reachableAgent } from '../agentUri'
import { parseJson, searchParamsOf, sendJson } from '../http'
import { type Decoded, keepRefusal, type PeerCall, receive } from '../receive'
import { INTERNAL_WORDS, Refusal, refusalAs } from '../refusal'
import type { HttpCall } from '../routes'
import type { Binding } from './binding'
import { agentCardOf } from './card'
import { sendEvents } from './events'
import { handlerFor } from './handler'
import type { PushConfigs } from './push'
import { a2aErrorOf, REFUSALS } from './refusals'

/** A caller whose own limit is shorter than this gets an answer, and the task continues. */
const LONGEST_WAIT_MS = 280_000

export const CODEC = {
  protocol: 'a2a' as const,
  refusals: REFUSALS,
  decode: (bytes: Buffer): Decoded<unknown> => ({ theirs: null, value: bytes.length === 0 ? {} : parseJson(bytes) }),
}

/** The agent that the path names, where the peer may reach it, or whoever answers. Throws a Refusal. */
export function addressed(
  { engine, ourselves }: AdapterContext,
  peer: PeerRecord,
  named: string | undefined,
): { agent: AgentRecord; isNamed: boolean } {
  const world = engine.world()
  const agent = named === undefined ? hostOf(world) : reachableAgent(world, ourselves(), peer, named)
  if (agent === null) throw refusalAs(REFUSALS, 'path', 'There is no such agent.')
  return { agent, isNamed: named !== undefined }
}

/** in: stopping: the server stops */
export function answerOperation(
  context: AdapterContext,
  pushes: PushConfigs,
  stopping: AbortSignal,
  binding: Binding,
  operation: string,
): (http: HttpCall) => Promise<Refusal | null> {
  return async (http) => {
    const { request, response, params } = http
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, stopping])
    async function decide(body: unknown, call: PeerCall): Promise<void> {
      const { agent, isNamed } = addressed(context, call.peer, params.agent)
      const card = agentCardOf(context.ourselves(), agent, isNamed)
      const bound = { operation, params, body, query: searchParamsOf(request) }
      const stopWaiting = context.schedule(() => gone.abort(), LONGEST_WAIT_MS)
      try {
        const spoken = new ServerCallContext({ requestedVersion: versionOf(http, bound.query) })
        validateVersion(spoken.requestedVersion, card, binding.name)
        if (!isJsonOrRead(http)) {
          const failure = binding.failure(bound, new ContentTypeNotSupportedError(NOT_JSON), 415)
          sendJson(response, failure.status, failure.body)
          return
        }
        const handler = handlerFor(context, pushes, { ...call, agent: isNamed ? agent : null, card, signal })
        const answer = await binding.answer(reporting(context, handler, call), bound, spoken)
        if ('events' in answer) {
          stopWaiting()
          await sendEvents(context, response, answer.events, (thrown) => binding.failure(bound, thrown))
        } else if (answer.status === 204) response.writeHead(204).end()
        else sendJson(response, answer.status, answer.body)
      } catch (thrown) {
        const failure = binding.failure(bound, told(context, thrown, http))
        sendJson(response, failure.status, failure.body)
      } finally {
        stopWaiting()
      }
    }
    const reception = await receive(context, CODEC, { decide }, http)
    return 'refused' in reception ? reception.refused : null
  }
}

/** Major and minor alone count; none said means 0.3. */
function versionOf({ request }: HttpCall, query: URLSearchParams): string {
  const said = (
    request.headersDistinct[A2A_VERSION_HEADER.toLowerCase()]?.join() ??
    query.get(A2A_VERSION_HEADER) ??
    ''
  ).trim()
  return said === '' ? '0.3' : (/^(\d+\.\d+)(?:\.\d+)?$/.exec(said)?.[1] ?? said.slice(0, 100))
}

const NOT_JSON = 'The body must be JSON, with Content-Type: application/json.'
function isJsonOrRead({ request }: HttpCall): boolean {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  return request.method !== 'POST' || type === 'application/json' || type === A2A_CONTENT_TYPE
}

/** What a caller reads of an error. */
function told({ log }: AdapterContext, thrown: unknown, { request }: HttpCall): unknown {
  const known = a2aErrorOf(thrown)
  if (known !== null) return known
  if (thrown instanceof Refusal) return new Error(thrown.message)
  log.error(
    { err: thrown, protocol: 'a2a', request: requestIdOf(request) },
    'unexpected error in a request of another system',
  )
  return new Error(INTERNAL_WORDS)
}

/** The SDK answers every error itself: a refusal of a command gets into the peer's log here, and our own fault into that of the server. */
function reporting(context: AdapterContext, handler: A2ARequestHandler, { peer, bytes }: PeerCall): A2ARequestHandler {
  async function asError(thrown: unknown): Promise<never> {
    const known = a2aErrorOf(thrown)
    if (thrown instanceof Refusal) {
      const refused = { caller: { kind: 'peer' as const, peer: peer.id }, theirs: null, envelope: bytes }
      await keepRefusal(context, 'a2a', refused, thrown)
    } else if (known === null) {
      context.log.error({ err: thrown, protocol: 'a2a' }, 'unexpected error in a request of another system')
    }
    throw known ?? new Error(thrown instanceof Refusal ? thrown.message : INTERNAL_WORDS)
  }
  const watched = async function* <T>(events: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    try {
      yield* events
    } catch (thrown) {
      await asError(thrown)
    }
  }
  return {
    getAgentCard: () => handler.getAgentCard(),
    getAuthenticatedExtendedAgentCard: (...args) => handler.getAuthenticatedExtendedAgentCard(...args).catch(asError),
    sendMessage: (...args) => handler.sendMessage(...args).catch(asError),
    sendMessageStream: (...args) => watched(handler.sendMessageStream(...args)),
    getTask: (...args) => handler.getTask(...args).catch(asError),
    listTasks: (...args) => handler.listTasks(...args).catch(asError),
    cancelTask: (...args) => handler.cancelTask(...args).catch(asError),
    resubscribe: (...args) => watched(handler.resubscribe(...args)),
    createTaskPushNotificationConfig: (...args) => handler.createTaskPushNotificationConfig(...args).catch(asError),
    getTaskPushNotificationConfig: (...args) => handler.getTaskPushNotificationConfig(...args).catch(asError),
    listTaskPushNotificationConfigs: (...args) => handler.listTaskPushNotificationConfigs(...args).catch(asError),
    deleteTaskPushNotificationConfig: (...args) => handler.deleteTaskPushNotificationConfig(...args).catch(asError),
  }
}

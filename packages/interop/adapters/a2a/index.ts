/** The A2A adapter: cards, JSON-JSON_RPC and HTTP+JSON over one handler, and what is sent to agents of peers. */
import type { ServerResponse } from 'node:http'
import type { Adapter, AdapterContext } from '../adapter'
import { hostOf } from '../agentUri'
import { sendJson } from '../http'
import { type PeerCall, receive } from '../receive'
import { type Refusal, refusalAs } from '../refusal'
import { answerRoutes, type HttpCall } from '../routes'
import { AGENT_ROOT, agentCardOf, ROOT, servedCard } from './card'
import { openTheirTasks } from './follow'
import { askTheirs } from './hire'
import { addressed, answerOperation, CODEC } from './operations'
import { openPushConfigs, pushMessage } from './push'
import { REFUSALS, writeRefusal } from './refusals'
import { HTTP_JSON, REST_ROUTES } from './rest'
import { JSON_RPC } from './rpc'
import { isServed } from './tasks'

const MAX_BYTES = 10 * 1024 * 1024
const WELL_KNOWN = '/.well-known/agent-card.json'

export function openA2aAdapter(context: AdapterContext): Adapter {
  const pushes = openPushConfigs(context)
  const theirs = openTheirTasks(context)
  const stopping = new AbortController()

  async function answerCard({ request, response }: HttpCall): Promise<null> {
    const host = hostOf(context.engine.world())
    if (host === null) throw refusalAs(REFUSALS, 'unavailable', 'Nobody answers here yet.')
    sendCard(request.headers['if-none-match'], response, servedCard(agentCardOf(context.ourselves(), host, false)))
    return null
  }

  /** Only to a peer that may reach the agent. */
  async function answerAgentCard({ request, response, params, ...call }: HttpCall): Promise<Refusal | null> {
    const decide = async (_: unknown, { peer }: PeerCall) =>
      agentCardOf(context.ourselves(), addressed(context, peer, params.agent).agent, true)
    const reception = await receive(context, CODEC, { decide }, call)
    if ('refused' in reception) return reception.refused
    sendCard(request.headers['if-none-match'], response, servedCard(reception.outcome))
    return null
  }

  const body = { limit: MAX_BYTES, isAnyType: true }
  const answering = answerOperation.bind(null, context, pushes, stopping.signal)
  const routesAt = (root: string) => [
    { path: root, method: 'POST' as const, ...body, answer: answering(JSON_RPC, '') },
    ...REST_ROUTES.map(({ method, path, operation }) => ({
      ...{ method, path: `${root}/v1${path}` },
      ...(method === 'POST' ? body : {}),
      answer: answering(HTTP_JSON, operation),
    })),
  ]
  const { endpoints, answer } = answerRoutes(context, {
    protocol: 'a2a',
    refusals: REFUSALS,
    write: (response, refusal) => writeRefusal(response, refusal, !(response.req.url ?? '').includes('/v1/')),
    routes: [
      { path: WELL_KNOWN, method: 'GET', isPublic: true, answer: answerCard },
      { path: `${AGENT_ROOT}${WELL_KNOWN}`, method: 'GET', answer: answerAgentCard },
      ...routesAt(ROOT),
      ...routesAt(AGENT_ROOT),
    ],
  })
  return {
    protocol: 'a2a',
    paths: [WELL_KNOWN, ROOT, `${ROOT}/`],
    endpoints,
    answer,
    send: async (sending) =>
      isServed(sending.conversation) ? pushMessage(context, pushes, sending) : askTheirs(context, theirs, sending),
    async close() {
      stopping.abort()
      theirs.close()
    },
  }
}

function sendCard(
  known: string | undefined,
  response: ServerResponse,
  { body, headers }: ReturnType<typeof servedCard>,
): void {
  if (known !== undefined && known === headers.ETag) response.writeHead(304, headers).end()
  else sendJson(response, 200, body, headers)
}

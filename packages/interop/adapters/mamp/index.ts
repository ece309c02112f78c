/** The MAMP adapter: POST /mamp/v1/messages, its web socket /mamp/v1/ws, GET /mamp/v1/card, GET /mamp/v1/cards. */
import type { MampCard } from '../../protocols/mamp/card'
import type { MampReceipt } from '../../protocols/mamp/message'
import type { Adapter, AdapterContext } from '../adapter'
import { hostOf, reachableAgent, reachableAgents } from '../agentUri'
import { openConnections } from '../connections'
import { searchParamsOf, sendJson } from '../http'
import { type PeerCall, receive } from '../receive'
import type { Refusal } from '../refusal'
import { answerRoutes, type HttpCall } from '../routes'
import { openPeerSockets } from '../socket'
import { cardOf, MAX_MESSAGE_BYTES } from './card'
import { MAMP, mampRefusal, mampRules } from './receive'
import { sendMamp } from './send'
import { type MampAnswer, serveMampSocket } from './socket'
import { streamAnswers, streamDeltas } from './stream'

export function openMampAdapter(context: AdapterContext): Adapter {
  const rules = mampRules(context)
  const connections = openConnections<MampAnswer>('mamp', context)
  const sockets = openPeerSockets(context, {
    protocol: 'mamp',
    path: '/mamp/v1/ws',
    maxBytes: MAX_MESSAGE_BYTES,
    hold: (socket) => serveMampSocket({ context, rules, connections }, socket),
  })
  const stopDeltas = streamDeltas(context, (conversation, delta) => {
    if (context.streams.tell(conversation.id, delta)) return true
    const uri = context.engine.world().agents[conversation.agent]?.outside?.uri
    const connection = uri === undefined ? undefined : connections.to(conversation.peer, uri)
    return connection?.send(JSON.stringify({ event: 'delta', ...delta })) ?? false
  })

  async function answerCard({ response }: HttpCall): Promise<null> {
    const world = context.engine.world()
    const host = hostOf(world)
    if (host === null) throw mampRefusal('unavailable', 'Nobody answers here yet.')
    sendJson(response, 200, cardOf(world, context.ourselves(), host))
    return null
  }

  /** Cards of the agents that the caller may reach, or of the one in the query. */
  async function answerCards({ request, response, ...call }: HttpCall): Promise<Refusal | null> {
    const wished = searchParamsOf(request).get('agent')
    const codec = { ...MAMP, decode: () => ({ theirs: null, value: wished }) }
    const cardsFor = {
      async decide(id: string | null, { peer }: PeerCall): Promise<MampCard[]> {
        const [world, us] = [context.engine.world(), context.ourselves()]
        const one = id === null ? null : reachableAgent(world, us, peer, id)
        if (id !== null && one === null) throw mampRefusal('agent_not_found', `Agent ${id} not found`)
        return (one === null ? reachableAgents(world, peer) : [one]).map((agent) => cardOf(world, us, agent))
      },
    }
    const reception = await receive(context, codec, cardsFor, call)
    if ('refused' in reception) return reception.refused
    sendJson(response, 200, { cards: reception.outcome })
    return null
  }

  async function answerMessage({ request, response, ...call }: HttpCall): Promise<Refusal | null> {
    const reception = await receive(context, MAMP, rules, call)
    if ('refused' in reception) return reception.refused
    const { outcome: taken } = reception
    const received: MampReceipt = { conversation_id: taken.shared, message_id: taken.messageId, status: 'received' }
    if (/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) streamAnswers(context, response, taken, received)
    else sendJson(response, 200, received)
    return null
  }

  return {
    protocol: 'mamp',
    paths: ['/mamp/'],
    ...answerRoutes(context, {
      ...MAMP,
      keyless: async ({ headers }) =>
        headers.authorization !== undefined || context.ourselves().requireAuth ? undefined : null,
      routes: [
        { path: '/mamp/v1/card', method: 'GET', isPublic: true, answer: answerCard },
        { path: '/mamp/v1/cards', method: 'GET', answer: answerCards },
        { path: '/mamp/v1/messages', method: 'POST', limit: MAX_MESSAGE_BYTES, answer: answerMessage },
      ],
    }),
    upgrade: sockets.upgrade,
    send: (sending) => sendMamp(context, connections, sending),
    close() {
      stopDeltas()
      return sockets.close()
    },
  }
}

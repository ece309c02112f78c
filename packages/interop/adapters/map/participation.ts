/** MAP methods beside trajectories: agents and subscriptions. */
import type { PeerId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outside/records'
import { RPC, type RpcRequest } from '../../protocols/map/jsonRpc'
import {
  AgentParams,
  MAP_ERRORS,
  type ParticipantType,
  RegisterParams,
  SubscribeParams,
  UnsubscribeParams,
} from '../../protocols/map/participants'
import type { AdapterContext } from '../adapter'
import { agentsSeen, type ConnectedAgents, type MapAgent } from './agents'
import type { Subscriptions } from './events'
import { read, refuseRpc } from './refusal'

const MOST_SUBSCRIPTIONS = 50

/** agentsOf: the peer's connected agents, on all of its sockets. */
type ParticipationParts = {
  context: AdapterContext
  subscriptions: Subscriptions
  agentsOf: (peer: PeerId) => MapAgent[]
}
export type ParticipantIdentity = { type: ParticipantType; agents: ConnectedAgents }

/** Throws a Refusal, also for methods that are not supported. */
export function participate(
  { context, subscriptions, agentsOf }: ParticipationParts,
  known: PeerRecord,
  { type, agents }: ParticipantIdentity,
  { method, params }: Pick<RpcRequest, 'method' | 'params'>,
): unknown {
  const seen = (): MapAgent[] => agentsSeen(context.engine.world(), known, agentsOf(known.id))
  switch (method) {
    case 'map/agents/register':
      if (type === 'client') throw refuseRpc(RPC.invalidRequest, 'A client registers no agent.')
      return { agent: agents.register(read(RegisterParams, params)) }
    case 'map/agents/update':
      return { agent: agents.update(read(RegisterParams, params)) }
    case 'map/agents/unregister':
      return { agent: agents.unregister(read(AgentParams, params)) }
    case 'map/agents/list':
      return { agents: seen() }
    case 'map/agents/get': {
      const { agentId } = read(AgentParams, params)
      const agent = seen().find(({ id }) => id === agentId)
      if (agent === undefined) throw refuseRpc(RPC.invalidParams, 'agentId: there is no such agent for you')
      return { agent }
    }
    case 'map/subscribe': {
      const { filter = {} } = read(SubscribeParams, params)
      if (subscriptions.size >= MOST_SUBSCRIPTIONS)
        throw refuseRpc(MAP_ERRORS.tooMany, `A connection has at most ${MOST_SUBSCRIPTIONS} subscriptions.`)
      const subscriptionId = context.newId()
      subscriptions.set(subscriptionId, { filter, sent: 0 })
      return { subscriptionId }
    }
    case 'map/unsubscribe': {
      const { subscriptionId: id } = read(UnsubscribeParams, params)
      if (!subscriptions.delete(id)) throw refuseRpc(RPC.invalidParams, 'subscriptionId: there is no such subscription')
      return { subscription: { id, closedAt: context.now() } }
    }
    default:
      throw refuseRpc(RPC.methodNotFound, `${method.slice(0, 100)} is not known here.`)
  }
}

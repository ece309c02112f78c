/** One participant's session on the socket /map: from map/connect to its end. */

import type * as z from 'zod/mini'
import type { CheckpointRecord } from '@/lib/mas/checkpointRecords'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outsideRecords'
import { selectPeers } from '@/lib/mas/selectors/outside'
import {
  RPC,
  type RpcError,
  type RpcParams,
  type RpcRequest,
  readRpc,
  writeError,
  writeNotification,
  writeResult,
} from '@/lib/protocols/map/jsonRpc'
import {
  AgentParams,
  AuthParams,
  ConnectParams,
  MAP_ERRORS,
  type ParticipantType,
  PROTOCOL_VERSION,
  RegisterParams,
  SubscribeParams,
  UnsubscribeParams,
} from '@/lib/protocols/map/participants'
import { METHODS, trajectoryError } from '@/lib/protocols/map/trajectory'
import type { AdapterContext } from '../adapter'
import { agentsSeen, type ConnectedAgents, type MapAgent, openConnectedAgents } from './agents'
import { readCheckpoint, visibleAgents } from './checkpoints'
import { eventsOfCheckpoint, openSubscriptions } from './events'
import { RpcRefusal, read, refuseRpc } from './refusal'
import { streamArtifact } from './stream'
import type { Trajectory, TrajectoryResult } from './trajectory'

const MOST_SUBSCRIPTIONS = 50
const MOST_STREAMS = 2

/** The socket below, as far as a session needs it. */
export type MapSocket = {
  /** out: resolves when it has left; rejects when the socket is gone. */
  send(text: string): Promise<void>
  close(): void
}

export type SessionParts = {
  context: AdapterContext
  trajectory: Trajectory
  /** The extension is switched on. */
  isEnabled: () => boolean
  wire: MapSocket
  /** Whose key the handshake showed; null: nobody's. */
  peer: PeerId | null
  /** The agents of that peer which are connected now, on any socket. */
  agentsOf: (peer: PeerId) => MapAgent[]
  systemInfo: { name: string; version: string }
}

export interface MapSession {
  /** Take one text of the socket. Never rejects. */
  take(text: string): Promise<void>
  /** A checkpoint was written. Never rejects. */
  tell(record: CheckpointRecord): Promise<void>
  agents(): MapAgent[]
  peer(): PeerId | null
}

type Participant = { type: ParticipantType; sessionId: string; agents: ConnectedAgents }

export function openMapSession(parts: SessionParts): MapSession {
  const { context, trajectory, isEnabled, wire, agentsOf, systemInfo } = parts
  const { engine, keys, exchange, newId, now } = context
  const subscriptions = openSubscriptions()
  let peer: PeerId | null = parts.peer
  let participant: Participant | null = null
  let streams = 0
  let isOver = false

  const say = (text: string): Promise<void> => wire.send(text).catch(() => {})

  async function take(text: string): Promise<void> {
    const incoming = readRpc(text)
    switch (incoming.kind) {
      case 'broken':
        noteRefused(incoming.error, text)
        return say(writeError(incoming.id, incoming.error))
      case 'request':
        return answer(incoming.request, text)
      // Nothing is asked of anybody here, and a notification gets no answer.
      case 'notification':
      case 'answer':
        return
    }
  }

  async function answer({ id, method, params }: RpcRequest, text: string): Promise<void> {
    try {
      const { result, stream } = await outcomeOf(method, params)
      await say(writeResult(id, result))
      if (stream) {
        const notify = (name: string, piece: RpcParams) => wire.send(writeNotification({ method: name, params: piece }))
        streams += 1
        // Other calls are answered between the pieces; a socket that is gone wants none of them.
        void streamArtifact(stream.bytes, stream.id, notify)
          .catch(() => {})
          .finally(() => {
            streams -= 1
          })
      }
    } catch (error) {
      if (!(error instanceof RpcRefusal))
        context.log.error({ err: error, method }, 'a MAP call failed for a reason nobody foresaw')
      const unforeseen = { code: RPC.internal, message: 'Something went wrong here. It was recorded.' }
      const refused = error instanceof RpcRefusal ? error.error : unforeseen
      noteRefused(refused, text)
      await say(writeError(id, refused))
    }
    if (isOver) wire.close()
  }

  /** Before a peer is known it is counted only; after it each is a line. What may hold a key is not kept itself. */
  function noteRefused({ code, message: why }: RpcError, text: string): void {
    const verdict = String(code)
    if (peer === null) {
      exchange.countRefused('map', verdict)
      return
    }
    const bytes = Buffer.from(text)
    const envelope = /credential|token|\\u/i.test(text) ? bytes.length : bytes
    void exchange.note({ peer, protocol: 'map', theirs: null, verdict, status: null, why, envelope })
  }

  async function outcomeOf(method: string, params: RpcParams): Promise<TrajectoryResult> {
    if (method === 'map/connect') return { result: connect(read(ConnectParams, params)) }
    if (participant === null) throw refuseRpc(RPC.invalidRequest, 'map/connect comes first.')
    if (method === 'map/authenticate') return { result: authenticate(read(AuthParams, params), participant) }
    if (method === 'map/disconnect') return { result: disconnect(participant) }
    const known = mustBeKnown()
    const seconds = await exchange.tooMany(known.id)
    if (seconds > 0) throw refuseRpc(MAP_ERRORS.tooMany, `Too many calls. Try again in ${seconds} s.`)
    const own = METHODS.find((name) => name === method)
    if (own === undefined) return { result: partake(method, params, known, participant) }
    const agents = participant.type === 'agent' ? participant.agents : null
    return trajectory.call(own, params, { peer: known, agents, isStreaming: streams >= MOST_STREAMS })
  }

  function connect({
    participantType: type,
    participantId,
    name,
    auth,
    protocolVersion,
  }: z.infer<typeof ConnectParams>) {
    if (participant !== null) throw refuseRpc(RPC.invalidRequest, 'This connection is connected already.')
    if (protocolVersion !== PROTOCOL_VERSION) throw refuseRpc(RPC.invalidParams, 'protocolVersion: 1 is spoken here')
    const shown = auth?.credential ?? auth?.token
    if (shown !== undefined) takeKey(shown)
    const agents = openConnectedAgents(type === 'agent' ? (participantId ?? null) : null, newId)
    participant = { type, sessionId: newId(), agents }
    const enabled = isEnabled()
    return {
      protocolVersion: PROTOCOL_VERSION,
      sessionId: participant.sessionId,
      participantId: participantId ?? name ?? newId(),
      capabilities: {
        trajectory: { enabled, canReport: enabled && type === 'agent', canQuery: enabled, canRequestContent: enabled },
        observation: { canObserve: true, canQuery: true },
      },
      systemInfo,
      ...(peer === null ? { authRequired: { methods: ['bearer', 'api-key'], required: true } } : {}),
    }
  }

  function authenticate({ credential, token }: z.infer<typeof AuthParams>, { sessionId }: Participant) {
    const shown = credential ?? token
    if (shown === undefined) throw refuseRpc(RPC.invalidParams, 'credential: it is missing')
    takeKey(shown)
    return { success: true, sessionId }
  }

  /** The key's holder is this connection's peer from now on. */
  function takeKey(key: string): void {
    const holder = keys.holderOf(key)
    if (holder === null) throw refuseRpc(MAP_ERRORS.authFailed, 'That key is nobody’s.')
    if (peer !== null && peer !== holder) throw refuseRpc(MAP_ERRORS.authFailed, 'Another key was shown before.')
    peer = holder
  }

  function mustBeKnown(): PeerRecord {
    if (peer === null) throw refuseRpc(MAP_ERRORS.authRequired, 'Show a key first, with map/authenticate.')
    const known = selectPeers(engine.world()).find(({ id }) => id === peer)
    // Nothing can be signed here: a peer that signs elsewhere would be believed by its key alone.
    if (known === undefined || !known.may.includes('map') || keys.mustSign(known.id)) {
      throw new RpcRefusal(trajectoryError('permissionDenied', 'this peer may not use it'))
    }
    return known
  }

  function disconnect({ sessionId }: Participant) {
    isOver = true
    return { session: { sessionId, closedAt: now() } }
  }

  /** What is needed beside trajectories; everything else of MAP is not known here. */
  function partake(method: string, params: RpcParams, known: PeerRecord, { type, agents }: Participant): unknown {
    const seen = (): MapAgent[] => agentsSeen(engine.world(), known, agentsOf(known.id))
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
      case 'map/subscribe':
        return subscribe(read(SubscribeParams, params))
      case 'map/unsubscribe':
        return unsubscribe(read(UnsubscribeParams, params))
      default:
        throw refuseRpc(RPC.methodNotFound, `${method.slice(0, 100)} is not known here.`)
    }
  }

  function subscribe({ filter = {} }: z.infer<typeof SubscribeParams>) {
    if (subscriptions.size >= MOST_SUBSCRIPTIONS) {
      throw refuseRpc(MAP_ERRORS.tooMany, `A connection has at most ${MOST_SUBSCRIPTIONS} subscriptions.`)
    }
    const subscriptionId = newId()
    subscriptions.open(subscriptionId, filter)
    return { subscriptionId }
  }

  function unsubscribe({ subscriptionId }: z.infer<typeof UnsubscribeParams>) {
    if (!subscriptions.close(subscriptionId)) {
      throw refuseRpc(RPC.invalidParams, 'subscriptionId: there is no such subscription')
    }
    return { subscription: { id: subscriptionId, closedAt: now() } }
  }

  async function tell(record: CheckpointRecord): Promise<void> {
    const world = engine.world()
    const known = selectPeers(world).find(({ id }) => id === peer)
    if (subscriptions.size === 0 || !known?.may.includes('map') || !isEnabled()) return
    if (!visibleAgents(world, known).has(record.agent)) return
    try {
      const checkpoint = await readCheckpoint(context, record)
      for (const event of eventsOfCheckpoint(checkpoint, record.at, record.seq)) {
        for (const params of subscriptions.passed(event, checkpoint)) {
          await wire.send(writeNotification({ method: 'map/event', params }))
        }
      }
    } catch (error) {
      context.log.warn({ err: error }, 'a subscriber of checkpoints was not told')
    }
  }

  return { take, tell, agents: () => participant?.agents.all() ?? [], peer: () => peer }
}

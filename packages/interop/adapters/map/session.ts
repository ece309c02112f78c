/** A participant's session on the socket /map, from map/connect to its end. */
import type * as z from 'zod/mini'
import { fieldsIn } from '@/lib/json'
import type { PeerId } from '@/lib/mas/ids'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { selectPeers } from '@/lib/mas/outside/outside'
import { parseBounded } from '@/server/shared/boundedJson'
import { sha256 } from '@/server/shared/sha256'
import {
  type Incoming,
  RPC,
  type RpcParams,
  type RpcRequest,
  readRpc,
  writeError,
  writeNotification,
  writeResult,
} from '../../protocols/map/jsonRpc'
import {
  AuthParams,
  ConnectParams,
  MAP_ERRORS,
  type ParticipantType,
  PROTOCOL_VERSION,
} from '../../protocols/map/participants'
import { CHUNK_BYTES, CHUNK_NOTIFICATION, type Chunk, chunkCount, METHODS } from '../../protocols/map/trajectory'
import type { AdapterContext } from '../adapter'
import { type Codec, type Decoded, type PeerCall, receive } from '../receive'
import { INTERNAL_WORDS, type Refusal, refusalAs } from '../refusal'
import { type MapAgent, openConnectedAgents } from './agents'
import { visibleAgents } from './checkpoints'
import { notifySubscribers, type Subscriptions } from './events'
import { type ParticipantIdentity, participate } from './participation'
import { MAP_REFUSALS, read, refuseRpc, rpcErrorOf, rpcRefusal } from './refusal'
import type { TrajectoryCall, TrajectoryResult } from './trajectory'

const MAP: Pick<Codec<RpcRequest>, 'protocol' | 'refusals' | 'kept'> = {
  protocol: 'map',
  refusals: MAP_REFUSALS,
  // Texts that may hold a key, or are too large, are not stored.
  kept: (bytes) =>
    bytes.length > MAX_TEXT_BYTES || /credential|token|\\u/i.test(bytes.toString()) ? bytes.length : bytes,
}
const MOST_STREAMS = 2
/** Limit of one call; the metadata of a checkpoint is its largest part. */
const MAX_TEXT_BYTES = 1024 * 1024

/** The socket below a session. */
type MapSocket = {
  /** out: resolves when it is sent; rejects when the socket is closed. */
  send(text: string): Promise<void>
  close(): void
}

type SessionParts = {
  context: AdapterContext
  trajectory: TrajectoryCall
  /** Is the extension enabled? */
  isEnabled: () => boolean
  wire: MapSocket
  /** The peer whose key the handshake showed; null: none. */
  peer: PeerId | null
  /** The peer's connected agents, on all of its sockets. */
  agentsOf: (peer: PeerId) => MapAgent[]
  systemInfo: { name: string; version: string }
}

const readingOf = (incoming: Extract<Incoming, { kind: 'request' | 'broken' }>): Decoded<RpcRequest> => ({
  theirs: null,
  ...(incoming.kind === 'broken' ? { refused: rpcRefusal(incoming.error) } : { value: incoming.request }),
})

type Participant = ParticipantIdentity & { sessionId: string }

/** out: take: handle one text of the socket; tell: a checkpoint was written. Neither rejects. */
export function openMapSession(parts: SessionParts) {
  const { context, trajectory, isEnabled, wire, systemInfo } = parts
  const { engine, keys, newId, now } = context
  const subscriptions: Subscriptions = new Map()
  let peer: PeerId | null = parts.peer
  let participant: Participant | null = null
  const streams = openChunkStreams(wire)
  let isOver = false

  // A send fails only when the socket is closed, and then the session ends.
  const say = (text: string): Promise<void> => wire.send(text).catch(() => {})

  async function take(text: string): Promise<void> {
    const incoming = readWithin(text)
    if (incoming.kind === 'notification' || incoming.kind === 'answer') return
    const id = incoming.kind === 'broken' ? incoming.id : incoming.request.id
    const refuse = (refused: Refusal): Promise<void> => say(writeError(id, rpcErrorOf(refused)))
    try {
      const caller = peer === null ? null : { kind: 'peer' as const, peer }
      const call = { caller, bytes: Buffer.from(text), signature: null }
      const reception = await receive(context, { ...MAP, decode: () => readingOf(incoming) }, { open, decide }, call)
      if ('refused' in reception) await refuse(reception.refused)
      else if (id !== null) {
        await say(writeResult(id, reception.outcome.result))
        streams.send(reception.outcome.stream)
      }
    } catch (error) {
      context.log.error({ err: error }, 'unexpected error in a MAP call')
      await refuse(refusalAs(MAP.refusals, 'internal', INTERNAL_WORDS))
    }
    if (isOver) wire.close()
  }

  function connected(): Participant {
    if (participant === null) throw refuseRpc(RPC.invalidRequest, 'map/connect comes first.')
    return participant
  }

  /** Methods that are allowed before the peer is known. */
  function open({ method, params }: RpcRequest): TrajectoryResult | null {
    if (method === 'map/connect') return { result: connect(read(ConnectParams, params)) }
    const { sessionId } = connected()
    if (method === 'map/authenticate') return { result: authenticate(read(AuthParams, params), sessionId) }
    if (method !== 'map/disconnect') return null
    isOver = true
    return { result: { session: { sessionId, closedAt: now() } } }
  }

  async function decide({ method, params }: RpcRequest, { peer: known }: PeerCall): Promise<TrajectoryResult> {
    const self = connected()
    const own = METHODS.find((name) => name === method)
    if (own === undefined) return { result: participate({ ...parts, subscriptions }, known, self, { method, params }) }
    const agents = self.type === 'agent' ? self.agents : null
    return trajectory(own, params, { peer: known, agents, beginStream: streams.begin })
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
    const { sessionId } = participant
    return {
      ...welcome(isEnabled(), type, peer !== null),
      sessionId,
      participantId: participantId ?? name ?? newId(),
      systemInfo,
    }
  }

  function authenticate({ credential, token }: z.infer<typeof AuthParams>, sessionId: string) {
    const shown = credential ?? token
    if (shown === undefined) throw refuseRpc(RPC.invalidParams, 'credential: it is missing')
    takeKey(shown)
    return { success: true, sessionId }
  }

  /** From now on the connection belongs to the peer with this key. */
  function takeKey(key: string): void {
    const holder = keys.holderOf(key)
    if (holder === null) throw refuseRpc(MAP_ERRORS.authFailed, 'That key is nobody’s.')
    if (peer !== null && peer !== holder) throw refuseRpc(MAP_ERRORS.authFailed, 'Another key was shown before.')
    peer = holder
  }

  async function tell(record: CheckpointRecord): Promise<void> {
    const world = engine.world()
    const known = selectPeers(world).find(({ id }) => id === peer)
    if (subscriptions.size === 0 || !known?.may.includes('map') || !isEnabled()) return
    if (!visibleAgents(world, known).has(record.agent)) return
    const notify = (params: RpcParams) => wire.send(writeNotification({ method: 'map/event', params }))
    await notifySubscribers(context, subscriptions, record, notify)
  }

  return { take, tell, agents: () => participant?.agents.all() ?? [], peer: () => peer }
}

export type MapSession = ReturnType<typeof openMapSession>

/** Parses a call. One that is too large is refused under its own id, if that can be read. */
function readWithin(text: string): Incoming {
  if (Buffer.byteLength(text) <= MAX_TEXT_BYTES) return readRpc(text)
  const read = parseBounded(text)
  const { id } = fieldsIn(read.ok ? read.value : null)
  const message = `A text has at most ${MAX_TEXT_BYTES} bytes.`
  return {
    kind: 'broken',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code: RPC.invalidRequest, message, data: { limit: MAX_TEXT_BYTES } },
  }
}

const welcome = (enabled: boolean, type: ParticipantType, isKnown: boolean) => ({
  protocolVersion: PROTOCOL_VERSION,
  capabilities: {
    trajectory: { enabled, canReport: enabled && type === 'agent', canQuery: enabled, canRequestContent: enabled },
    observation: { canObserve: true, canQuery: true },
  },
  ...(isKnown ? {} : { authRequired: { methods: ['bearer', 'api-key'], required: true } }),
})

/** Streams of artifacts on one socket. */
function openChunkStreams(wire: Pick<MapSocket, 'send'>) {
  let count = 0
  return {
    /** Counts a stream before its result is sent, so that calls side by side count too. out: false: there are as many as may be */
    begin(): boolean {
      if (count >= MOST_STREAMS) return false
      count += 1
      return true
    },
    /** Other calls are answered between the chunks; a closed socket needs none. */
    send(stream: TrajectoryResult['stream']): void {
      if (stream === undefined) return
      void streamArtifact(stream, wire)
        .catch(() => {})
        .finally(() => {
          count -= 1
        })
    },
  }
}

/** Sends chunks in order; the last one holds the SHA-256 of the whole in lower-case hex. Rejects when the socket is closed. */
async function streamArtifact(
  { id: streamId, bytes }: NonNullable<TrajectoryResult['stream']>,
  wire: Pick<MapSocket, 'send'>,
): Promise<void> {
  const last = chunkCount(bytes.length) - 1
  for (let index = 0; index <= last; index++) {
    const piece = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    const chunk: Chunk = {
      streamId,
      index,
      data: Buffer.from(piece).toString('base64'),
      final: index === last,
      ...(index === last ? { checksum: sha256(bytes) } : {}),
    }
    await wire.send(writeNotification({ method: CHUNK_NOTIFICATION, params: chunk }))
  }
}

/** The four methods of the trajectory extension. */
import type * as z from 'zod/mini'
import { bodyOf } from '@/lib/mas/bodies'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { findCheckpoint, selectCheckpointsOf } from '@/lib/mas/outside/outside'
import type { PeerRecord } from '@/lib/mas/outside/records'
import { RPC, type RpcParams } from '../../protocols/map/jsonRpc'
import {
  artifactToStream,
  type Checkpoint,
  type CheckpointPage,
  CheckpointParams,
  ContentParams,
  type ContentResult,
  chunkCount,
  GetParams,
  ListParams,
  listPage,
  type TrajectoryMethod,
  urlName,
} from '../../protocols/map/trajectory'
import type { AdapterContext } from '../adapter'
import { uriOfTheirs } from '../agentUri'
import type { ConnectedAgents } from './agents'
import { artifactsOf, checkpointShapeOf, findVisible, readCheckpoint, textOf, visibleAgents } from './checkpoints'
import { read, refuseRpc, refuseTrajectory } from './refusal'
import { contentUrl } from './serveContent'

/** How far another system's clock may be ahead of ours. */
const SKEW_MS = 5_000

/** The caller. agents: null when it is no agent. beginStream: false: it already receives as much as it may at once. */
type TrajectoryCaller = { peer: PeerRecord; agents: ConnectedAgents | null; beginStream: () => boolean }

/** stream: content that is sent in chunks after the result. */
export type TrajectoryResult = { result: unknown; stream?: { id: string; bytes: Uint8Array } }

export type TrajectoryCall = ReturnType<typeof openTrajectory>

/** out: calls a method; rejects with a Refusal */
export function openTrajectory(context: AdapterContext, isEnabled: () => boolean) {
  const { engine, newId, now } = context

  async function report(params: RpcParams, { peer, agents }: TrajectoryCaller): Promise<Checkpoint> {
    if (agents === null) throw refuseTrajectory('permissionDenied', 'only agents report')
    const { checkpoint: said } = read(CheckpointParams, params)
    if (said.timestamp !== undefined && said.timestamp > now() + SKEW_MS) {
      throw refuseRpc(RPC.invalidParams, 'checkpoint.timestamp: it lies in the future')
    }
    const uri = uriOfTheirs(peer, said.agentId)
    if (uri === null || !agents.speaksFor(said.agentId)) {
      throw refuseTrajectory('permissionDenied', 'an agent reports its own checkpoints')
    }
    const metadata = said.metadata === undefined ? null : bodyOf(JSON.stringify(said.metadata), 'application/json')
    const committed = await engine.commit({
      id: newId(),
      by: 'system:map',
      command: {
        type: 'reportCheckpoint',
        peer: peer.id,
        uri,
        agentName: said.agentId,
        checkpoint: said.id,
        label: said.label ?? '',
        session: said.sessionId ?? null,
        timestamp: said.timestamp ?? null,
        metadata: metadata?.ref ?? null,
      },
      ...(metadata === null ? {} : { bodies: [metadata.body] }),
    })
    if (!committed.ok) throw refuseTrajectory('permissionDenied', committed.fault.message)
    agents.spoke(said.agentId)
    const stored = findCheckpoint(engine.world(), said.id)
    if (stored === null) throw new Error('a checkpoint that was written is not there')
    return checkpointShapeOf(stored, said.metadata ?? null)
  }

  async function list(wish: z.infer<typeof ListParams>, peer: PeerRecord): Promise<CheckpointPage> {
    const world = engine.world()
    const records = new Map(selectCheckpointsOf(world, visibleAgents(world, peer)).map((one) => [one.id, one]))
    const page = listPage(
      [...records.values()].map((record) => checkpointShapeOf(record, null)),
      wish,
    )
    if (page === null) throw refuseRpc(RPC.invalidParams, 'cursor: it is the nextCursor of an earlier page')
    // Metadata is read for this page only.
    const checkpoints = await Promise.all(
      page.checkpoints.map((bare) => {
        const record = records.get(bare.id)
        return record === undefined ? bare : readCheckpoint(context, record)
      }),
    )
    return { ...page, checkpoints }
  }

  function mustSee(peer: PeerRecord, id: string): CheckpointRecord {
    const record = findVisible(engine.world(), peer, id)
    if (record === null) throw refuseTrajectory('notFound', id)
    return record
  }

  return async (method: TrajectoryMethod, params: RpcParams, caller: TrajectoryCaller): Promise<TrajectoryResult> => {
    if (!isEnabled()) throw refuseTrajectory('notEnabled')
    switch (method) {
      case 'trajectory/checkpoint':
        return { result: { checkpoint: await report(params, caller) } }
      case 'trajectory/list':
        return { result: await list(read(ListParams, params), caller.peer) }
      case 'trajectory/get': {
        const record = mustSee(caller.peer, read(GetParams, params).checkpointId)
        return { result: { checkpoint: await readCheckpoint(context, record) } }
      }
      case 'trajectory/content': {
        const wish = read(ContentParams, params)
        return contentOf(context, mustSee(caller.peer, wish.checkpointId), wish, caller.beginStream)
      }
    }
  }
}

/** Small artifacts inline; one large artifact in chunks after the answer. */
async function contentOf(
  context: AdapterContext,
  record: CheckpointRecord,
  { checkpointId, include }: z.infer<typeof ContentParams>,
  beginStream: () => boolean,
): Promise<TrajectoryResult> {
  const all = artifactsOf(context, record)
  const names = include ?? [...all.keys()]
  const missing = names.filter((name) => !all.has(name))
  if (missing.length > 0 || names.length === 0) {
    throw refuseTrajectory('contentUnavailable', missing.join(', ') || 'it has none')
  }
  const values = new Map(await Promise.all(names.map(async (name) => [name, await all.get(name)?.()] as const)))
  const texts = new Map([...values].map(([name, value]) => [name, textOf(value)]))
  const streamed = artifactToStream(new Map([...texts].map(([name, text]) => [name, Buffer.byteLength(text)])))
  if (streamed === 'tooLarge') {
    const why = 'more than one artifact is large: ask for them one by one'
    throw refuseTrajectory('contentUnavailable', why)
  }
  if (streamed === null) {
    const whole: ContentResult = { streaming: false, checkpointId, artifacts: Object.fromEntries(values) }
    return { result: { content: whole } }
  }
  if (!beginStream()) throw refuseTrajectory('streamFailed', 'other streams are under way: try again')
  const bytes = new TextEncoder().encode(texts.get(streamed) ?? '')
  values.delete(streamed)
  values.set(urlName(streamed), contentUrl(context.ourselves().address, checkpointId, streamed))
  const begun: ContentResult = {
    streaming: true,
    checkpointId,
    streamId: context.newId(),
    artifacts: Object.fromEntries(values),
    streamArtifact: streamed,
    streamInfo: { totalBytes: bytes.length, totalChunks: chunkCount(bytes.length), encoding: 'base64' },
  }
  return { result: { content: begun }, stream: { id: begun.streamId, bytes } }
}

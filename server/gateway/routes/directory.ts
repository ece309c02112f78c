/** Other systems, for those who run the team: who they are, which conversations there are, what came and went. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import type { CheckpointRecord } from '@/lib/mas/checkpointRecords'
import type { Json } from '@/lib/mas/records'
import { findCheckpoint } from '@/lib/mas/selectors/checkpoints'
import type {
  ArtifactPiece,
  CheckpointDetail,
  CheckpointShown,
  ConversationShown,
  DirectoryList,
  DirectoryPage,
  EnvelopeDetail,
  ExchangePage,
  PeerShown,
  RegisteredShown,
} from '@/lib/wire'
import { sha256 } from '../../shared/sha256'
import * as rows from '../directory'
import * as shapes from '../directoryShapes'
import { shown } from '../resolve'
import { canSeeAll } from '../rights'
import { addRoute, type Env, type GatewayContext } from '../route'
import type { SignedInCaller } from '../sessions'

/** An envelope is shown up to this many bytes. */
const ENVELOPE_BYTES = 256 * 1024
/** Of an artifact, at a time. */
export const PIECE_BYTES = 512 * 1024

export function addDirectoryRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store, outside } = gateway
  const world = () => engine.world()

  type Asked = z.output<typeof shapes.listQuery>
  function addList(list: DirectoryList, says: string, answers: z.ZodType, page: (wish: Asked) => unknown): void {
    addRoute(app, gateway, {
      method: 'get',
      path: `/api/directory/${list}`,
      access: 'person',
      says,
      query: shapes.listQuery,
      answers,
      async handle({ caller, query }) {
        assertSees(caller)
        return page(query)
      },
    })
  }
  addList(
    'peers',
    'Other systems, seen last first; those that have no say any more come last. For operators and developers.',
    shapes.peersPage,
    (wish): DirectoryPage<PeerShown> => rows.listPeers(world(), wish, wish, (name) => outside?.isSet(name) ?? false),
  )
  addList(
    'conversations',
    'Conversations with agents of other systems, and the task that each is.',
    shapes.conversationsPage,
    (wish): DirectoryPage<ConversationShown> => rows.listConversations(world(), wish, wish),
  )
  addList(
    'registry',
    'Agents of other systems that are known here, what they can do, when something of them came last.',
    shapes.registryPage,
    (wish): DirectoryPage<RegisteredShown> => rows.listRegistry(world(), wish, wish),
  )
  addList(
    'checkpoints',
    'Checkpoints of our agents and of other systems’, newest first.',
    shapes.checkpointsPage,
    (wish): DirectoryPage<CheckpointShown> => rows.listCheckpoints(world(), wish, wish),
  )
  addList(
    'exchange',
    'Every envelope in and out with its verdict, newest first: the newest 1,000 of each peer.',
    shapes.exchangePage,
    (wish): ExchangePage => ({ ...rows.listExchange(world(), wish, wish), refused: outside?.refused() ?? [] }),
  )

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/directory/exchange/{seq}',
    access: 'person',
    says: 'One envelope, as it came when it was kept.',
    params: shapes.envelopeParams,
    answers: shapes.envelopeDetail,
    async handle({ caller, params }): Promise<EnvelopeDetail> {
      assertSees(caller)
      const found = rows.exchangeLineAt(world(), params.seq)
      if (!found) throw new Fault('NOT_FOUND', { what: 'envelope', id: String(params.seq) })
      const envelope = rows.envelopeShown(world(), found.peer, found.line)
      const kept = found.line.body === null ? null : await store.bodies.get(found.line.body.sha)
      if (kept === null) return { envelope, text: null, isCut: false }
      const text = new TextDecoder().decode(kept.bytes.subarray(0, ENVELOPE_BYTES))
      return { envelope, text, isCut: found.line.bytes > Math.min(kept.bytes.length, ENVELOPE_BYTES) }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/directory/checkpoints/{id}',
    access: 'person',
    says: 'One checkpoint with its metadata, and the names of its artifacts.',
    params: shapes.checkpointParams,
    answers: shapes.checkpointDetail,
    async handle({ caller, params }): Promise<CheckpointDetail> {
      assertSees(caller)
      const record = checkpointOf(params.id)
      const artifacts = artifactsOf(record)
      const metadata = (await artifacts.get('metadata')?.()) ?? null
      return {
        checkpoint: rows.checkpointShown(world(), record),
        // Read from the JSON that was stored.
        metadata: metadata as Json,
        artifacts: [...artifacts.keys()],
      }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/directory/checkpoints/{id}/artifacts/{name}',
    access: 'person',
    says: 'A piece of an artifact, with the length and SHA-256 of the whole; `next` is where the next piece begins.',
    params: shapes.artifactParams,
    query: shapes.artifactQuery,
    answers: shapes.artifactPiece,
    async handle({ caller, params, query }): Promise<ArtifactPiece> {
      assertSees(caller)
      const { bytes, mime, sha } = await wholeOf(checkpointOf(params.id), params.name)
      const end = Math.min(query.from + PIECE_BYTES, bytes.length)
      return {
        name: params.name,
        mime,
        bytes: bytes.length,
        sha,
        base64: bytes.subarray(query.from, end).toString('base64'),
        next: end < bytes.length ? end : null,
      }
    },
  })

  function checkpointOf(id: string): CheckpointRecord {
    const record = findCheckpoint(world(), id)
    if (!record) throw new Fault('NOT_FOUND', { what: 'checkpoint', id: shown(id) })
    return record
  }

  const artifactsOf = (record: CheckpointRecord): ReadonlyMap<string, () => Promise<unknown>> =>
    outside?.artifacts(record) ?? new Map()

  type Whole = { bytes: Buffer; mime: string; sha: string }
  /** The one that was asked for last: its other pieces are asked for next, and must be of the same whole. */
  let last: { key: string; whole: Whole } | null = null
  async function wholeOf(record: CheckpointRecord, name: string): Promise<Whole> {
    const key = JSON.stringify([record.id, record.seq, name])
    if (last?.key === key) return last.whole
    const read = artifactsOf(record).get(name)
    if (!read) throw new Fault('NOT_FOUND', { what: 'artifact', id: shown(name) })
    const value = await read()
    const isText = typeof value === 'string'
    const bytes = Buffer.from(isText ? value : JSON.stringify(value))
    const sha = sha256(bytes)
    const whole = { bytes, mime: isText ? 'application/jsonl' : 'application/json', sha }
    last = { key, whole }
    return whole
  }
}

function assertSees({ person }: SignedInCaller): void {
  if (!canSeeAll(person)) throw new Fault('NOT_ALLOWED', { what: 'look into the directory of other systems' })
}

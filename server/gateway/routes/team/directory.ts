import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import { canSeeAll } from '@/lib/mas/access/access'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { findCheckpoint } from '@/lib/mas/outside/outside'
import type { AgentRecord, Json } from '@/lib/mas/records'
import type { DirectoryList } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { sha256 } from '@/server/shared/sha256'
import * as rows from '../../records/directory'
import { mustFind } from '../../records/resolve'
import type { Routes } from '../../route'

const ENVELOPE_BYTES = 256 * 1024
/** Bytes of an artifact per answer. */
export const PIECE_BYTES = 512 * 1024

export function addDirectoryRoutes(routes: Routes): void {
  addListRoutes(routes)
  addEnvelopeRoute(routes)
  addCheckpointRoutes(routes)
}

function addListRoutes({ add, gateway }: Routes): void {
  const { engine, outside, store } = gateway
  const world = () => engine.world()

  type Asked = z.output<typeof schemas.listQuery>
  function addList<Page>(
    list: DirectoryList,
    summary: string,
    answers: z.ZodType<Page>,
    page: (query: Asked) => NoInfer<Page> | Promise<NoInfer<Page>>,
  ): void {
    add(`GET /api/directory/${list}`, {
      scope: 'read',
      summary,
      query: schemas.listQuery,
      answers,
      async handle({ person, query }) {
        assertSees(person)
        return page(query)
      },
    })
  }
  addList(
    'peers',
    'Peers, last seen first, removed ones last. For operators and developers.',
    schemas.peersPage,
    (query) => rows.listPeers(world(), query, (name) => outside.isSet(name)),
  )
  addList(
    'conversations',
    'Conversations with agents of other systems, each with its task.',
    schemas.conversationsPage,
    (query) => rows.listConversations(world(), query),
  )
  addList(
    'registry',
    'Known agents of other systems, their capabilities, and when they last sent anything.',
    schemas.registryPage,
    (query) => rows.listRegistry(world(), query),
  )
  addList(
    'checkpoints',
    'Checkpoints of our agents and of agents of other systems, newest first.',
    schemas.checkpointsPage,
    (query) => rows.listCheckpoints(world(), query),
  )
  addList(
    'exchange',
    'Envelopes in and out with their verdicts, newest first.',
    schemas.exchangePage,
    async (query) => ({ ...(await rows.listExchange(world(), store.envelopes, query)), refused: outside.refused() }),
  )
}

function addEnvelopeRoute({ add, gateway }: Routes): void {
  const { engine, store } = gateway
  const world = () => engine.world()

  add('GET /api/directory/exchange/{seq}', {
    scope: 'read',
    summary: 'One envelope, with its text when that was kept.',
    params: schemas.envelopeParams,
    answers: schemas.envelopeDetail,
    async handle({ person, params }) {
      assertSees(person)
      const found = mustFind(await store.envelopes.get(params.seq), 'envelope', String(params.seq))
      const envelope = rows.envelopeShown(world(), found)
      const kept = found.body === null ? null : await store.bodies.get(found.body)
      if (kept === null) return { envelope, text: null, isCut: false }
      const text = new TextDecoder().decode(kept.bytes.subarray(0, ENVELOPE_BYTES))
      return { envelope, text, isCut: found.bytes > Math.min(kept.bytes.length, ENVELOPE_BYTES) }
    },
  })
}

function addCheckpointRoutes({ add, gateway }: Routes): void {
  const { engine, outside } = gateway
  const world = () => engine.world()

  add('GET /api/directory/checkpoints/{id}', {
    scope: 'read',
    summary: 'One checkpoint with its metadata, and the names of its artifacts.',
    params: schemas.checkpointParams,
    answers: schemas.checkpointDetail,
    async handle({ person, params }) {
      assertSees(person)
      const record = checkpointOf(params.id)
      const artifacts = artifactsOf(record)
      const metadata = (await artifacts.get('metadata')?.()) ?? null
      return {
        checkpoint: rows.checkpointShown(world(), record),
        // It was parsed from stored JSON.
        metadata: metadata as Json,
        artifacts: [...artifacts.keys()],
      }
    },
  })

  add('GET /api/directory/checkpoints/{id}/artifacts/{name}', {
    scope: 'read',
    summary: 'A piece of an artifact, with the length and SHA-256 of the whole; `next` is the start of the next piece.',
    params: schemas.artifactParams,
    query: schemas.artifactQuery,
    answers: schemas.artifactPiece,
    async handle({ person, params, query }) {
      assertSees(person)
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

  const checkpointOf = (id: string): CheckpointRecord => mustFind(findCheckpoint(world(), id), 'checkpoint', id)

  const artifactsOf = (record: CheckpointRecord): ReadonlyMap<string, () => Promise<unknown>> =>
    outside.artifacts(record)

  type Whole = { bytes: Buffer; mime: string; sha: string }
  /** The artifact of the last request: the next pieces must come from the same version of it. */
  let last: { key: string; whole: Whole } | null = null
  async function wholeOf(record: CheckpointRecord, name: string): Promise<Whole> {
    const key = JSON.stringify([record.id, record.seq, name])
    if (last?.key === key) return last.whole
    const read = mustFind(artifactsOf(record).get(name), 'artifact', name)
    const value = await read()
    const isText = typeof value === 'string'
    const bytes = Buffer.from(isText ? value : JSON.stringify(value))
    const sha = sha256(bytes)
    const whole = { bytes, mime: isText ? 'application/jsonl' : 'application/json', sha }
    last = { key, whole }
    return whole
  }
}

function assertSees(person: AgentRecord): void {
  if (!canSeeAll(person)) throw new Fault('NOT_ALLOWED', { what: 'look into the directory of other systems' })
}

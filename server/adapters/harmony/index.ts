/**
 * The Harmony face: POST /api/harmony/import, GET /api/harmony/export, POST /api/harmony/handoff, GET
 * /api/harmony/media.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AgentId, asId, type MessageId, type PeerId } from '@/lib/mas/ids'
import { deliveryKey, selectDeliveries } from '@/lib/mas/selectors/outside'
import { EXCESS_WORDS, excessOf } from '../../shared/boundedJson'
import { isCutOff } from '../../shared/http'
import { listPieces, writePieces } from '../../shared/pieces'
import { requestIdOf } from '../../shared/requestId'
import { sha256 } from '../../shared/sha256'
import type { Adapter, AdapterContext, SendResult } from '../adapter'
import { keepEnvelope } from '../exchange'
import { isJson, parseLargeJson, readBody, sendHead, sendJson } from '../http'
import { type HarmonyCaller, harmonyCallerOf, mustBeSigned, type Readable, readable } from './caller'
import { exportTask } from './exportTask'
import { MOST_PACKET_BYTES, sourceUri, takeHandoff } from './handoff'
import { importList, readList } from './importList'
import { MEDIA_PATH, mediaAddress } from './media'
import { HarmonyRefusal } from './refusal'

const PATH = '/api/harmony/'
export const MOST_LIST_BYTES = 10 * 1024 * 1024
/** One JSON.parse of more, each under a key of its own, takes the loop too long. */
export const MOST_LIST_VALUES = 100_000
/** How soon to try again after a refused export. */
const EXPORT_PAUSE_S = 5
/** Takes the body as soon as it is read; throws when it is not signed as it must be. */
type Came = (body: Buffer) => void
type Work = (request: IncomingMessage, response: ServerResponse, caller: HarmonyCaller, came: Came) => Promise<void>
type Delivery = ReturnType<typeof selectDeliveries>[number]
type Route = { method: 'GET' | 'POST'; work: Work }

export function openHarmonyAdapter(context: AdapterContext): Adapter {
  const { log, exchange } = context
  /** Whose export is being written: one at a time of each person and each peer. */
  const exporting = new Set<PeerId | AgentId>()
  const routes = new Map<string, Route>([
    [`${PATH}import`, { method: 'POST', work: takeList }],
    [`${PATH}export`, { method: 'GET', work: giveList }],
    [`${PATH}handoff`, { method: 'POST', work: takePacket }],
    [MEDIA_PATH, { method: 'GET', work: giveFile }],
  ])

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    let caller: HarmonyCaller | null = null
    let body: Buffer | null = null
    try {
      const route = routes.get(path)
      if (!route) throw new HarmonyRefusal('not_found', `There is no ${path.slice(0, 200)}.`)
      if (request.method !== route.method) {
        response.setHeader('Allow', route.method)
        throw new HarmonyRefusal('method_not_allowed', `Only ${route.method} is answered here.`)
      }
      const known = await harmonyCallerOf(context, request)
      caller = known
      if (route.method === 'GET') mustBeSigned(context, known, request, NO_BODY)
      await route.work(request, response, known, (bytes) => {
        body = bytes
        mustBeSigned(context, known, request, bytes)
      })
    } catch (error) {
      const isOurs = !(error instanceof HarmonyRefusal)
      if (isOurs && !isCutOff(request))
        log.error(
          { err: error, path, request: requestIdOf(request) },
          'a Harmony request failed for a reason nobody foresaw',
        )
      const refusal = isOurs
        ? new HarmonyRefusal('internal_error', 'Something went wrong here. It was recorded.')
        : error
      await refuse(request, response, { caller, body }, refusal)
    }
  }

  /** Of a peer that is known, a call that would have changed something leaves a line; whoever is not known is counted. */
  async function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { caller, body }: { caller: HarmonyCaller | null; body: Buffer | null },
    refusal: HarmonyRefusal,
  ): Promise<void> {
    let said = refusal
    if (caller?.kind === 'peer' && request.method === 'POST') {
      const line = { protocol: 'harmony' as const, theirs: null, verdict: refusal.code, status: refusal.status }
      const envelope = body ?? (Number(request.headers['content-length'] ?? '0') || 0)
      await exchange.note({ peer: caller.peer, ...line, why: refusal.message, envelope })
    } else if (caller === null) {
      exchange.countRefused('harmony', refusal.code)
      const seconds = refusal.code === 'unauthorized' ? await exchange.tooManyRefused(request) : 0
      if (seconds > 0)
        said = new HarmonyRefusal('too_many', `Too many tries. Try again in ${seconds} s.`, null, seconds)
    }
    const { retryAfter } = said
    sendJson(response, said.status, said, retryAfter === null ? {} : { 'Retry-After': String(retryAfter) })
  }

  async function takeList(
    request: IncomingMessage,
    response: ServerResponse,
    caller: HarmonyCaller,
    came: Came,
  ): Promise<void> {
    const { value, bytes } = await bodyOf(request, MOST_LIST_BYTES, came)
    const read = await readList(value)
    const world = context.engine.world()
    if (caller.kind === 'person')
      return sendJson(response, 200, await importList(context, { person: caller.person }, read, false))
    const { peer } = caller
    const [sha, body] = [sha256(bytes), await keepEnvelope(context.bodies, bytes)]
    const from = {
      peer,
      uri: sourceUri(world, peer, ''),
      theirs: keyOf(request) ?? `list-${sha}`,
      bytes: bytes.length,
      sha,
      body,
    }
    sendJson(response, 200, await importList(context, from, read, world.peers[peer]?.allowPrivate ?? false))
  }

  async function takePacket(
    request: IncomingMessage,
    response: ServerResponse,
    caller: HarmonyCaller,
    came: Came,
  ): Promise<void> {
    const { value, bytes } = await bodyOf(request, MOST_PACKET_BYTES, came)
    sendJson(response, 200, await takeHandoff(context, caller, { value, bytes, key: keyOf(request) }))
  }

  async function giveList(request: IncomingMessage, response: ServerResponse, caller: HarmonyCaller): Promise<void> {
    const query = queryOf(request)
    const named = { conversation: query.get('conversation_id'), task: query.get('task_id') }
    const found = await readable(context, caller, named)
    const reader = caller.kind === 'peer' ? caller.peer : caller.person
    if (exporting.has(reader)) {
      const words = 'An export of yours is still on its way. Ask again when it has come.'
      throw new HarmonyRefusal('too_many', words, null, EXPORT_PAUSE_S)
    }
    exporting.add(reader)
    try {
      const due = caller.kind === 'peer' ? deliveriesIn(found) : []
      const list = exportTask(found, context.bodies, mediaAddress(context.ourselves().address, named))
      sendHead(response, 200)
      // Told before the last sign is written: a peer that has the whole list finds it so.
      await writePieces(
        response,
        listPieces(
          followedBy(list, () => markFetched(due)),
          '{"messages":[',
          ']}',
        ),
      )
    } catch (error) {
      // The status is sent: all that is left is to break off, so that nobody takes the part for the whole.
      if (!response.headersSent) throw error
      if (!response.destroyed || !isReaderGone(error)) log.warn({ err: error }, 'an export broke off')
      response.destroy()
    } finally {
      exporting.delete(reader)
    }
  }

  /** This face sends nothing by itself: what waited for the peer is delivered when the peer fetches it. */
  async function markFetched(due: Delivery[]): Promise<void> {
    for (const delivery of due) {
      const { task, message, agent } = delivery
      const sent = { ...WAITS, verdict: 'delivered' as const, status: 200, why: null }
      const { retryAfterMs: _, envelope: __, ...outcome } = sent
      const answer = await context.engine.commit({
        id: context.newId(),
        by: 'system:harmony',
        command: { type: 'finishDelivery', task, message, agent, ...outcome, ...NOTHING_WENT, next: null },
      })
      // Somebody was quicker, which is as good.
      if (!answer.ok) log.info({ delivery: deliveryKey(delivery) }, 'a message was fetched twice at once')
    }
  }

  function deliveriesIn({ conversation, world, task }: Readable): Delivery[] {
    if (conversation?.protocol !== 'harmony') return []
    return selectDeliveries(context.engine.world()).filter(
      (one) => one.conversation === conversation.id && world.messages[task]?.[one.message] !== undefined,
    )
  }

  async function giveFile(request: IncomingMessage, response: ServerResponse, caller: HarmonyCaller): Promise<void> {
    const query = queryOf(request)
    const none = new HarmonyRefusal('not_found', 'There is no such file.')
    const named = { conversation: query.get('conversation_id'), task: query.get('task_id') }
    const { world, task, sight } = await readable(context, caller, named)
    const message = world.messages[task]?.[asId<MessageId>(query.get('message_id') ?? '')]
    const body =
      message && sight.message(message) ? message.attachments[Number(query.get('at') ?? '0')]?.body : undefined
    const kept = body ? await context.bodies.get(body.sha) : undefined
    if (!body || !kept) throw none
    response.writeHead(200, {
      'Content-Type': /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+)$/.test(body.mime)
        ? body.mime
        : 'application/octet-stream',
      'Content-Length': String(kept.bytes.length),
      // Others made it: it is a file to save, never a page of ours.
      'Content-Disposition': 'attachment',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    })
    response.end(kept.bytes)
  }

  return { protocol: 'harmony', paths: [PATH], answer, send: () => Promise.resolve(WAITS) }
}

/** A message of ours stands ready: the peer fetches it by export. */
const WAITS: SendResult = {
  verdict: 'retry',
  by: 'call',
  status: null,
  why: { code: 'toBeFetched' },
  envelope: null,
  shared: null,
  closes: false,
  retryAfterMs: null,
}

const NO_BODY = new Uint8Array()

/** The export tells it among all else. */
const NOTHING_WENT = { bytes: 0, sha: '', body: null }

const MOST_KEY_CHARACTERS = 200

/** The id that the caller gives what it sends; null: the content stands for it. */
function keyOf({ headersDistinct }: IncomingMessage): string | null {
  const key = headersDistinct['idempotency-key']?.join()
  if (key === undefined) return null
  if (key.trim() === '' || key.length > MOST_KEY_CHARACTERS)
    throw new HarmonyRefusal('bad_request', `Idempotency-Key has 1 to ${MOST_KEY_CHARACTERS} characters.`)
  return `key-${key}`
}

/** All items, then something that is done before the end is told. */
async function* followedBy<T>(items: AsyncIterable<T>, last: () => Promise<void>): AsyncGenerator<T> {
  yield* items
  await last()
}

const isReaderGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

const queryOf = (request: IncomingMessage): URLSearchParams => new URL(request.url ?? '/', 'http://here').searchParams

async function bodyOf(request: IncomingMessage, limit: number, came: Came): Promise<{ value: unknown; bytes: Buffer }> {
  if (!isJson(request))
    throw new HarmonyRefusal('not_json', 'The body must be JSON, with Content-Type: application/json.')
  const body = await readBody(request, limit)
  if (!body.ok) throw new HarmonyRefusal('too_large', `The body has at most ${limit} bytes.`)
  came(body.bytes)
  const excess = excessOf(body.bytes, MOST_LIST_VALUES)
  if (excess !== null) {
    const words =
      excess === 'many' ? `holds more than ${MOST_LIST_VALUES.toLocaleString('en')} values` : EXCESS_WORDS[excess]
    throw new HarmonyRefusal('too_large', `The body ${words}.`)
  }
  const value = await parseLargeJson(body.bytes)
  if (value === undefined) throw new HarmonyRefusal('bad_request', 'The body is not JSON in UTF-8.')
  return { value, bytes: body.bytes }
}

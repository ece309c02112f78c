/** The Harmony adapter: import, export, handoff and media under /api/harmony. */
import type { IncomingMessage } from 'node:http'
import { asId, type MessageId } from '@/lib/mas/ids'
import { selectWorkOf } from '@/lib/mas/outside/outsideWork'
import type { TaskReader } from '@/server/otherSystems'
import { bodyContent } from '@/server/shared/bodyText'
import { EXCESS_WORDS, excessOf, parseInTurns } from '@/server/shared/boundedJson'
import { sha256 } from '@/server/shared/sha256'
import type { Adapter, AdapterContext } from '../adapter'
import { keepEnvelope } from '../exchange'
import { searchParamsOf, sendJson } from '../http'
import { type Decoded, type PeerCall, receive } from '../receive'
import type { Refusal } from '../refusal'
import { answerRoutes, type HttpCall } from '../routes'
import { type HarmonyCaller, readable } from './caller'
import { addListToConversation, assertHasUserMessage, listIdOf, partsOfLastUser, readListOptions } from './continueList'
import { MOST_PACKET_BYTES, sourceUri, takeHandoff } from './handoff'
import { importList, readList } from './importList'
import { MEDIA_PATH } from './media'
import { HARMONY, harmonyRefusal } from './refusal'
import { openExports, WAITS } from './serveExport'

const PATH = '/api/harmony/'
const MOST_LIST_BYTES = 10 * 1024 * 1024
/** JSON.parse of more values, each under its own key, blocks the event loop too long. */
const MOST_LIST_VALUES = 100_000
/** Handles an accepted call. value: the query of a GET, the JSON body of a POST */
type Work<Value> = (value: Value, caller: HarmonyCaller, http: HttpCall) => Promise<void>

export function openHarmonyAdapter(context: AdapterContext): Adapter {
  const exports = openExports(context)
  const accept =
    <Value>(decode: (bytes: Buffer, http: HttpCall) => Decoded<Value> | Promise<Decoded<Value>>, work: Work<Value>) =>
    async (http: HttpCall): Promise<Refusal | null> => {
      const codec = { ...HARMONY, decode: (bytes: Buffer) => decode(bytes, http) }
      const rules = {
        decide: (value: Value, call: PeerCall) => work(value, { kind: 'peer', ...call }, http),
        decideForPerson: (value: Value, person: TaskReader) => work(value, { kind: 'person', ...person }, http),
      }
      const reception = await receive(context, codec, rules, http)
      return 'refused' in reception ? reception.refused : null
    }

  async function takeList(value: unknown, caller: HarmonyCaller, { request, response }: HttpCall): Promise<void> {
    const { conversation_id, continue: goesOn } = readListOptions(value)
    const read = await readList(value)
    if (goesOn) assertHasUserMessage(read)
    const asks = goesOn ? { asks: partsOfLastUser(read) } : {}
    if (caller.kind === 'person') {
      if (conversation_id !== null) throw harmonyRefusal('bad_request', 'conversation_id is for other systems.')
      return sendJson(response, 200, await importList(context, { person: caller.person }, read, asks))
    }
    const { peer, bytes } = caller
    if (conversation_id !== null) {
      const theirs = keyOf(request) ?? listIdOf(context.engine.world(), peer.id, conversation_id, sha256(bytes))
      return sendJson(response, 200, await addListToConversation(context, caller, { conversation_id, theirs }, read))
    }
    const [sha, body] = [sha256(bytes), await keepEnvelope(context.bodies, bytes)]
    const theirs = keyOf(request) ?? `list-${sha}`
    const from = { peer: peer.id, uri: sourceUri(peer, ''), theirs, bytes: bytes.length, sha, body }
    const { allowPrivate } = peer
    sendJson(response, 200, await importList(context, from, read, { allowPrivate, ...asks }))
  }

  async function takePacket(value: unknown, caller: HarmonyCaller, { request, response }: HttpCall): Promise<void> {
    sendJson(response, 200, await takeHandoff(context, caller, { value, key: keyOf(request) }))
  }

  /** A file of a message, or with `part` one part of the list as exported. */
  async function giveMedia(query: URLSearchParams, caller: HarmonyCaller, { response }: HttpCall): Promise<void> {
    if (query.has('part')) return exports.part(query, caller, { response })
    const none = harmonyRefusal('not_found', 'There is no such file.')
    const named = { conversation: query.get('conversation_id'), task: query.get('task_id') }
    const { world, task, sight, conversation } = await readable(context, caller, named)
    const id = asId<MessageId>(query.get('message_id') ?? '')
    const work = conversation === null ? [] : selectWorkOf(world, task)
    const message = [task, ...work.map((one) => one.id)].flatMap((owner) => world.messages[owner]?.[id] ?? [])[0]
    const body =
      message && sight.message(message) ? message.attachments[Number(query.get('at') ?? '0')]?.body : undefined
    const kept = body ? await bodyContent(context.bodies, body) : undefined
    if (!body || !kept) throw none
    response.writeHead(200, {
      'Content-Type': /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+)$/.test(body.mime)
        ? body.mime
        : 'application/octet-stream',
      'Content-Length': String(kept.bytes.length),
      // Foreign content is downloaded, never shown as a page of ours.
      'Content-Disposition': 'attachment',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    })
    response.end(kept.bytes)
  }

  return {
    protocol: 'harmony',
    paths: [PATH],
    ...answerRoutes(context, {
      ...HARMONY,
      async keyless(request) {
        const visitor = await context.visitorOf(request)
        return visitor ? { kind: 'person', ...visitor } : undefined
      },
      routes: [
        { path: `${PATH}import`, method: 'POST', limit: MOST_LIST_BYTES, answer: accept(readJson, takeList) },
        { path: `${PATH}export`, method: 'GET', answer: accept(readQuery, exports.export) },
        { path: `${PATH}handoff`, method: 'POST', limit: MOST_PACKET_BYTES, answer: accept(readJson, takePacket) },
        { path: MEDIA_PATH, method: 'GET', answer: accept(readQuery, giveMedia) },
      ],
    }),
    send: () => Promise.resolve(WAITS),
  }
}

const MOST_KEY_CHARACTERS = 200

/** The idempotency key of the caller; null: the content identifies the call. */
function keyOf({ headersDistinct }: IncomingMessage): string | null {
  const key = headersDistinct['idempotency-key']?.join()
  if (key === undefined) return null
  if (key.trim() === '' || key.length > MOST_KEY_CHARACTERS)
    throw harmonyRefusal('bad_request', `Idempotency-Key has 1 to ${MOST_KEY_CHARACTERS} characters.`)
  return `key-${key}`
}

const readQuery = (_: Buffer, { request }: HttpCall): Decoded<URLSearchParams> => ({
  theirs: null,
  value: searchParamsOf(request),
})

async function readJson(bytes: Buffer): Promise<Decoded<unknown>> {
  const excess = excessOf(bytes, MOST_LIST_VALUES)
  if (excess !== null) {
    const words =
      excess === 'many' ? `holds more than ${MOST_LIST_VALUES.toLocaleString('en')} values` : EXCESS_WORDS[excess]
    return { theirs: null, refused: harmonyRefusal('too_large', `The body ${words}.`) }
  }
  const read = await parseInTurns(bytes)
  if (read.ok) return { theirs: null, value: read.value }
  const words = read.why === 'number' ? `The body ${EXCESS_WORDS.number}.` : 'The body is not JSON in UTF-8.'
  return { theirs: null, refused: harmonyRefusal('bad_request', words) }
}

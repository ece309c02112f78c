/** The A2A face: envelopes over HTTP and over a web socket, and the registry of agents. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import * as z from 'zod/mini'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outsideRecords'
import { selectPeers } from '@/lib/mas/selectors/outside'
import { type AnswerEnvelope, type EnvelopeErrorCode, errorEnvelope } from '@/lib/protocols/envelope/envelope'
import { isCutOff, refuseUpgrade } from '../../shared/http'
import { recentMap } from '../../shared/recentMap'
import { requestIdOf } from '../../shared/requestId'
import type { Adapter, AdapterContext } from '../adapter'
import { isJson, parseJson, readBody, sendJson, signatureIn } from '../http'
import { SIGNATURE_HEADER } from '../signatures'
import { refuseUnknownKey } from '../socket'
import { registryOf, uriOfSender } from './callers'
import { openEnvelopeConnections } from './connections'
import { type EnvelopeContext, MOST_STATUSES, receiveEnvelope, stampOf } from './receive'
import { MAX_ENVELOPE_BYTES, MESSAGES_PATH, sendEnvelope } from './send'
import { holdSocket } from './socket'

const AGENTS_PATH = '/a2a/v1/agents'
const MOST_SOCKETS = 200
/** What a call without a body signs. */
const NO_BODY = { ok: true as const, bytes: Buffer.alloc(0) }

const STATUS: Readonly<Record<EnvelopeErrorCode, number>> = {
  invalid_json: 400,
  invalid_envelope: 400,
  unsupported_version: 400,
  unknown_message_type: 400,
  unauthenticated: 401,
  forbidden: 403,
  bad_signature: 401,
  agent_not_found: 404,
  agent_unavailable: 503,
  unknown_action: 400,
  invalid_parameters: 400,
  id_taken: 409,
  too_large: 413,
  too_many: 429,
  failed: 500,
}

const Registration = z.looseObject({
  agent_id: z.string().check(z.minLength(1), z.maxLength(512)),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(80))),
  capabilities: z._default(z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(100)), []),
})

export function openEnvelopeAdapter(shared: AdapterContext): Adapter {
  const context: EnvelopeContext = { ...shared, statuses: recentMap(MOST_STATUSES) }
  const { engine, keys, exchange, log } = context
  const connections = openEnvelopeConnections(context.schedule)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_ENVELOPE_BYTES })
  const ourselves = (): string => context.ourselves().domain

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      const peer = keys.holder(request.headers.authorization)
      if (peer === null) return refuseUnknown(request, response)
      if (path === MESSAGES_PATH) await answerMessage(request, response, peer)
      else if (path === AGENTS_PATH) await answerAgents(request, response, peer)
      else say(response, 404, errorOf('invalid_envelope', `There is no ${path.slice(0, 200)}.`))
    } catch (error) {
      if (!isCutOff(request))
        log.error(
          { err: error, path, request: requestIdOf(request) },
          'an A2A request failed for a reason nobody foresaw',
        )
      say(response, 500, errorOf('failed', 'Something went wrong here. It was recorded.'))
    }
  }

  const errorOf = (code: EnvelopeErrorCode, message: string): AnswerEnvelope =>
    errorEnvelope({ messageId: null, senderId: null }, stampOf(context, ourselves()), { code, message })

  /** What goes back is signed like what comes in. */
  function say(
    response: ServerResponse,
    status: number,
    envelope: AnswerEnvelope,
    peer?: PeerId,
    retryAfter?: number,
  ): void {
    const signature = peer === undefined ? null : keys.sign(peer, JSON.stringify(envelope))
    sendJson(response, status, envelope, {
      ...(signature === null ? {} : { [SIGNATURE_HEADER.a2a]: signature }),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    })
  }

  const tooMany = (seconds: number) => errorOf('too_many', `Too many calls. Try again in ${seconds} s.`)

  /** Nobody knows whose it is: it is counted, and whoever goes on trying is held off. */
  async function refuseUnknown(request: IncomingMessage, response: ServerResponse): Promise<void> {
    exchange.countRefused('a2a', 'unauthenticated')
    const seconds = await exchange.tooManyRefused(request)
    if (seconds > 0) say(response, 429, tooMany(seconds), undefined, seconds)
    else say(response, 401, errorOf('unauthenticated', 'A key is needed: Authorization: Bearer <key>.'))
  }

  async function answerMessage(request: IncomingMessage, response: ServerResponse, peer: PeerId): Promise<void> {
    if (request.method !== 'POST')
      return say(response, 405, errorOf('invalid_envelope', 'Only POST is answered here.'), peer)
    if (!isJson(request)) return say(response, 415, errorOf('invalid_json', 'Content-Type is application/json.'), peer)
    const body = await readBody(request, MAX_ENVELOPE_BYTES)
    if (!body.ok) {
      const message = `A message has at most ${MAX_ENVELOPE_BYTES} bytes.`
      const line = { theirs: null, verdict: 'too_large', why: message, status: 413, envelope: body.bytes }
      await exchange.note({ peer, protocol: 'a2a', ...line })
      return say(response, 413, errorOf('too_large', message), peer)
    }
    const signature = signatureIn(request, 'a2a') ?? null
    const reception = await receiveEnvelope(context, { peer, bytes: body.bytes, signature })
    const status = reception.code === null ? 200 : STATUS[reception.code]
    if (reception.answer === null) sendJson(response, reception.code === null ? 202 : status, {})
    else say(response, status, reception.answer, peer, reception.retryAfter)
  }

  const known = (peer: PeerId): PeerRecord | undefined =>
    selectPeers(engine.world()).find(({ id, may }) => id === peer && may.includes('a2a'))

  async function answerAgents(request: IncomingMessage, response: ServerResponse, id: PeerId): Promise<void> {
    const peer = known(id)
    if (peer === undefined) return say(response, 403, errorOf('forbidden', 'This peer may not use it.'), id)
    const seconds = await exchange.tooMany(id)
    if (seconds > 0) return say(response, 429, tooMany(seconds), id, seconds)
    const isRead = request.method === 'GET'
    if (!isRead && request.method !== 'POST') return say(response, 405, errorOf('invalid_envelope', 'GET or POST.'), id)
    const body = isRead ? NO_BODY : await readBody(request, MAX_ENVELOPE_BYTES)
    if (!body.ok) return say(response, 413, errorOf('too_large', 'A registration is short.'), id)
    const unsigned = keys.signatureProblem(id, body.bytes, signatureIn(request, 'a2a'))
    if (unsigned !== null) return say(response, 401, errorOf('bad_signature', unsigned), id)
    if (isRead) {
      const wished = new URL(request.url ?? '/', 'http://localhost').searchParams.get('capability')
      return sendJson(response, 200, { agents: registryOf(context, peer, wished, connections.isConnected) })
    }
    const wish = Registration.safeParse(parseJson(body.bytes))
    if (!wish.success) {
      return say(
        response,
        400,
        errorOf('invalid_parameters', 'agent_id is needed; capabilities is a list of texts.'),
        id,
      )
    }
    const uri = uriOfSender(peer, wish.data.agent_id)
    if (uri === null) return say(response, 403, errorOf('forbidden', 'That agent is not of this peer.'), id)
    const { name = null, capabilities } = wish.data
    const command = { type: 'registerOutside' as const, peer: id, uri, name, capabilities }
    const committed = await engine.commit({ id: context.newId(), by: 'system:a2a', command })
    if (!committed.ok) return say(response, 403, errorOf('forbidden', committed.fault.message), id)
    const line = registryOf(context, peer, null, connections.isConnected).find((one) => one.uri === uri)
    sendJson(response, 201, { agent: line })
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const peer = keys.holder(request.headers.authorization)
    if (peer === null) {
      exchange.countRefused('a2a', 'unauthenticated')
      void refuseUnknownKey(exchange, request, socket)
    } else if (known(peer) === undefined) refuseUpgrade(socket, '403 Forbidden')
    else if (sockets.clients.size >= MOST_SOCKETS) refuseUpgrade(socket, '503 Service Unavailable')
    else {
      const isSigned = keys.signatureProblem(peer, NO_BODY.bytes, signatureIn(request, 'a2a')) === null
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        holdSocket({ context, connections, socket: webSocket, peer, isSigned, record: () => known(peer) }),
      )
    }
  }

  return {
    protocol: 'a2a',
    paths: ['/a2a/v1/'],
    answer,
    upgrade,
    send: (sending) => sendEnvelope(context, connections, sending),
    async close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

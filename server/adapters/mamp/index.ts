/** The MAMP face: POST /mamp/v1/messages, GET /mamp/v1/card. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type MampError, type MampReceipt, mampError } from '@/lib/protocols/mamp'
import { isCutOff } from '../../shared/http'
import { requestIdOf } from '../../shared/requestId'
import type { Adapter, AdapterContext } from '../adapter'
import { isJson, readBody, sendJson, signatureIn } from '../http'
import { cardOf, MAX_MESSAGE_BYTES } from './card'
import { mampSenderOf, receiveMamp } from './receive'
import { sendMamp } from './send'
import { streamAnswers } from './stream'

const MESSAGES = '/mamp/v1/messages'
const CARD = '/mamp/v1/card'

export function openMampAdapter(context: AdapterContext): Adapter {
  const { log, exchange } = context

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      if (path === CARD) answerCard(request, response)
      else if (path === MESSAGES) await answerMessage(request, response)
      else refuse(response, mampError('not_found', `There is no ${path.slice(0, 200)}.`))
    } catch (error) {
      if (!isCutOff(request))
        log.error(
          { err: error, path, request: requestIdOf(request) },
          'a MAMP request failed for a reason nobody foresaw',
        )
      refuse(response, mampError('internal_error', 'Something went wrong here. It was recorded.'))
    }
  }

  function answerCard(request: IncomingMessage, response: ServerResponse): void {
    const card = cardOf(context.engine.world(), context.ourselves())
    if (request.method !== 'GET') refuse(response, wrongMethod('GET'), { Allow: 'GET' })
    else if (card === null) refuse(response, mampError('unavailable', 'Nobody answers here yet.'))
    else sendJson(response, 200, card)
  }

  async function answerMessage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return refuse(response, wrongMethod('POST'), { Allow: 'POST' })
    const sender = mampSenderOf(context, request.headers.authorization)
    if ('error' in sender) return refuseUnknown(request, response, sender)
    if (!isJson(request)) {
      return refuse(response, mampError('not_json', 'The body must be JSON, with Content-Type: application/json.'))
    }
    const body = await readBody(request, MAX_MESSAGE_BYTES)
    if (!body.ok) {
      const tooLarge = mampError('message_too_large', `A message has at most ${MAX_MESSAGE_BYTES} bytes.`)
      const { error: verdict, message: why, status_code: status } = tooLarge
      if (sender.peer === null) exchange.countRefused('mamp', verdict)
      else
        await exchange.note({
          ...{ peer: sender.peer, protocol: 'mamp', theirs: null, verdict, why, status, envelope: body.bytes },
        })
      return refuse(response, tooLarge)
    }
    const reception = await receiveMamp(context, sender, body.bytes, signatureIn(request, 'mamp'))
    if ('refused' in reception) {
      const { refused, retryAfter } = reception
      return refuse(response, refused, retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) })
    }
    const { taken } = reception
    const received: MampReceipt = { conversation_id: taken.shared, message_id: taken.messageId, status: 'received' }
    if (/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) streamAnswers(context, response, taken, received)
    else sendJson(response, 200, received)
  }

  /** Nobody knows whose it is: it is counted, and whoever goes on trying is held off. */
  async function refuseUnknown(request: IncomingMessage, response: ServerResponse, refused: MampError): Promise<void> {
    exchange.countRefused('mamp', refused.error)
    const seconds = await exchange.tooManyRefused(request)
    const tooMany = mampError('too_many', `Too many tries. Try again in ${seconds} s.`)
    if (seconds === 0) refuse(response, refused)
    else refuse(response, tooMany, { 'Retry-After': String(seconds) })
  }

  return { protocol: 'mamp', paths: ['/mamp/'], answer, send: (sending) => sendMamp(context, sending) }
}

const wrongMethod = (method: string): MampError => mampError('method_not_allowed', `Only ${method} is answered here.`)

const refuse = (response: ServerResponse, error: MampError, headers: Record<string, string> = {}): void =>
  sendJson(response, error.status_code, error, headers)

/** The MAMP adapter: POST /mamp/v1/messages, GET /mamp/v1/card. */
import type { MampReceipt } from '@/lib/protocols/mamp'
import type { Adapter, AdapterContext } from '../adapter'
import { sendJson } from '../http'
import { receive } from '../receive'
import type { Refusal } from '../refusal'
import { answerRoutes, type HttpCall } from '../routes'
import { cardOf, MAX_MESSAGE_BYTES } from './card'
import { MAMP, mampRefusal, mampRules } from './receive'
import { sendMamp } from './send'
import { streamAnswers } from './stream'

export function openMampAdapter(context: AdapterContext): Adapter {
  const rules = mampRules(context)

  async function answerCard({ response }: HttpCall): Promise<null> {
    const card = cardOf(context.engine.world(), context.ourselves())
    if (card === null) throw mampRefusal('unavailable', 'Nobody answers here yet.')
    sendJson(response, 200, card)
    return null
  }

  async function answerMessage({ request, response, ...call }: HttpCall): Promise<Refusal | null> {
    const reception = await receive(context, MAMP, rules, call)
    if ('refused' in reception) return reception.refused
    const { outcome: taken } = reception
    const received: MampReceipt = { conversation_id: taken.shared, message_id: taken.messageId, status: 'received' }
    if (/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) streamAnswers(context, response, taken, received)
    else sendJson(response, 200, received)
    return null
  }

  return {
    protocol: 'mamp',
    paths: ['/mamp/'],
    answer: answerRoutes(context, {
      ...MAMP,
      keyless: async () => (context.ourselves().requireAuth ? undefined : null),
      routes: [
        { path: '/mamp/v1/card', method: 'GET', isPublic: true, answer: answerCard },
        { path: '/mamp/v1/messages', method: 'POST', limit: MAX_MESSAGE_BYTES, answer: answerMessage },
      ],
    }),
    send: (sending) => sendMamp(context, sending),
  }
}

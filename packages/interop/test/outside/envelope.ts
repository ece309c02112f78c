/** A requester that speaks the envelope: over HTTP with an address of its own, or over one web socket. */
import { strict as assert } from 'node:assert'
import { WebSocket } from 'ws'
import * as z from 'zod'
import type { Listener } from './listener'
import { found, type Place, wishFor } from './place'
import type { Heard, Requester } from './play'

type Options = {
  key: string
  folder: string
  /** Its address; null: it is reached on the socket that it holds. */
  listener: Listener | null
}

const Facts = z.object({
  task_status: z.string().optional(),
  text: z.string().optional(),
  question: z.string().optional(),
  attachments: z.array(z.object({ name: z.string(), data: z.string() })).default([]),
})
const Envelope = z.object({
  message_id: z.string(),
  message_type: z.string(),
  sender_id: z.string(),
  payload: z.object({
    action: z.string().optional(),
    event_name: z.string().optional(),
    event_data: Facts.optional(),
    parameters: Facts.optional(),
  }),
  metadata: z.object({ correlation_id: z.string().optional() }).optional(),
})

export function envelopeRequester(place: Place, { key, folder, listener }: Options): Requester {
  const [request, sender] = [`${folder}-request`, 'planner']
  const came: string[] = []
  let socket: WebSocket | null = null
  const envelope = (message_id: string, more: object): string =>
    JSON.stringify({
      protocol_version: '1.0',
      message_id,
      timestamp: '2026-11-21T10:00:00Z',
      sender_id: sender,
      receiver_id: 'manager',
      message_type: 'request',
      ...more,
    })
  const post = (body: string): ReturnType<Place['call']> =>
    place.call('/envelope/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body,
    })
  let greetings = 0
  async function reach(): Promise<void> {
    if (listener !== null) return
    socket?.terminate()
    socket = await found(
      () => 'the socket',
      () => openSocket(`${place.url().replace('http', 'ws')}/envelope/v1/ws`, key, (text) => came.push(text)),
    )
    greetings += 1
    // An agent that has spoken on a socket is spoken to on it.
    socket.send(
      envelope(`${folder}-hello-${greetings}`, {
        payload: { action: 'get_status', parameters: {} },
        receiver_id: 'manager',
      }),
    )
  }
  return {
    name: `envelope over ${listener === null ? 'a web socket' : 'HTTP'}`,
    folder,
    request,
    reach,
    close: () => socket?.terminate(),
    async ask() {
      await reach()
      const payload = { action: '执行任务', parameters: { goal: wishFor(folder) } }
      const { json, text } = await post(envelope(request, { payload }))
      assert.deepEqual(
        [json.message_type, Reflect.get(Object(json.payload), 'status')],
        ['response', 'in_progress'],
        text,
      )
    },
    async heard() {
      const texts = listener === null ? came : listener.got.map(({ body }) => body)
      const all = texts.flatMap((text) => Envelope.safeParse(JSON.parse(text)).data ?? [])
      const said = all.filter(({ message_type }) => message_type === 'request' || message_type === 'event')
      return [...new Map(said.flatMap((one) => heardOf(one) ?? []).map((one) => [one.id, one])).values()]
    },
    async answer({ id, from }, answer) {
      const { status, text } = await post(
        envelope(`${folder}-answer`, {
          message_type: 'response',
          receiver_id: from,
          payload: { status: 'success', result: { answer } },
          metadata: { correlation_id: id },
        }),
      )
      assert.equal(status, 202, text)
    },
  }
}

/** Messages to it; events that everybody gets are none. */
function heardOf({ message_id, sender_id, payload, metadata }: z.output<typeof Envelope>): Heard | null {
  const { task_status, text, question, attachments = [] } = payload.event_data ?? payload.parameters ?? {}
  if (payload.action !== 'ask' && payload.event_name !== 'message' && task_status === undefined) return null
  return {
    id: message_id,
    status: task_status ?? null,
    about: metadata?.correlation_id ?? null,
    from: sender_id,
    text: question ?? text ?? '',
    files: attachments.map(({ name, data }) => ({ name, text: Buffer.from(data, 'base64').toString() })),
  }
}

/** in: take: called with each text, from the first on. out: null: nobody listens there */
function openSocket(address: string, key: string, take: (text: string) => void): Promise<WebSocket | null> {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
  socket.on('message', (data) => take(String(data)))
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket)).on('error', () => resolve(null))
  })
}

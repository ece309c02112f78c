/** A requester that speaks MAMP: it posts messages, and takes ours at an address of its own. */
import { strict as assert } from 'node:assert'
import { MAMP_VERSION, type MampMessage, type MampPart } from '../../protocols/mamp/message'
import type { Listener } from './listener'
import { LISTS, MANAGER, type Place, wishFor } from './place'
import type { Heard, Requester } from './play'

type Options = {
  key: string
  /** Its own URI. */
  uri: string
  /** Its address: what it is sent. */
  listener: Listener
  folder: string
  /** Its lists come with the request; else they lie in the folder. */
  sendsLists?: boolean
}

export function mampRequester(place: Place, { key, uri, listener, folder, sendsLists = false }: Options): Requester {
  const request = `${folder}-request`
  let conversation = ''
  async function post(more: Pick<MampMessage, 'message_id' | 'content'> & Partial<MampMessage>): Promise<void> {
    const message: MampMessage = {
      protocol: MAMP_VERSION,
      from: uri,
      to: MANAGER,
      metadata: { timestamp: '2026-03-04T10:00:00Z' },
      ...more,
    }
    const { status, json, text } = await place.call('/mamp/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(message),
    })
    assert.equal(status, 200, text)
    conversation = String(json.conversation_id)
  }
  const lists = Object.entries(LISTS).map(
    ([name, text]): MampPart => ({
      type: 'file',
      name,
      mime_type: 'text/csv',
      source: { type: 'base64', media_type: 'text/csv', data: Buffer.from(text).toString('base64') },
    }),
  )
  return {
    name: 'MAMP',
    folder,
    request,
    ask: () =>
      post({
        message_id: request,
        content: sendsLists
          ? [{ type: 'text', text: 'Compare these lists and write a report' }, ...lists]
          : wishFor(folder),
      }),
    async heard() {
      const messages = listener.got.map(({ body }): MampMessage => JSON.parse(body))
      const own = messages.filter(({ conversation_id, to }) => conversation_id === conversation && to === uri)
      return [...new Map(own.map((message) => [message.message_id, heardOf(message)])).values()]
    },
    async answer({ id }, content) {
      const question = listener.got
        .map(({ body }): MampMessage => JSON.parse(body))
        .find(({ message_id }) => message_id === id)
      assert.equal(question?.metadata.need_reply, true)
      await post({ message_id: `${folder}-answer`, conversation_id: conversation, content })
    },
    reach: () => Promise.resolve(),
    close: () => {},
  }
}

function heardOf({ message_id, from, content, metadata }: MampMessage): Heard {
  const { task_status, in_reply_to } = metadata
  const parts: MampPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return {
    id: message_id,
    status: typeof task_status === 'string' ? task_status : null,
    about: in_reply_to ?? null,
    from,
    text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n'),
    files: parts.flatMap((part) =>
      part.type === 'file' && part.source.type === 'base64'
        ? { name: part.name, text: Buffer.from(part.source.data, 'base64').toString() }
        : [],
    ),
  }
}

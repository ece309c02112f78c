/** A requester that speaks Harmony: it brings a packet or a list, and fetches the conversation to see what was said. */
import { strict as assert } from 'node:assert'
import * as z from 'zod'
import { type Place, wishFor } from './place'
import type { Heard, Requester } from './play'

type Options = {
  key: string
  folder: string
  /** A handoff packet, or a list to continue from. */
  by: 'handoff' | 'import'
}

/** What was said to it, by an agent of ours: of what its own list held, no message has a task or a receiver. */
const Item = z.object({
  id: z.string(),
  role: z.literal('assistant'),
  name: z.string(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  metadata: z.object({ task_status: z.string().optional(), to: z.array(z.string()) }),
})
type Item = z.output<typeof Item>
/** A file as a line: its name, and the path at which it is fetched. */
const FILE = /\[([^\]]+)\]\(<[^>]*?(\/api\/harmony\/media\?[^>]+)>\)/g

export function harmonyRequester(place: Place, { key, folder, by }: Options): Requester {
  const headers = { authorization: `Bearer ${key}` }
  let conversation = ''
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const { status, json, text } = await place.call(`/api/harmony/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(status, 200, text)
    return json
  }
  /** The files are fetched where a message names them. */
  async function heardOf({ id, name, content, metadata }: Item): Promise<Heard> {
    const text = content.map((part) => part.text).join('\n')
    const files = [...text.matchAll(FILE)].map(async ([, file = '', path = '']) => ({
      name: file,
      text: (await place.call(path, { headers })).text,
    }))
    return {
      id,
      status: metadata.task_status ?? null,
      about: null,
      from: name,
      text,
      files: await Promise.all(files),
    }
  }
  return {
    name: `Harmony by ${by}`,
    folder,
    request: null,
    async ask() {
      const begin = () =>
        by === 'handoff'
          ? post('handoff', packetFor(folder))
          : post('import', { messages: listFor(folder), continue: true })
      conversation = String((await begin()).conversation_id)
      // The same once more is the same conversation, and asks for nothing more.
      assert.equal((await begin()).conversation_id, conversation)
    },
    async heard() {
      const { json } = await place.call(`/api/harmony/export?conversation_id=${conversation}`, { headers })
      const items = Array.isArray(json.messages) ? json.messages : []
      return Promise.all(items.flatMap((item) => Item.safeParse(item).data ?? []).map(heardOf))
    },
    async answer(_, content) {
      await post('import', { conversation_id: conversation, messages: [{ role: 'user', content }] })
    },
    reach: () => Promise.resolve(),
    close: () => {},
  }
}

const packetFor = (folder: string) => ({
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: 'planner', target_agent: 'manager', timestamp: '2026-03-04T10:00:00Z' },
  context: {
    primary_objective: wishFor(folder),
    status: 'in_progress',
    completed_steps: ['the lists are there'],
    next_immediate_step: 'compare them',
    constraints: [],
    artifacts: {},
  },
})

const listFor = (folder: string) => [
  { role: 'user', name: 'Mia', content: 'We have two price lists.' },
  { role: 'assistant', name: 'Planner', content: 'Which ones?' },
  { role: 'user', name: 'Mia', content: wishFor(folder) },
]

/**
 * A walk over every route of the OpenAPI document, every view of the socket and every endpoint of the adapters, with every id
 * that the system knows: a stranger, a participant outside of the task and a foreign peer find nothing of others. A new route,
 * view or adapter is walked as soon as it is there.
 */
import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { PROTOCOLS, type Protocol } from '@/lib/mas/outsideRecords'
import { METHODS } from '@/lib/protocols/map/trajectory'
import { type ParsedView, parseView, type ServerEvent } from '@/lib/wire/views'
import {
  COMMON,
  HIDDEN,
  isForAll,
  isWhole,
  KEYS,
  openWalk,
  PLACES,
  placesIn,
  THOUGHT,
  WALK_LEE,
  type Walked,
} from './test/walkWorld'
import { ID } from './test/world'

type JsonSchema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  minimum?: number
  pattern?: string
  format?: string
}
type Route = {
  method: string
  path: string
  isOpen: boolean
  params: string[]
  query: JsonSchema
  body: JsonSchema | null
}
type Call = { route: Route; path: string; body?: unknown }
type Answer = { status: number; text: string }

const schemaOf = (schema: unknown): JsonSchema =>
  schema instanceof z.ZodType
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() }) as JsonSchema)
    : {}

function routesOf({ gateway }: Walked): Route[] {
  return gateway.app.openAPIRegistry.definitions.flatMap((definition): Route[] => {
    if (definition.type !== 'route') return []
    const { method, path, request, security } = definition.route
    const content = request?.body?.content['application/json']
    return [
      {
        ...{ method: method.toUpperCase(), path, isOpen: (security ?? []).length === 0 },
        params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        query: schemaOf(request?.query),
        body: content === undefined ? null : schemaOf('schema' in content ? content.schema : null),
      },
    ]
  })
}

/** What a parameter of the path stands for, where it is no id. A name that is not here is given every id. */
const PARAMS: Record<string, (walked: Walked) => string[]> = {
  at: () => ['0'],
  key: ({ few }) => few.map((id) => `task:${id}`),
  name: () => ['metadata', 'goal', 'transcript'],
  place: ({ few }) => [...few.map((id) => `task:${id}`), `direct:${ID.ana}`],
  seq: ({ world }) => Object.values(world().exchange).flatMap((lines) => lines.map(({ seq }) => String(seq))),
}
/** What a question in the address asks, where every id would find nothing. */
const QUERIES: Record<string, string[]> = { q: [COMMON, ...PLACES] }

/** Fields of a body that must fit together; a name that is not here is made of its schema. */
const FIELDS: Record<string, () => unknown> = {
  id: randomUUID,
  until: () => Date.UTC(2030, 0),
  task: () => ID.base,
  task_id: () => ID.base,
  receivers: () => [ID.manager],
  receiver: () => [ID.manager],
  human_agent_id: () => 'lee',
  uri: () => 'agent://east.example/*',
  server: () => 'files',
  tool: () => 'write_file',
  base64: () => '',
  mime: () => 'text/plain',
  endpoint: () => 'https://push.example/1',
}

function madeOf(schema: JsonSchema, name = ''): unknown {
  const own = FIELDS[name]
  if (own !== undefined) return own()
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return madeOf(either.find(({ type }) => type === 'null') ?? either[0] ?? {}, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, madeOf(schema.properties?.[key] ?? {}, key)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => madeOf(schema.items ?? {}))
    case 'string':
      return schema.pattern?.includes('[0-9a-f]{64}') ? 'f'.repeat(64) : 'a walk'
    case 'number':
    case 'integer':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return false
    default:
      return null
  }
}

/** The places in a body where an id might stand, each as a way to put one there. */
function placesFor(schema: JsonSchema): ((body: object, id: string) => object)[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'id' || name === 'until') return []
    const forms = [field, ...(field.anyOf ?? []), ...(field.oneOf ?? [])]
    const holds = (test: (form: JsonSchema) => boolean) => forms.some(test)
    const isText = (form: JsonSchema) => form.type === 'string' && form.enum === undefined && form.const === undefined
    return [
      ...(holds(isText) ? [(body: object, id: string) => ({ ...body, [name]: id })] : []),
      ...(holds(({ type, items }) => type === 'array' && isText(items ?? {}))
        ? [(body: object, id: string) => ({ ...body, [name]: [id] })]
        : []),
    ]
  })
}

const addressesOf = (walked: Walked, { path, params }: Route): string[] =>
  params.reduce<string[]>(
    (paths, name) =>
      paths.flatMap((one) =>
        (PARAMS[name]?.(walked) ?? walked.ids).map((value) => one.replace(`{${name}}`, encodeURIComponent(value))),
      ),
    [path],
  )

/** Every choice of the address, alone and with each id in each question that takes a text. */
function queriesOf({ few: ids }: Walked, { query }: Route): string[] {
  const fields = Object.entries(query.properties ?? {})
  const choices = fields.filter(([, field]) => field.enum !== undefined)
  const texts = fields.filter(([, field]) => field.type === 'string' && field.enum === undefined)
  const bases = choices.reduce<string[]>(
    (all, [name, field]) =>
      all.flatMap((one) => [
        ...(query.required?.includes(name) ? [] : [one]),
        ...(field.enum ?? []).map((value) => `${one}&${name}=${value}`),
      ]),
    [''],
  )
  const needed = texts.filter(([name]) => query.required?.includes(name))
  const asked = texts.flatMap(([name]) => (QUERIES[name] ?? ids).map((id) => `&${name}=${encodeURIComponent(id)}`))
  return bases.flatMap((base) => [...(needed.length === 0 ? [base] : []), ...asked.map((one) => `${base}${one}`)])
}

const readsOf = (walked: Walked, routes: readonly Route[]): Call[] =>
  routes
    .filter(({ method }) => method === 'GET')
    .flatMap((route) => {
      const [addresses, queries] = [addressesOf(walked, route), queriesOf(walked, route)]
      const [plain = '', ...asked] = queries
      const [first = ''] = addresses
      // Each id in the address, and each in each question.
      return [
        ...addresses.map((path) => ({ route, path: `${path}?${plain.slice(1)}` })),
        ...asked.map((query) => ({ route, path: `${first}?${query.slice(1)}` })),
      ]
    })

/** Whatever ends a session, or counts tries of one, comes last. */
const isLast = ({ path, isOpen }: Route): boolean =>
  isOpen || path.startsWith('/api/sessions') || path.endsWith('/password')

/** By route, each alone: which of them changed something is known by it. */
const writesOf = (walked: Walked, routes: readonly Route[]): Call[][] =>
  routes
    .filter(({ method }) => method !== 'GET')
    .sort((a, b) => Number(isLast(a)) - Number(isLast(b)))
    .map((route) => {
      const { body } = route
      const made = (): object => (body === null ? {} : (madeOf(body) as object))
      const alone = addressesOf(walked, route).map((path) => ({ route, path, body: made() }))
      const path = route.params.reduce(
        (one, name) => one.replace(`{${name}}`, PARAMS[name]?.(walked)[0] ?? ID.base),
        route.path,
      )
      const named = isLast(route)
        ? []
        : placesFor(body ?? {}).flatMap((put) => walked.few.map((id) => ({ route, path, body: put(made(), id) })))
      return [...alone, ...named]
    })

type Headers = Record<string, string>
async function say({ url }: Walked, { route, path, body }: Call, headers: Headers): Promise<Answer> {
  const content = route.method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
  const answer = await fetch(url + path, {
    ...{ method: route.method, redirect: 'manual', ...content },
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, text: await answer.text() }
}

const AT_ONCE = 16
async function inTurn<T>(all: readonly T[], atOnce: number, act: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = rest.next(); !next.done; next = rest.next()) await act(next.value)
    }),
  )
}

/** What was found of the private words: which, by which calls, one of each as it was. */
type Found = Record<string, string>
const nameOf = ({ method, path }: Route): string => `${method} ${path}`

function findings() {
  const found: Found = {}
  return {
    found,
    look(where: string, example: string, text: string): void {
      for (const place of placesIn(text)) found[`${place} by ${where}`] ??= example.slice(0, 300)
    },
  }
}

/** out: what was found, and how often each status was answered */
async function read(walked: Walked, calls: readonly Call[], headers: Headers) {
  const { found, look } = findings()
  const statuses = new Map<number, number>()
  await inTurn(calls, AT_ONCE, async (call) => {
    const { status, text } = await say(walked, call, headers)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    look(nameOf(call.route), call.path, text)
  })
  return { found, statuses }
}

/** Routes by which a participant may change something that is theirs: what they change is read afterwards. */
const MAY_CHANGE: Record<string, string> = {
  'POST /api/messages': 'whom they may write to',
  'POST /api/send_message': 'whom they may write to',
  'POST /api/work': 'work for themselves',
  'POST /api/receipts': 'what was put to them',
}

/** out: what was found; the routes that changed the journal though nobody may do that; those whose body never fitted */
async function write(walked: Walked, calls: readonly Call[][], headers: Headers) {
  const { found, look } = findings()
  const [moved, unfit]: [string[], string[]] = [[], []]
  for (const ofRoute of calls) {
    const [first] = ofRoute
    if (first === undefined) continue
    const name = nameOf(first.route)
    const before = walked.world().seq
    const misfits: string[] = []
    await inTurn(ofRoute, AT_ONCE, async (call) => {
      const { status, text } = await say(walked, call, headers)
      look(name, `${call.path} ${JSON.stringify(call.body)}`, text)
      if (status === 400) misfits.push(text)
    })
    if (walked.world().seq !== before && MAY_CHANGE[name] === undefined) moved.push(name)
    // A body that a route never takes would walk past what stands behind it.
    if (misfits.length === ofRoute.length) unfit.push(`${name}: ${misfits[0]}`)
  }
  return { found, moved, unfit }
}

/** Every view of each kind. */
const VIEWS = {
  task: (id) => [`task:${id}`],
  agent: (id) => [`agent:${id}`],
  step: (id) => [`step:${id}`],
  me: () => ['me'],
  overview: () => ['overview'],
  agents: () => ['agents'],
  waits: () => ['waits'],
  direct: () => ['direct'],
  talk: (id) => [`direct:${id}`, `direct:${id}/all`, `direct:${id}@1000`, `direct:${id}/all@1000`],
  tree: (id) => [
    `tree:${id}`,
    `tree:${id}/-/${ID.reader}@1000`,
    `tree:${HIDDEN}/-/${id}@1000`,
    `tree:${HIDDEN}/${id}/${ID.reader}@1000`,
  ],
} satisfies Record<ParsedView['kind'], (id: string) => string[]>

const EVENTS = ['reset', 'frame', 'closed', 'beat', 'ephemeral', 'signedOut'] as const satisfies ServerEvent[]

/** out: the kinds of views that were answered, what was found in any frame; null: the socket was refused */
async function look(walked: Walked, headers: Headers) {
  const views = [...new Set(Object.values(VIEWS).flatMap((viewsOf) => walked.ids.flatMap(viewsOf)))]
  const asked = views.filter((view) => parseView(view) !== null)
  const socket = io(walked.url, {
    ...{ path: '/socket.io', transports: ['websocket'], reconnection: false, forceNew: true, extraHeaders: headers },
  })
  onTestFinished(() => void socket.disconnect())
  const isIn = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('connect_error', () => resolve(false))
  })
  if (!isIn) return null
  const { found, look: lookAt } = findings()
  const answered = new Set<string>()
  for (const event of EVENTS) {
    socket.on(event, (frame: { sub?: string }) => {
      const view = asked[Number(frame.sub)] ?? ''
      lookAt(`${event} ${parseView(view)?.kind ?? ''}`, view, JSON.stringify(frame))
      if ((event === 'reset' || event === 'closed') && frame.sub !== undefined) answered.add(frame.sub)
    })
  }
  // A page holds 100 places: each is left again.
  for (let at = 0; at < asked.length; at += 50) {
    const some = asked.slice(at, at + 50).map((view, n) => ({ sub: `${at + n}`, asked: 1, view }))
    for (const one of some) socket.emit('subscribe', one)
    await expect.poll(() => some.every(({ sub }) => answered.has(sub)), { timeout: 5_000, interval: 2 }).toBe(true)
    for (const { sub } of some) socket.emit('unsubscribe', { sub })
  }
  // Streaming text of a step, and a place that stays: whoever may hear it does so at once.
  socket.emit('follow', { steps: [THOUGHT] })
  socket.emit('subscribe', { sub: 'last', asked: 1, view: 'me' })
  await expect.poll(() => answered.has('last'), { timeout: 5_000, interval: 2 }).toBe(true)
  walked.streamed()
  socket.emit('subscribe', { sub: 'after', asked: 1, view: 'me' })
  await expect.poll(() => answered.has('after'), { timeout: 5_000, interval: 2 }).toBe(true)
  socket.disconnect()
  return { found, views: asked.length, kinds: new Set(asked.map((view) => parseView(view)?.kind)) }
}
// What a peer may say

const from = 'agent://west.example/stranger'
const asks = (payload: object, more: object = {}) => ({
  ...{ protocol_version: '1.0', message_id: randomUUID(), timestamp: '2026-11-21T10:00:00Z', message_type: 'request' },
  ...{ sender_id: from, receiver_id: 'reader', payload, ...more },
})
type Said = { method: 'GET' | 'POST'; path: string; body?: unknown }
const said = (path: string, body: unknown): Said => ({ method: 'POST', path, body })

/** Every endpoint of each adapter over HTTP, with an id wherever one may stand. */
const ENDPOINTS: Record<Protocol, (id: string) => Said[]> = {
  mamp: (id) => {
    const message = (more: object, metadata: object = {}) =>
      said('/mamp/v1/messages', {
        ...{
          protocol: 'mamp/1.0',
          message_id: randomUUID(),
          from,
          to: 'agent://ours.example/reader',
          content: 'a walk',
        },
        ...{ metadata: { timestamp: '2026-03-04T10:00:00Z', ...metadata }, ...more },
      })
    return [
      { method: 'GET', path: '/mamp/v1/card' },
      message({ conversation_id: id }),
      message({ to: `agent://ours.example/${encodeURIComponent(id)}` }),
      message({ message_id: id }),
      message({}, { in_reply_to: id }),
      message({ from: 'agent://south.example/seller', conversation_id: id }),
    ]
  },
  a2a: (id) => {
    const at = (body: object) => said('/a2a/v1/messages', body)
    const answer = { message_type: 'response', metadata: { correlation_id: id } }
    return [
      { method: 'GET', path: `/a2a/v1/agents?capability=${encodeURIComponent(id)}` },
      { method: 'GET', path: '/a2a/v1/agents' },
      said('/a2a/v1/agents', { agent_id: id }),
      at(asks({ action: 'get_status', parameters: {} }, { receiver_id: id })),
      at(asks({ action: 'ask', parameters: { question: 'a walk', conversation_id: id } })),
      at(asks({ action: 'start_task', parameters: { goal: 'a walk', conversation_id: id } })),
      at(asks({ status: 'success', result: { text: 'a walk' } }, answer)),
      at(asks({ code: 'x', message: 'a walk' }, { ...answer, message_type: 'error' })),
      at(
        asks({ event_name: 'message', event_data: { text: 'a walk', conversation_id: id } }, { message_type: 'event' }),
      ),
    ]
  },
  harmony: (id) => {
    const name = encodeURIComponent(id)
    const packet = {
      protocol: 'harmony_handoff_v1',
      meta: { source_agent: from, target_agent: id, timestamp: '2026-03-04T10:00:00Z' },
      context: {
        ...{ primary_objective: 'a walk', status: 'open', completed_steps: [], next_immediate_step: 'walk' },
        ...{ constraints: [], artifacts: {} },
      },
    }
    return [
      { method: 'GET', path: `/api/harmony/export?conversation_id=${name}` },
      { method: 'GET', path: `/api/harmony/export?task_id=${name}` },
      { method: 'GET', path: `/api/harmony/media?conversation_id=${name}&message_id=${name}&at=0` },
      { method: 'GET', path: `/api/harmony/media?task_id=${HIDDEN}&message_id=${name}&at=0` },
      said('/api/harmony/import', { messages: [{ role: 'user', content: `a walk ${id}` }] }),
      said('/api/harmony/handoff', packet),
    ]
  },
  map: () => [{ method: 'GET', path: '/map' }],
}

async function converse(walked: Walked, headers: Headers) {
  const { found, look } = findings()
  const calls = PROTOCOLS.flatMap((protocol) => walked.ids.flatMap((id) => ENDPOINTS[protocol](id)))
  const once = [...new Map(calls.map((call) => [call.body === undefined ? call.path : call, call])).values()]
  const statuses = new Map<string, number>()
  await inTurn(once, 4, async ({ method, path, body }) => {
    const answer = await fetch(walked.url + path, {
      ...{ method, headers: { 'content-type': 'application/json', ...headers } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const place = `${method} ${path.replace(/\?.*/, '')} ${answer.status}`
    statuses.set(place, (statuses.get(place) ?? 0) + 1)
    look(`${method} ${path.replace(/\?.*/, '')}`, `${path} ${JSON.stringify(body)}`, text)
  })
  return { found, calls: once.length, statuses }
}

/** Frames over the sockets of the adapters. out: what was found in any of them; null: the socket was refused */
async function listen(walked: Walked, path: string, headers: Headers, frames: readonly object[], answersTo: number) {
  const socket = new WebSocket(walked.url.replace('http', 'ws') + path, { headers })
  onTestFinished(() => socket.terminate())
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true)).once('error', () => resolve(false))
  })
  if (!isOpen) return null
  const came: string[] = []
  socket.on('message', (data) => came.push(String(data)))
  // Fewer under way than a socket is cut off for.
  for (let at = 0; at < frames.length; at += 20) {
    for (const frame of frames.slice(at, at + 20)) socket.send(JSON.stringify(frame))
    const due = Math.min(answersTo, at + 20)
    await expect.poll(() => came.length, { timeout: 5_000, interval: 2 }).toBeGreaterThanOrEqual(due)
  }
  socket.close()
  const { found, look } = findings()
  for (const text of came) look(path, text, text)
  return found
}

const mapFrames = (ids: readonly string[]): object[] => {
  const calls: [string, object][] = [
    ['map/connect', { protocolVersion: 1, participantType: 'agent', participantId: 'stranger', name: 'a walk' }],
    ['map/agents/list', {}],
    ['map/subscribe', { filter: {} }],
    ...METHODS.flatMap((method) =>
      ids.map((id): [string, object] => [
        method,
        {
          checkpointId: id,
          filter: { agentId: id, sessionId: id },
          checkpoint: { id, agentId: 'stranger', label: 'a walk', sessionId: id },
        },
      ]),
    ),
    ['trajectory/list', {}],
    ...ids.map((id): [string, object] => ['map/agents/get', { agentId: id }]),
  ]
  return calls.map(([method, params], at) => ({ jsonrpc: '2.0', id: at + 1, method, params }))
}

const TIMEOUT_MS = isWhole ? 900_000 : 120_000

const counted = (statuses: ReadonlyMap<unknown, number>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')

it('[R79] those who may read it find every private word: the walk goes where they are', {
  timeout: TIMEOUT_MS,
}, async () => {
  const walked = await openWalk()
  const reads = readsOf(walked, routesOf(walked))
  for (const who of ['ana', 'dev'] as const) {
    const headers = { cookie: walked.cookies[who] }
    const { found, statuses } = await read(walked, reads, headers)
    const looked = await look(walked, headers)
    const seen = new Set(Object.keys({ ...found, ...looked?.found }).map((place) => place.split(' ')[0]))
    console.info(`${who}: ${reads.length} reads (${counted(statuses)}), ${looked?.views} views`)
    expect(PLACES.filter((place) => !seen.has(place))).toEqual(
      who === 'ana' ? [] : PLACES.filter((one) => !isForAll(one)),
    )
    expect(looked?.kinds).toEqual(new Set(Object.keys(VIEWS)))
  }
})

it('[R79] a participant outside of the task finds nothing of it, and changes nothing of others', {
  timeout: TIMEOUT_MS,
}, async () => {
  const walked = await openWalk()
  const routes = routesOf(walked)
  const [reads, writes, headers] = [readsOf(walked, routes), writesOf(walked, routes), { cookie: walked.cookies.lee }]
  const before = await read(walked, reads, headers)
  const viewed = await look(walked, headers)
  const written = await write(walked, writes, headers)
  // What was written may have opened something: all is read again.
  const again = { cookie: await walked.signIn('lee') }
  const after = await read(walked, reads, again)
  const last = await look(walked, again)
  console.info(
    `lee: ${routes.length} routes, ${walked.ids.length} ids, ${reads.length} reads twice (${counted(before.statuses)}), ${writes.flat().length} writes, ${viewed?.views} views twice`,
  )
  expect({ ...before.found, ...viewed?.found, ...written.found, ...after.found, ...last?.found }).toEqual({})
  expect(written.moved).toEqual([])
  expect(written.unfit).toEqual([])
  expect(before.statuses.get(429) ?? 0).toBe(0)
  expect(walked.world().agents[WALK_LEE]?.access).toBe('participant')
})

it('[R79] a stranger finds nothing, and changes nothing', { timeout: TIMEOUT_MS }, async () => {
  const walked = await openWalk()
  const routes = routesOf(walked)
  const reads = readsOf(walked, routes)
  const writes = writesOf(walked, routes)
  const head = walked.world().seq
  const { found, statuses } = await read(walked, reads, {})
  const written = await write(walked, writes, {})
  const spoken = await converse(walked, {})
  console.info(
    `a stranger: ${reads.length} reads (${counted(statuses)}), ${writes.flat().length} writes, ${spoken.calls} to adapters`,
  )
  expect({ ...found, ...written.found, ...spoken.found }).toEqual({})
  expect(walked.world().seq).toBe(head)
  expect(await look(walked, {})).toBeNull()
  expect(await listen(walked, '/a2a/v1/ws', {}, [], 0)).toBeNull()
  const frames = mapFrames(walked.ids)
  expect(await listen(walked, '/map', {}, frames, frames.length)).toEqual({})
  expect(walked.world().seq).toBe(head)
})

it('[R79] a peer finds nothing of other conversations, nor of ours', { timeout: TIMEOUT_MS }, async () => {
  const walked = await openWalk()
  const routes = routesOf(walked)
  const headers = { authorization: `Bearer ${KEYS.west}` }
  const before = walked.world()
  const spoken = await converse(walked, headers)
  const reads = readsOf(walked, routes)
  const { found } = await read(walked, reads, headers)
  const map = mapFrames(walked.ids)
  const said = await listen(walked, '/map', headers, map, map.length)
  const envelopes = walked.ids.map((id) => asks({ action: 'get_status', parameters: {} }, { receiver_id: id }))
  const heard = await listen(walked, '/a2a/v1/ws', headers, envelopes, envelopes.length)
  console.info(
    `west: ${spoken.calls} to adapters (${counted(spoken.statuses)}), ${reads.length} reads, ${map.length} calls of MAP`,
  )
  expect({ ...spoken.found, ...found, ...said, ...heard }).toEqual({})
  expect(await look(walked, headers)).toBeNull()
  // What it began is its own; in every task that was there before nothing was said.
  const after = walked.world()
  for (const task of Object.keys(before.tasks) as (keyof typeof before.tasks)[]) {
    expect(after.messages[task]).toEqual(before.messages[task])
    expect(after.tasks[task]).toEqual(before.tasks[task])
  }
})

it('every route of the interface stands in its document, signing out and all that operators do among them', async () => {
  const walked = await openWalk()
  const document = new Set(
    routesOf(walked).map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const served = walked.gateway.app.routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(served.filter((route) => !document.has(route))).toEqual([])
  expect(served.length).toBe(document.size)
  for (const route of ['POST /api/sessions/end', 'POST /api/people/:id/sign-out', 'POST /api/tasks/:id/manager'])
    expect(document).toContain(route)
})

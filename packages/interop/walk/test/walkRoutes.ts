/** The walk over the routes of the OpenAPI document: every read and every write with every id that the system knows. */
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import * as z from 'zod'
import { ID } from '@/server/gateway/test/world'
import { COMMON, PLACES, placesIn } from './walkWords'
import type { Walked } from './walkWorld'

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

export function routesOf({ gateway }: Walked): Route[] {
  return gateway.app.openAPIRegistry.definitions.flatMap((definition): Route[] => {
    if (definition.type !== 'route') return []
    const { method, path, request, security } = definition.route
    const content = request?.body?.content['application/json']
    return [
      {
        method: method.toUpperCase(),
        path,
        isOpen: (security ?? []).length === 0,
        params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        query: schemaOf(request?.query),
        body: content === undefined ? null : schemaOf('schema' in content ? content.schema : null),
      },
    ]
  })
}

/** Values of path parameters that are no ids. A parameter that is not here gets every id. */
const PARAMS: Record<string, (walked: Walked) => string[]> = {
  at: () => ['0'],
  key: ({ few }) => few.map((id) => `task:${id}`),
  name: () => ['metadata', 'goal', 'transcript'],
  place: ({ few }) => [...few.map((id) => `task:${id}`), `direct:${ID.ana}`],
  // Of envelopes, which are numbered from 1 on.
  seq: () => Array.from({ length: 20 }, (_, n) => `${n + 1}`),
}
/** Values of query parameters for which ids would find nothing. */
const QUERIES: Record<string, (walked: Walked) => string[]> = {
  q: () => [COMMON, ...PLACES],
  // A refusal repeats the path that was asked for, so no private name stands in one.
  folder: ({ workspace }) => ['', 'inbox', ...readdirSync(join(workspace, 'inbox')).map((name) => `inbox/${name}`)],
}

/** Values of body fields that depend on each other; other fields are made from their schemas. */
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
  timeZone: () => 'Europe/Berlin',
  cron: () => '0 9 * * 1',
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

/** Every choice of the query, alone and with each id in each parameter that takes a text. */
function queriesOf(walked: Walked, { query }: Route): string[] {
  const { few: ids } = walked
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
  const asked = texts.flatMap(([name]) =>
    (QUERIES[name]?.(walked) ?? ids).map((id) => `&${name}=${encodeURIComponent(id)}`),
  )
  return bases.flatMap((base) => [...(needed.length === 0 ? [base] : []), ...asked.map((one) => `${base}${one}`)])
}

export const readsOf = (walked: Walked, routes: readonly Route[]): Call[] =>
  routes
    .filter(({ method }) => method === 'GET')
    .flatMap((route) => {
      const [addresses, queries] = [addressesOf(walked, route), queriesOf(walked, route)]
      const [plain = '', ...asked] = queries
      const [first = ''] = addresses
      // Each id in the path, and each in each query parameter.
      return [
        ...addresses.map((path) => ({ route, path: `${path}?${plain.slice(1)}` })),
        ...asked.map((query) => ({ route, path: `${first}?${query.slice(1)}` })),
      ]
    })

/** Routes that end a session or count tries come last. */
const isLast = ({ path, isOpen }: Route): boolean =>
  isOpen || path.startsWith('/api/sessions') || path.endsWith('/password')

/** The writes of each route on its own, so that a change can be traced to the route. */
export const writesOf = (walked: Walked, routes: readonly Route[]): Call[][] =>
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

export type Headers = Record<string, string>
export async function say({ url }: Walked, { route, path, body }: Call, headers: Headers): Promise<Answer> {
  const content = route.method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
  // Twice as fast as `fetch`, which matters for ten thousand calls.
  const answer = await request(url + path, {
    method: route.method,
    ...content,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.statusCode, text: await answer.body.text() }
}

const AT_ONCE = 16
export async function inTurn<T>(all: readonly T[], atOnce: number, act: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = rest.next(); !next.done; next = rest.next()) await act(next.value)
    }),
  )
}

/** Private words that were found: which, by which call. */
type Found = Record<string, string>
const nameOf = ({ method, path }: Route): string => `${method} ${path}`

export function findings() {
  const found: Found = {}
  return {
    found,
    look(where: string, example: string, text: string): void {
      for (const place of placesIn(text)) found[`${place} by ${where}`] ??= example.slice(0, 300)
    },
  }
}

/** out: what was found, and how often each status was answered */
export async function read(walked: Walked, calls: readonly Call[], headers: Headers) {
  const { found, look } = findings()
  const statuses = new Map<number, number>()
  await inTurn(calls, AT_ONCE, async (call) => {
    const { status, text } = await say(walked, call, headers)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    look(nameOf(call.route), call.path, text)
  })
  return { found, statuses }
}

/** Routes by which a participant may change something of their own; the changes are read afterwards. */
const MAY_CHANGE: Record<string, string> = {
  'POST /api/messages': 'whom they may write to',
  'POST /api/send_message': 'whom they may write to',
  'POST /api/work': 'work for themselves',
  'POST /api/receipts': 'what was put to them',
  'POST /api/schedules': 'requests of their own at set times',
  'POST /api/talks': 'talks of their own',
}

/** out: what was found; routes that changed the journal without right; routes that accepted no body */
export async function write(walked: Walked, calls: readonly Call[][], headers: Headers) {
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
    // A route that refuses every body would not be tested.
    if (misfits.length === ofRoute.length) unfit.push(`${name}: ${misfits[0]}`)
  }
  return { found, moved, unfit }
}

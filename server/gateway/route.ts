/**
 * One way for every request to /api: Origin, session, rights, body, handler, answer; and its line in the OpenAPI
 * document.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { chooseLocale } from '@/lib/i18n/locale'
import { type Clients, showedWhoItIs } from '../net'
import { EXCESS_WORDS, JsonBounds } from '../shared/boundedJson'
import { isCutOff } from '../shared/http'
import { assertWithin, LIMITS, type LimitRule, openRateLimit, type RateLimit } from '../shared/limits'
import { type JsonPieces, streamOf } from '../shared/pieces'
import { requestIdOf } from '../shared/requestId'
import { API_POLICY } from './csp'
import { assertOwnOrigin } from './origin'
import type { GatewayParts } from './ports'
import { HttpRefusal, isDefect, refusalAnswerOf } from './refusals'
import { refusalBody } from './schemas'
import type { Sessions, SignedInCaller } from './sessions'

export type Env = { Bindings: HttpBindings }
export type GatewayContext = GatewayParts & {
  sessions: Sessions
  clients: Clients
  limits: RequestLimits
  /** Where this server is reached: PUBLIC_URL, or what it listens on. */
  address: () => string
  isStopping: () => boolean
}

type Counted = 'commands' | 'reads' | 'costlyReads' | 'strangers'
export type RequestRules = Record<Counted, LimitRule>
export type RequestLimits = Record<Counted, RateLimit>

export const openRequestLimits = (now: () => number, rules: RequestRules = LIMITS): RequestLimits => ({
  commands: openRateLimit(rules.commands, now),
  reads: openRateLimit(rules.reads, now),
  costlyReads: openRateLimit(rules.costlyReads, now),
  strangers: openRateLimit(rules.strangers, now),
})

/** anyone: no session needed. person: signed in. operator: signed in with that access. */
export type AccessRule = 'anyone' | 'person' | 'operator'
type CallerUnder<Rule extends AccessRule> = Rule extends 'anyone' ? null : SignedInCaller

export type RouteCall<Rule extends AccessRule, Params, Query, Body> = {
  caller: CallerUnder<Rule>
  params: Params
  query: Query
  body: Body
  request: HttpBindings['incoming']
}

/** An answer that is more than a body with status 200. */
export class HttpAnswer {
  constructor(
    readonly body: unknown,
    readonly more: { status?: number; cookie?: string | string[]; location?: string },
  ) {}
}

/** A body that is written piece by piece. */
export class Streamed {
  constructor(readonly pieces: JsonPieces) {}
}

export type Route<Rule extends AccessRule = AccessRule, Params = unknown, Query = unknown, Body = unknown> = {
  method: 'get' | 'post' | 'put' | 'delete'
  /** As in OpenAPI: /api/steps/{id}. */
  path: string
  access: Rule
  says: string
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** A read that goes through much data: fewer are allowed. */
  isCostly?: boolean
  /** A probe of a supervisor: it is not counted, for a flood from its address must not make the server look dead. */
  isProbe?: boolean
  /** Bytes; 1 MiB unless said otherwise. */
  bodyLimit?: number
  answers: z.ZodType
  /** Other statuses than 200 that carry the same body. */
  alsoWith?: number[]
  /** Refusals add `success: false`. */
  saysSuccess?: boolean
  handle: (call: RouteCall<Rule, Params, Query, Body>) => Promise<unknown>
}

const BODY_LIMIT = 1024 * 1024
/** A larger body is parsed in a turn of the loop of its own. */
const TURN_BYTES = 1024 * 1024

/** Give a route its place in the app and in the document. */
export function addRoute<Rule extends AccessRule, Params, Query, Body>(
  app: OpenAPIHono<Env>,
  gateway: GatewayContext,
  route: Route<Rule, Params, Query, Body>,
): void {
  app.openAPIRegistry.registerPath(documented(route))
  app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
    try {
      const answer = await perform(gateway, route, context)
      const { body, more } = answer instanceof HttpAnswer ? answer : { body: answer, more: {} }
      return respond(body, more.status ?? 200, {
        ...(more.cookie === undefined ? {} : { 'Set-Cookie': more.cookie }),
        ...(more.location === undefined ? {} : { Location: more.location }),
      })
    } catch (thrown) {
      return refusalResponse(gateway, thrown, context, route.saysSuccess ?? false)
    }
  })
}

async function perform<Rule extends AccessRule, Params, Query, Body>(
  gateway: GatewayContext,
  route: Route<Rule, Params, Query, Body>,
  context: Context<Env>,
): Promise<unknown> {
  const request = context.env.incoming
  assertOwnOrigin(request, gateway.publicUrl)
  if (gateway.isStopping() && route.method !== 'get') throw new Fault('STOPPING')
  const caller = await callerOf(gateway, request, route)
  const params = route.params ? checked(route.params, context.req.param()) : undefined
  const query = route.query ? checked(route.query, context.req.query()) : undefined
  const body = route.body
    ? checked(route.body, await readJson(context.req.raw, route.bodyLimit ?? BODY_LIMIT))
    : undefined
  // A field that the route does not name is undefined, and its type says so: the three generics default to unknown.
  const answer = await route.handle({ caller, params, query, body, request } as RouteCall<Rule, Params, Query, Body>)
  const renewed = caller === null || answer instanceof HttpAnswer ? null : await gateway.sessions.renew(caller)
  return renewed === null ? answer : new HttpAnswer(answer, { cookie: renewed })
}

/** Who calls, after counting the call: for the session, or for the address where there is none. */
async function callerOf(
  gateway: GatewayContext,
  request: HttpBindings['incoming'],
  { access, method, isCostly, isProbe }: Pick<Route, 'access' | 'method' | 'isCostly' | 'isProbe'>,
): Promise<SignedInCaller | null> {
  const { limits, clients, sessions } = gateway
  const caller = access === 'anyone' ? null : await sessions.callerOf(request.headers)
  if (caller === null) {
    if (!isProbe) await assertWithin(limits.strangers, clients.keyOf(request))
    if (access === 'anyone') return null
    throw new Fault('NOT_SIGNED_IN')
  }
  showedWhoItIs(request)
  await assertWithin(method === 'get' ? limits.reads : limits.commands, caller.session.id)
  if (isCostly) await assertWithin(limits.costlyReads, caller.session.id)
  assertMayCall(caller, access)
  return caller
}

function assertMayCall(caller: SignedInCaller, rule: AccessRule): void {
  if (caller.person.access === 'none') throw new Fault('NOT_ALLOWED', { what: 'use this console' })
  if (rule === 'operator' && caller.person.access !== 'operator')
    throw new Fault('NOT_ALLOWED', { what: 'do what operators do' })
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const why = result.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join('.') || 'the body'}: ${issue.message}`)
    .join('; ')
  throw new Fault('BAD_INPUT', { why })
}

/**
 * Read a JSON body.
 *
 * faults  NOT_JSON without the content type; TOO_LARGE past the limit, without reading the rest; BAD_INPUT when it cannot be parsed
 */
async function readJson(request: Request, limit: number): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new HttpRefusal('NOT_JSON')
  const announced = Number(request.headers.get('content-length') ?? '0')
  if (announced > limit) throw tooLarge(limit, announced)
  const bounds = new JsonBounds()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const notJson = new Fault('BAD_INPUT', { why: 'The body is not valid JSON.' })
  let text = ''
  let size = 0
  const reader = request.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength
    if (size > limit) throw tooLarge(limit, size)
    bounds.read(next.value)
    if (bounds.excess !== null) throw new Fault('BAD_INPUT', { why: `The body ${EXCESS_WORDS[bounds.excess]}.` })
    try {
      text += decoder.decode(next.value, { stream: true })
    } catch {
      throw notJson
    }
  }
  // A body of 33 MiB takes 0.1 s to parse: nothing else happens in that turn of the loop.
  if (size > TURN_BYTES) await nextTurn()
  try {
    const value: unknown = JSON.parse(text + decoder.decode())
    if (size > TURN_BYTES) await nextTurn()
    return value
  } catch {
    throw notJson
  }
}

const tooLarge = (limit: number, size: number) =>
  new Fault('TOO_LARGE', { what: 'The body', limit: bytesInWords(limit), size: bytesInWords(size) })

/** 65536 → 64 KiB */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB']
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`
}

function respond(body: unknown, status: number, headers: Record<string, string | string[]>): Response {
  const all = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': API_POLICY,
  })
  for (const [name, value] of Object.entries(headers)) {
    if (Array.isArray(value)) for (const one of value) all.append(name, one)
    else all.set(name, value)
  }
  return new Response(body instanceof Streamed ? streamOf(body.pieces) : JSON.stringify(body), { status, headers: all })
}

/** The answer to something thrown. A defect goes into the log with its stack, and nothing of it to whoever asked. */
export function refusalResponse(
  gateway: GatewayContext,
  thrown: unknown,
  context: Context<Env>,
  saysSuccess: boolean,
): Response {
  if (isDefect(thrown) && !isCutOff(context.env.incoming))
    gateway.log.error(
      { err: thrown, path: context.req.path, request: requestIdOf(context.env.incoming) },
      'A request failed for a reason nobody foresaw',
    )
  const locale = chooseLocale(context.req.header('cookie') ?? '', [])
  const { status, body, headers } = refusalAnswerOf(thrown, locale === 'zh' ? 'zh' : 'en')
  gateway.meter?.refused(body.error)
  // What is left of a body that was too large is not read: the connection ends with the answer.
  const close: Record<string, string> = status === 413 ? { Connection: 'close' } : {}
  return respond(saysSuccess ? { success: false, ...body } : body, status, { ...headers, ...close })
}

function documented(
  route: Pick<Route, 'method' | 'path' | 'says' | 'access' | 'params' | 'query' | 'body' | 'answers' | 'alsoWith'>,
) {
  const { method, path, says, access, params, query, body, answers, alsoWith } = route
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } })
  const asObject = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? schema : undefined)
  return createRoute({
    method,
    path,
    summary: says,
    security: access === 'anyone' ? [] : [{ session: [] }],
    request: {
      params: asObject(params),
      query: asObject(query),
      ...(body ? { body: { required: true, content: json(body) } } : {}),
    },
    responses: {
      200: { description: 'Done', content: json(answers) },
      ...Object.fromEntries(
        (alsoWith ?? []).map((status) => [status, { description: 'See the body', content: json(answers) }]),
      ),
      '4XX': { description: 'Refused', content: json(refusalBody) },
      '5XX': { description: 'Cannot now', content: json(refusalBody) },
    },
  })
}

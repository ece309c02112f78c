/** The path of every request to /api: Origin, session, limits, rights, schemas, handler, answer; and its OpenAPI entry. */
import type { HttpBindings } from '@hono/node-server'
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { shownFileName } from '@/lib/format/fileName'
import { issuesInWords } from '@/lib/json'
import type { Command, NewBody } from '@/lib/mas/commands/command'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import type { CommandHead } from '@/lib/wire'
import { commandAnswer, idParams, refusalBody } from '@/lib/wire/http'
import type { Scope } from '@/lib/wire/scopes'
import { type Clients, showedWhoItIs } from '../net'
import { isCutOff } from '../shared/http'
import { assertWithin, LIMITS, type LimitRule, openRateLimit, type RateLimit } from '../shared/limits'
import type { oneAtATime } from '../shared/oneAtATime'
import { type JsonPieces, streamOf } from '../shared/pieces'
import { requestIdOf } from '../shared/requestId'
import type { Clock } from '../store'
import { commitAs } from './commands'
import { API_POLICY } from './http/csp'
import { assertOwnOrigin, assertOwnRequest } from './http/origin'
import { readerLanguage } from './http/readerLanguage'
import { readJson } from './http/readJson'
import { isDefect, refusalAnswerOf } from './http/refusals'
import type { Shortage } from './http/shortage'
import type { GatewayParts } from './ports'
import type { AccessLog } from './sessions/accessLog'
import type { CompanyAccess } from './sessions/company/companyAccess'
import type { Cookies } from './sessions/cookies'
import { assertScope, tokenIn } from './sessions/personalTokens'
import type { Sessions, SignedInCaller } from './sessions/sessions'
import type { PasswordRules, PersonSignIn } from './sessions/signIn'

export type Env = { Bindings: HttpBindings }
export type GatewayContext = GatewayParts & {
  sessions: Sessions
  cookies: Pick<Cookies, 'nameOf'>
  clients: Clients
  limits: RequestLimits
  shortage: Shortage
  accessLog: AccessLog
  takesPasswords: PasswordRules['takesPasswords']
  /** null: nobody signs in by a provider */
  companyAccess: CompanyAccess | null
  /** Exports of people. */
  exporting: ReturnType<typeof oneAtATime<AgentId>>
  /** Where this server is reached: PUBLIC_URL, or what it listens on. */
  address: () => string
  isStopping: () => boolean
}

type Counted = 'commands' | 'reads' | 'costlyReads' | 'strangers'
export type RequestRules = Record<Counted, LimitRule>
type RequestLimits = Record<Counted, RateLimit>

/** One counter for each kind of request; in: now: epoch ms */
export const openRequestLimits = (now: () => number, rules: RequestRules = LIMITS): RequestLimits => ({
  commands: openRateLimit(rules.commands, now),
  reads: openRateLimit(rules.reads, now),
  costlyReads: openRateLimit(rules.costlyReads, now),
  strangers: openRateLimit(rules.strangers, now),
})

/** anyone: no session needed. person: signed in (the default). operator: signed in with that access. */
type AccessRule = 'anyone' | 'person' | 'operator'
type CallerUnder<Rule extends AccessRule> = Rule extends 'anyone' ? null : SignedInCaller

type RouteCall<Rule extends AccessRule, Params, Query, Body> = {
  caller: CallerUnder<Rule>
  /** The caller; null with access to anyone. */
  person: Rule extends 'anyone' ? null : AgentRecord
  /** At the call. */
  world: World
  params: Params
  query: Query
  body: Body
  request: HttpBindings['incoming']
  log: CallLog
}
/** Logs what the caller did, with who it was and the request. */
export type CallLog = (about: object, message: string) => void

/** An answer with another status, a cookie or a location. */
export class HttpAnswer<Body> {
  constructor(
    readonly body: Body,
    readonly more: { status?: number; cookie?: string | string[]; location?: string },
  ) {}
}

/** A body that is written in pieces. */
export class Streamed {
  constructor(readonly pieces: JsonPieces) {}
}

/** Bytes that a browser saves and never shows. name: of the file */
export class Download {
  constructor(
    readonly name: string,
    readonly content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
    readonly bytes: number | null,
    readonly mime = 'application/octet-stream',
  ) {}
}

type Route<
  Rule extends AccessRule = AccessRule,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> = {
  access?: Rule
  /** What a personal access token must be for; null: no token calls it, since it is of an account or a browser, or anyone may. */
  scope: Scope | null
  summary: string
  /** Left out: `id` where the path has it. */
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** Throws CONFIRM_PASSWORD unless the caller typed their password a moment ago. A function: only such calls. */
  asksPassword?: boolean | ((call: { world: World; body: Body }) => boolean)
  /** A read that goes through much data; a lower limit applies. */
  isCostly?: boolean
  /** A probe of a supervisor. Not counted, so that a flood from its address cannot make the server look dead. */
  isProbe?: boolean
  /** Bytes; 1 MiB unless said otherwise. */
  bodyLimit?: number
  answers: z.ZodType<Answer>
  /** Of a Download; else answers are JSON. */
  mime?: string
  /** Other statuses than 200 that carry the same body. */
  alsoWith?: number[]
  /** Refusals add `success: false`. */
  withSuccess?: boolean
  handle: (
    call: RouteCall<Rule, Params, Query, Body>,
  ) => Promise<NoInfer<Answer | HttpAnswer<Answer> | Streamed> | Download>
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const
type Method = keyof typeof METHODS
/** The path as in OpenAPI: `GET /api/steps/{id}`. */
type RouteAddress = `${Method} /api/${string}`

const BODY_LIMIT = 1024 * 1024

/** A POST that becomes one command of its caller; its answer is the command's, or the Fault with which it was refused. */
type CommandRoute<Body extends CommandHead> = {
  /** As in OpenAPI. */
  path: `/api/${string}`
  scope: Scope | null
  summary: string
  /** Left out: any signed-in person; the command itself says more. */
  access?: 'operator'
  asksPassword?: boolean | ((call: { world: World; body: Body }) => boolean)
  body: z.ZodType<Body>
  bodyLimit?: number
  /**
   * in      id: of the path; empty where it has none. body: without the head; most are the fields of the command as they are
   * throws  the Fault for what is wrong with the request itself
   */
  command: (call: CommandCall & { body: Omit<Body, keyof CommandHead> }) => MadeCommand | Promise<MadeCommand>
}
type MadeCommand = Command | { command: Command; bodies: NewBody[] }
export type CommandCall = { world: World; person: AgentRecord; id: string; head: CommandHead; log: CallLog }

/** What the files of routes/ add their routes with: to the app, and to the OpenAPI document. */
export function routesOf(app: OpenAPIHono<Env>, gateway: GatewayContext, signIn: PersonSignIn) {
  function add<
    Query,
    Body,
    Answer,
    Address extends RouteAddress,
    Params = Address extends `${string}{id}${string}` ? { id: string } : undefined,
    Rule extends AccessRule = 'person',
  >(address: Address, given: Route<Rule, Params, Query, Body, Answer>): void {
    const [method, path] = address.split(' ') as [Method, string]
    const route = { ...given, params: given.params ?? (path.includes('{id}') ? idParams : undefined) }
    app.openAPIRegistry.registerPath(documented(method, path, route))
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      try {
        const answer = await perform(gateway, method === 'GET', route, context)
        if (answer instanceof Download) return downloadResponse(answer)
        const { body, more } = answer instanceof HttpAnswer ? answer : { body: answer, more: {} }
        return respond(body, more.status ?? 200, {
          ...(more.cookie === undefined ? {} : { 'Set-Cookie': more.cookie }),
          ...(more.location === undefined ? {} : { Location: more.location }),
        })
      } catch (thrown) {
        return refusalResponse(gateway, thrown, context, route.withSuccess ?? false)
      }
    })
  }

  function addCommand<Body extends CommandHead>({ path, command, ...route }: CommandRoute<Body>): void {
    const { engine } = gateway
    const hasId = path.includes('{id}')
    add(`POST ${path}`, {
      ...route,
      params: hasId ? idParams : undefined,
      answers: commandAnswer,
      async handle({ caller, person, world, params, log, body: { id, until, ...fields } }) {
        const call = { world, person, log, id: hasId ? params.id : '', head: { id, until } }
        const made = await command({ ...call, body: fields })
        return 'command' in made
          ? commitAs(engine, caller, call.head, made.command, made.bodies)
          : commitAs(engine, caller, call.head, made)
      },
    })
  }

  return { add, addCommand, app, gateway, signIn }
}

export type Routes = ReturnType<typeof routesOf>

async function perform<Rule extends AccessRule, Params, Query, Body, Answer>(
  gateway: GatewayContext,
  isRead: boolean,
  route: Omit<Route<Rule, Params, Query, Body, Answer>, 'params'> & { params: z.ZodType | undefined },
  context: Context<Env>,
): Promise<unknown> {
  const request = context.env.incoming
  let caller: SignedInCaller | null = null
  try {
    if (route.isProbe) assertOwnOrigin(request, gateway.publicUrl)
    else assertOwnRequest(request, gateway)
    if (gateway.isStopping() && !isRead) throw new Fault('STOPPING')
    caller = await callerOf(gateway, request, isRead, route)
    if (caller !== null) {
      assertScope(caller, route.scope)
      assertMayCall(caller, route.access ?? 'person')
    }
    return await performAs(gateway, caller, route, context)
  } catch (thrown) {
    gateway.accessLog.refused(request, caller?.person.id ?? null, context.req.path, thrown)
    throw thrown
  }
}

async function performAs<Rule extends AccessRule, Params, Query, Body, Answer>(
  gateway: GatewayContext,
  caller: SignedInCaller | null,
  route: Omit<Route<Rule, Params, Query, Body, Answer>, 'params'> & { params: z.ZodType | undefined },
  context: Context<Env>,
): Promise<unknown> {
  const request = context.env.incoming
  const params = route.params ? checked(route.params, context.req.param()) : undefined
  const query = route.query ? checked(route.query, context.req.query()) : undefined
  const body = route.body
    ? timed(checked(route.body, await readJson(context.req.raw, route.bodyLimit ?? BODY_LIMIT)), gateway.store.clock)
    : undefined
  const { asksPassword: asks = false } = route
  const isAsked = typeof asks === 'function' ? asks({ world: gateway.engine.world(), body: body as Body }) : asks
  if (caller !== null && isAsked) await gateway.sessions.mustBeConfirmed(caller)
  const log: CallLog = (about, message) =>
    gateway.log.info(
      { by: caller?.person.id, token: caller?.session.token?.name, ...about, request: requestIdOf(request) },
      message,
    )
  // Without a schema a field is undefined, and its type parameter is unknown.
  const call = {
    caller,
    person: caller?.person ?? null,
    world: gateway.engine.world(),
    params,
    query,
    body,
    request,
    log,
  }
  return route.handle(call as RouteCall<Rule, Params, Query, Body>)
}

/**
 * The caller. Counts the request for the person, in all of their sessions, for each of their tokens alone, so that a program keeps
 * nobody from their own page, or for the address where there is none.
 */
async function callerOf(
  gateway: GatewayContext,
  request: HttpBindings['incoming'],
  isRead: boolean,
  { access = 'person', isCostly, isProbe }: Pick<Route, 'access' | 'isCostly' | 'isProbe'>,
): Promise<SignedInCaller | null> {
  const { limits, clients, sessions } = gateway
  const caller = access === 'anyone' ? null : await sessions.callerOf(request.headers)
  if (caller === null) {
    if (!isProbe) await assertWithin(limits.strangers, clients.keyOf(request))
    if (access === 'anyone') return null
    throw new Fault(tokenIn(request.headers) === null ? 'NOT_SIGNED_IN' : 'TOKEN_UNKNOWN')
  }
  showedWhoItIs(request)
  const counted = caller.session.token === undefined ? caller.person.id : caller.session.id
  await assertWithin(isRead ? limits.reads : limits.commands, counted)
  if (isCostly) await assertWithin(limits.costlyReads, counted)
  return caller
}

function assertMayCall(caller: SignedInCaller, rule: AccessRule): void {
  if (caller.person.access === 'none') throw new Fault('NOT_ALLOWED', { what: 'use this console' })
  if (rule === 'operator' && caller.person.access !== 'operator')
    throw new Fault('NOT_ALLOWED', { what: 'do what operators do' })
}

/** The time limit of a command is by the clock of its sender. */
function timed<Body>(body: Body, clock: Pick<Clock, 'fromOutside'>): Body {
  const isCommand = typeof body === 'object' && body !== null && 'id' in body && 'until' in body
  return isCommand && typeof body.until === 'number' ? { ...body, until: clock.fromOutside(body.until) } : body
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Fault('BAD_INPUT', { why: issuesInWords(result.error.issues, 'the body') })
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

function downloadResponse({ name: given, content, bytes, mime }: Download): Response {
  const name = shownFileName(given)
  const plain = name.replaceAll(/[^\w.-]/g, '_')
  const exact = encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '_')).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return new Response(content, {
    headers: {
      'Content-Type': mime,
      'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
      ...(bytes === null ? {} : { 'Content-Length': String(bytes) }),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `${API_POLICY}; sandbox`,
    },
  })
}

/** The answer to something that was thrown. A defect is logged with its stack; the caller learns nothing of it. */
export function refusalResponse(
  gateway: GatewayContext,
  thrown: unknown,
  context: Context<Env>,
  withSuccess: boolean,
): Response {
  gateway.shortage.note(thrown)
  if (isDefect(thrown) && !isCutOff(context.env.incoming))
    gateway.log.error(
      { err: thrown, path: context.req.path, request: requestIdOf(context.env.incoming) },
      'unexpected error in a request',
    )
  const { status, body, headers } = refusalAnswerOf(thrown, readerLanguage(context.env.incoming.headers))
  gateway.meter.refused(body.error)
  // The rest of a body that is too large stays unread, so the connection cannot be used again.
  const close: Record<string, string> = status === 413 ? { Connection: 'close' } : {}
  return respond(withSuccess ? { success: false, ...body } : body, status, { ...headers, ...close })
}

const ASKS_PASSWORD =
  'A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.'

type Documented = Omit<Route, 'handle' | 'asksPassword'> & { asksPassword?: unknown }

function documented(method: Method, path: string, route: Documented) {
  const { summary, access = 'person', scope, asksPassword, params, query, body, answers, mime, alsoWith } = route
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } })
  const whole = mime === undefined ? json(answers) : { [mime]: { schema: answers } }
  const asObject = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? schema : undefined)
  return createRoute({
    method: METHODS[method],
    path,
    summary,
    ...(asksPassword ? { description: ASKS_PASSWORD } : {}),
    security: access === 'anyone' ? [] : [{ session: [] }, ...(scope === null ? [] : [{ token: [scope] }])],
    request: {
      params: asObject(params),
      query: asObject(query),
      ...(body ? { body: { required: true, content: json(body) } } : {}),
    },
    responses: {
      200: { description: 'Done', content: whole },
      ...Object.fromEntries(
        (alsoWith ?? []).map((status) => [status, { description: 'See the body', content: json(answers) }]),
      ),
      '4XX': { description: 'Refused', content: json(refusalBody) },
      '5XX': { description: 'Cannot now', content: json(refusalBody) },
    },
  })
}

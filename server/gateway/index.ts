/** The gateway: one HTTP server for pages, the API and the sockets. The entry of this folder. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { getRequestListener } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import { errorCode, errorMessage } from '@/server/shared/errors'
import type { McpServer, McpServerParts } from '../mcpServer'
import { oneAtATime } from '../shared/oneAtATime'
import { readAwayRest } from '../shared/readAway'
import { giveRequestId, REQUEST_ID_HEADER, requestIdOf } from '../shared/requestId'
import type { TakeUpgrade } from './http/connections'
import { commonHeaders } from './http/csp'
import type { EarlyServer } from './http/earlyServer'
import { assertOwnHost, assertOwnRequest } from './http/origin'
import { type NextPart, openPages, type Pages, type PagesOptions } from './http/pages'
import { readerLanguage } from './http/readerLanguage'
import { refusalAnswerOf } from './http/refusals'
import { openShortage } from './http/shortage'
import { withMcp } from './mcp'
import type { AdapterPort, GatewayParts, HttpMeter } from './ports'
import { type Env, type GatewayContext, openRequestLimits, type RequestRules, refusalResponse, routesOf } from './route'
import { addChannelRoutes } from './routes/account/channels'
import { addCompanySignInRoutes } from './routes/account/companySignIn'
import { addDataRoute } from './routes/account/data'
import { addDraftRoutes } from './routes/account/drafts'
import { addReadRoutes } from './routes/account/read'
import { addMyRoutes, addOwnSessionRoutes, addSessionRoutes, addTokenRoutes } from './routes/account/session'
import { addAttachmentRoutes } from './routes/messages/attachments'
import { addMessageRoutes } from './routes/messages/messages'
import { addAnswerRoutes, addRequestRoutes } from './routes/messages/requests'
import { addSearchRoutes } from './routes/messages/search'
import { addReminderRoutes, addTransferRoutes, addWaitRoutes } from './routes/messages/waits'
import { addByHandRoutes } from './routes/steps/byHand'
import { addRunToolRoutes } from './routes/steps/runTool'
import { addStepContentRoutes, addStepRoutes } from './routes/steps/steps'
import { addToolRuleRoutes } from './routes/steps/toolRules'
import { addToolRoutes } from './routes/steps/tools'
import { addTreeRoutes } from './routes/steps/tree'
import { addTryCallRoutes } from './routes/steps/tryCall'
import { addAuditRoute } from './routes/system/audit'
import { addExactRoutes } from './routes/system/exact'
import { addMetricsRoute } from './routes/system/metrics'
import { addSystemRoutes, addTrialRoutes } from './routes/system/system'
import { addArchiveRoutes } from './routes/tasks/archive'
import { addAskAgainRoute } from './routes/tasks/askAgain'
import { addChangesRoute } from './routes/tasks/askChange'
import { addFileRoutes } from './routes/tasks/files'
import { addMomentRoutes } from './routes/tasks/moments'
import { addOpenedRoutes } from './routes/tasks/opened'
import { addOperateRoutes } from './routes/tasks/operate'
import { addResultRoutes } from './routes/tasks/results'
import { addTalkRoutes } from './routes/tasks/talks'
import { addScheduleRoutes, addTemplateRoutes } from './routes/tasks/templates'
import { addWorkRoutes } from './routes/tasks/work'
import { addWorkStatusRoute } from './routes/tasks/workStatus'
import { addBudgetRoutes } from './routes/team/budgets'
import { addDirectoryRoutes } from './routes/team/directory'
import { addNumbersRoutes } from './routes/team/numbers'
import { addPeerRoutes } from './routes/team/peers'
import { addPeopleRoutes } from './routes/team/people'
import { addSetupRoutes } from './routes/team/setup'
import { addTeamFileRoutes } from './routes/team/teamFile'
import { type AccessLog, openAccessLog } from './sessions/accessLog'
import { openCompanyAccess } from './sessions/company/companyAccess'
import type { PasswordSetting } from './sessions/configuredPasswords'
import { openCookies } from './sessions/cookies'
import { preparePasswords } from './sessions/passwords'
import { openSessions, type Sessions } from './sessions/sessions'
import { openPersonSignIn, type PersonSignIn } from './sessions/signIn'

/** Was a handshake sent by a page of ours, to an address of ours? */
type IsOurs = (request: IncomingMessage) => boolean

export type GatewayOptions = GatewayParts & {
  pages: PagesOptions & {
    /** In development: called once with the server that listens. out: Next, prepared */
    next: (http: Server, host: string, port: number) => Promise<NextPart>
    /** The pages cannot be prepared. The program must report it and exit, since requests for pages would never be answered. */
    failed: (sentence: string) => void
  }
  /** Attaches the sockets to the server at its start. */
  sockets: ((http: Server, sessions: Sessions, isOurs: IsOurs) => { close(): Promise<void> }) | null
  /** Absent: no other system reaches us. */
  adapters?: AdapterPort
  /** Absent: there is no MCP server. */
  mcpServer?: (parts: McpServerParts) => McpServer
  /** Other limits on requests than LIMITS: for tests. */
  limits?: RequestRules
  /** The server, which listens already. */
  early: EarlyServer
}

/** Below these paths a 404 is JSON, not the console. */
const API_ROOTS = ['/api', '/metrics', '/mamp', '/envelope', '/map', '/a2a', '/mcp']

/** Whether this node lives, and its counters: all that a node without the workspace answers. They wait for no other node. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/ready', '/metrics'])
const NO_FILES = 'This node has no workspace: it runs steps of agents and serves no pages. Use another node.'

/** How long open connections may take to end by themselves. */
const STOP_GRACE_MS = 1_000

/** Opens pages, API and sockets. They answer from start() on. */
export function openGateway(options: GatewayOptions) {
  const { log, publicUrl, clients, early } = options
  const { caughtUp } = options.engine
  let isStopping = false
  let address = publicUrl ?? 'http://localhost'
  let pages: Pages | null = null
  let next: Promise<NextPart> | null = null
  let closeNext: NextPart['close'] = async () => {}
  let sockets: { close(): Promise<void> } | null = null
  const { signIn, stopAccounts, ...accounts } = openAccounts(options)
  const { cookies, sessions, accessLog } = accounts
  const shortage = openShortage(options.now, options.meter.short)
  const gateway: GatewayContext = {
    ...options,
    ...accounts,
    limits: openRequestLimits(options.now, options.limits),
    shortage,
    exporting: oneAtATime<AgentId>(options.now),
    address: () => address,
    isStopping: () => isStopping || options.isDraining(),
  }
  const app = apiOf(gateway, signIn)
  const answerApi = getRequestListener(app.fetch)
  const adapters = withMcp(options.mcpServer, options.adapters, gateway, app)
  const newRequestId = (): string => Buffer.from(options.random(12)).toString('base64url')
  const headers = commonHeaders(publicUrl?.startsWith('https:') ?? false)

  const isOurs: IsOurs = (request) => passes(request, accessLog, () => assertOwnRequest(request, gateway))

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = pathOf(request)
    // Handled by Socket.IO's own listener on this server.
    if (sockets && path.startsWith('/socket.io/')) return
    count(options.meter, request, response)
    response.setHeader(REQUEST_ID_HEADER, giveRequestId(request, clients.isFromProxy(request), newRequestId))
    for (const [name, value] of headers) response.setHeader(name, value)
    if (!options.hasFiles && !PROBES.has(path)) {
      response.writeHead(503, { 'content-type': 'text/plain' }).end(`${NO_FILES}\n`)
      return
    }
    if (adapters?.owns(path)) void caughtUp().then(() => adapters.answer(request, response, path))
    else if (PROBES.has(path)) void answerApi(request, response)
    else if (API_ROOTS.some((root) => path === root || path.startsWith(`${root}/`)))
      void caughtUp().then(() => answerApi(request, response))
    else if (passes(request, accessLog, () => assertOwnHost(request, gateway)))
      void answerPage(pages, gateway, request, response, path)
    else refusePage(request, response)
  }
  const { http } = early
  http.on('error', shortage.note)

  const takeUpgrade: TakeUpgrade = (request, socket, head) => {
    const path = pathOf(request)
    if (isStopping || !options.hasFiles) return false
    // Handled by the listeners of Socket.IO, and in development of Next.
    if (sockets && path.startsWith('/socket.io/')) return true
    if (options.pages.dev && /^\/(_next\/|__nextjs)/.test(path)) return true
    return adapters?.owns(path) === true && adapters.upgrade(request, socket, head, path)
  }

  return {
    http,
    sessions,
    companyAccess: accounts.companyAccess,
    cookies,
    /** For the OpenAPI document and its tests. */
    app,
    /** Resolves as soon as /api answers; faults: PagesMissingError. in: the host of the server */
    async start(host: string): Promise<{ url: string; pagesReady: Promise<void> }> {
      void preparePasswords()
      const { pages: about } = options
      pages = await openPages(about, () => next)
      const { port } = early
      address = publicUrl ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : bracketed(host)}:${port}`
      sockets = options.hasFiles ? (options.sockets?.(http, sessions, isOurs) ?? null) : null
      early.takeUpgrades(takeUpgrade)
      accounts.companyAccess?.start()
      next = about.dev ? about.next(http, host, port) : null
      early.handOver(answer)
      const pagesReady = Promise.resolve(next).then((part) => {
        if (part) closeNext = part.close
      })
      pagesReady.catch((error: unknown) => {
        if (isStopping) return
        log.error({ err: error }, 'The pages could not be prepared')
        about.failed(`The pages could not be prepared: ${errorMessage(error)}`)
      })
      return { url: address, pagesReady }
    },
    /** Apply the passwords of the configuration; before firstLink. */
    applyPasswords: (people: PasswordSetting[]): Promise<void> => signIn.applyPasswords(people),
    weakOf: signIn.weakOf,
    /** A link that signs in the first operator, as long as no operator has a password. Call it after start. */
    firstLink: (): Promise<{ url: string; name: string } | null> => signIn.firstLink(address),
    async stop(): Promise<void> {
      isStopping = true
      stopAccounts()
      await sockets?.close()
      const closed = new Promise<void>((resolve) => {
        if (http.listening) http.close(() => resolve())
        else resolve()
      })
      http.closeIdleConnections()
      const timer = setTimeout(early.destroyAll, STOP_GRACE_MS)
      await closed
      clearTimeout(timer)
      await Promise.all([closeNext(), pages?.close()])
    },
  }
}

export type Gateway = ReturnType<typeof openGateway>

/** Sessions, and the ways to begin one. */
function openAccounts(options: GatewayOptions) {
  const { company } = options
  const cookies = openCookies(options)
  const hasPasswords = company?.signIn.passwords ?? true
  const takesPasswords = async (person: AgentId): Promise<boolean> =>
    hasPasswords && (await companyAccess?.vouchesFor(person)) !== true
  const sessions = openSessions({
    ...options,
    cookies,
    takesPasswords,
    mayUseTokens: async (person) => (await companyAccess?.mayUseTokens(person)) ?? true,
  })
  const accessLog = openAccessLog(options)
  const passwords = { hasPasswords, takesPasswords }
  const signIn = openPersonSignIn({ ...options, ...passwords, accessLog, browsers: sessions.browsers })
  const companyAccess = company ? openCompanyAccess(company, { ...options, cookies, sessions, accessLog }) : null
  const stopAccounts = (): void => {
    companyAccess?.stop()
    sessions.stop()
  }
  return { cookies, sessions, accessLog, signIn, companyAccess, takesPasswords, stopAccounts }
}

/** The API alone, without a server. */
function apiOf(gateway: GatewayContext, signIn: PersonSignIn): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>()
  app.use(async (context, next) => {
    await next()
    const { incoming } = context.env
    if (context.res.status >= 400 && !incoming.readableDidRead) await readAwayRest(incoming)
  })
  const routes = routesOf(app, gateway, signIn)
  addSystemRoutes(routes)
  addMetricsRoute(routes)
  addAuditRoute(routes)
  addSessionRoutes(routes)
  addCompanySignInRoutes(routes)
  addOwnSessionRoutes(routes)
  addTokenRoutes(routes)
  addMyRoutes(routes)
  addDataRoute(routes)
  addPeopleRoutes(routes)
  addBudgetRoutes(routes)
  addExactRoutes(routes)
  addMessageRoutes(routes)
  addRequestRoutes(routes)
  addAnswerRoutes(routes)
  addArchiveRoutes(routes)
  addOpenedRoutes(routes)
  addSearchRoutes(routes)
  addNumbersRoutes(routes)
  addResultRoutes(routes)
  addAttachmentRoutes(routes)
  addOperateRoutes(routes)
  addWaitRoutes(routes)
  addTransferRoutes(routes)
  addReminderRoutes(routes)
  addTalkRoutes(routes)
  addWorkRoutes(routes)
  addWorkStatusRoute(routes)
  addFileRoutes(routes)
  addAskAgainRoute(routes)
  addChangesRoute(routes)
  addTemplateRoutes(routes)
  addScheduleRoutes(routes)
  addDraftRoutes(routes)
  addReadRoutes(routes)
  addByHandRoutes(routes)
  addChannelRoutes(routes)
  addTrialRoutes(routes)
  addSetupRoutes(routes)
  addTeamFileRoutes(routes)
  addStepRoutes(routes)
  addStepContentRoutes(routes)
  addTreeRoutes(routes)
  addMomentRoutes(routes)
  addTryCallRoutes(routes)
  addToolRoutes(routes)
  addToolRuleRoutes(routes)
  addRunToolRoutes(routes)
  addDirectoryRoutes(routes)
  addPeerRoutes(routes)
  app.notFound((context) =>
    refusalResponse(
      gateway,
      new Fault('NOT_FOUND', { what: 'endpoint', id: context.req.path.slice(0, 200) }),
      context,
      false,
    ),
  )
  app.onError((error, context) => refusalResponse(gateway, error, context, false))
  return app
}

async function answerPage(
  pages: Pages | null,
  { log, shortage }: Pick<GatewayContext, 'log' | 'shortage'>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  try {
    if (!pages) throw new Error('a page was asked for before the start')
    await pages.handle(request, response, path)
  } catch (error) {
    shortage.note(error)
    log.error({ err: error, path, request: requestIdOf(request) }, 'A page could not be served')
    // What the system refuses now, a descriptor for example, it may give later.
    if (!response.headersSent) response.writeHead(errorCode(error) === '' ? 500 : 503, { 'Retry-After': '1' })
    response.end()
  }
}

/** Whether a check passes; what it throws is logged. */
function passes(request: IncomingMessage, accessLog: AccessLog, check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    accessLog.refused(request, null, pathOf(request), error)
    return false
  }
}

/** In words, as text: a person opened it under a name that this server does not know. */
function refusePage(request: IncomingMessage, response: ServerResponse): void {
  const fault = new Fault('FOREIGN_HOST', { host: (request.headers.host ?? '').slice(0, 200) })
  const { status, body } = refusalAnswerOf(fault, readerLanguage(request.headers))
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${body.message}\n`)
}

function count(meter: HttpMeter, { method = 'GET' }: IncomingMessage, response: ServerResponse): void {
  const began = performance.now()
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : null
    meter.answered(method, status, performance.now() - began)
  })
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').replace(/[?#].*$/s, '')
const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export { uploadsKept } from './files/uploads'
export { ensureSamples } from './files/workspace'
export { CONNECTION_LIMITS } from './http/connections'
export { openEarlyServer } from './http/earlyServer'
export { CannotListenError } from './http/listen'
export { nextPart, PagesMissingError } from './http/pages'
export type { Log, ToolPort } from './ports'
export type { CompanyParts } from './sessions/company/companyAccess'
export type { SessionEnded, Sessions } from './sessions/sessions'

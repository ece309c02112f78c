/** A gateway on a port of its own, with a store in memory, an engine that runs nothing, and a clock that tests move. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hash } from '@node-rs/argon2'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { asId, type PeerId } from '@/lib/mas/ids'
import { openOpenedTasks, withOpened } from '@/server/engine/snapshots/opened/openedArchives'
import { openRestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import type { ToolInfo } from '@/server/tools'
import { type EngineDouble, engineDouble } from '@/test/engineDouble'
import { memoryStore } from '@/test/memoryStore'
import { openTestMoments } from '@/test/testMoments'
import { openTaskChanges } from '../../engine/moments/changes'
import { tryViews } from '../../monitor'
import { openClients } from '../../net'
import { PERSON_LIMITS } from '../../shared/limits'
import { CONNECTION_LIMITS, type Gateway, type GatewayOptions, openEarlyServer, openGateway, type ToolPort } from '..'
import { bodies, configured, facts, ID } from './world'

export const PASSWORD = 'correct horse'
export const SHELL =
  '<!doctype html><html><head><script>theme()</script><script src="/_next/a.js"></script></head><body><script>self.__next_f.push(1)</script></body></html>'
/** A file of the build. */
export const CHUNK = 'chunk() '.repeat(20)
export const LOGIN_SHELL = '<!doctype html><html><body><script>login()</script></body></html>'

export type DoubleCallOptions = {
  body?: unknown
  raw?: string
  cookie?: string | null
  headers?: Record<string, string>
}
export type CallAnswer = { status: number; json: Record<string, unknown>; headers: Headers; cookie: string | null }

export type Double = {
  gateway: Gateway
  engine: EngineDouble
  store: ReturnType<typeof memoryStore>
  url: string
  folder: string
  workspace: string
  logged: unknown[]
  failures: string[]
  clock: { now: number }
  call(method: string, path: string, options?: DoubleCallOptions): Promise<CallAnswer>
  /** The cookie of a person who has just signed in by password. */
  signIn(id: string): Promise<string>
}

/** Of what was logged, what was thrown; sign-ins and refusals are logged too. */
export const errorsIn = (logged: readonly unknown[]): unknown[] =>
  logged.filter((line) => typeof line === 'object' && line !== null && 'err' in line)

/** Tools without a server; tests override what they need. */
export const noServers: ToolPort = {
  describe: async () => ({ ok: false, code: 'TOOL_TRANSPORT', message: 'there is no server' }),
  servers: () => [],
  signIn: async () => ({ ok: false, code: 'TOOL_TRANSPORT', message: 'there is no server' }),
  finishSignIn: async () => ({
    ok: false,
    code: 'TOOL_TRANSPORT',
    message: 'no sign-in is waited for that this answers',
  }),
}

/** What a server with these tools says of itself. */
export const describedWith = (tools: ToolInfo[]): Awaited<ReturnType<ToolPort['describe']>> => ({
  ok: true,
  description: { server: 'files', guide: '', capabilities: [], tools, resources: [], prompts: [], unread: [] },
})

export const toolInfo = (name: string, more: Partial<ToolInfo> = {}): ToolInfo => ({
  server: 'files',
  name,
  description: `${name} a file`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  required: ['path'],
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
  confirm: false,
  confirmRule: 'risky',
  confirmByHand: false,
  repeatable: true,
  ...more,
})

/** A server as at the beginning of a start, on a port of its own. */
export const earlyServer = (host = '127.0.0.1', clients = openClients([])) =>
  openEarlyServer(host, 0, { node: 'test', version: '0.0.0-test', rehearsal: true }, CONNECTION_LIMITS, clients)

/** Of PASSWORD, at the least cost: a check takes as long as its hash says, and most tests only sign in. */
export const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1 })

type Change = Partial<GatewayOptions> & { passwords?: boolean; shells?: boolean }

/**
 * A gateway that listens until the end of the test. Everybody but Gone has the password PASSWORD, unless `changed`
 * differs.
 *
 * in      changed: parts that differ from the usual ones; a function where they depend on the engine
 */
export async function openDouble(
  changed: Change | ((made: Pick<Double, 'engine' | 'store' | 'clock'>) => Promise<Change>) = {},
): Promise<Double> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-gateway-'))
  const workspace = join(folder, 'workspace')
  await mkdir(workspace)
  const clock = { now: Date.UTC(2026, 10, 21, 10) }
  const now = () => clock.now
  const store = memoryStore({ now })
  const engine = await engineDouble(store, now)
  const change = typeof changed === 'function' ? await changed({ engine, store, clock }) : changed
  if (change.shells !== false) await writeShells(folder)
  const applied = await engine.commit(configured)
  if (!applied.ok) throw applied.fault
  for (const { body } of bodies) await store.bodies.put(body.bytes, body.mime)
  await engine.put(facts)
  engine.envelopes.length = 0
  if (change.passwords !== false) {
    for (const id of [ID.ana, ID.ben, ID.dev]) await store.accounts.setPassword(id, await passwordHash)
  }
  const logged: unknown[] = []
  const failures: string[] = []
  const early = change.early ?? (await earlyServer('127.0.0.1', change.clients))
  const gateway = openGateway({
    ...usualOptions(folder, { logged, failures, engine, store }),
    early,
    workspace,
    now,
    ...change,
  })
  onTestFinished(async () => {
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  })
  await gateway.start('127.0.0.1')
  const url = `http://127.0.0.1:${early.port}`

  const call: Double['call'] = async (method, path, { body, raw, cookie, headers = {} } = {}) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      body: content,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
    })
    const text = await answer.text()
    const json: unknown = JSON.parse(text)
    holdsToDocument(gateway, method, path, answer.status, json)
    const set = answer.headers.getSetCookie()[0]
    return {
      status: answer.status,
      json: z.record(z.string(), z.unknown()).parse(json),
      headers: answer.headers,
      cookie: set?.split(';')[0] ?? null,
    }
  }

  return {
    gateway,
    engine,
    store,
    url,
    folder,
    workspace,
    logged,
    failures,
    clock,
    call,
    async signIn(id) {
      const { cookie, status } = await call('POST', '/api/bind_human_agent', {
        body: { human_agent_id: id, password: PASSWORD },
      })
      if (status !== 200 || cookie === null) throw new Error(`${id} could not sign in: ${status}`)
      return cookie
    },
  }
}

/** Of a gateway in a test: no tools, no load, pages from the folder (writeShells). */
export function usualOptions(
  folder: string,
  { logged, failures, engine, store }: Pick<Double, 'logged' | 'failures'> & Pick<GatewayOptions, 'engine' | 'store'>,
): Omit<GatewayOptions, 'early' | 'workspace' | 'now'> {
  const log = (data: object) => void logged.push(data)
  const opened = openOpenedTasks({
    store,
    tryViews,
    now: () => engine.world().at,
    newId: randomUUID,
    log: { warn: log },
  })
  return {
    engine,
    store,
    past: withOpened(
      openRestoredTasks({ ...store, isLive: (task) => engine.world().tasks[task] !== undefined }),
      opened,
    ),
    moments: openTestMoments({ archive: store.archive, snapshots: store.snapshots }),
    taskChanges: openTaskChanges(store),
    opened,
    searchedTo: () => engine.world().seq,
    disk: { freeBytes: async () => null, leastBytes: 0 },
    hasFiles: true,
    meter: { answered: () => {}, refused: () => {}, signedIn: () => {}, short: () => {} },
    publicUrl: null,
    samples: null,
    teams: resolve('config/teams'),
    version: '0.0.0-test',
    models: () => ({ default: { provider: 'rehearsal', temperature: 0 } }),
    clients: openClients([]),
    tools: noServers,
    fileServers: [],
    personLimits: PERSON_LIMITS,
    personCalls: { list: () => [], settle: async () => false },
    outside: {
      refused: () => [],
      isSet: () => false,
      domain: () => 'ours.example',
      peerId: asId<PeerId>,
      artifacts: () => new Map(),
    },
    trial: { models: [], tools: [], tryOne: async () => null },
    modelOf() {
      throw new Error('there are no models')
    },
    isDraining: () => false,
    log: { info: log, warn: log, error: log },
    random: (n) => randomBytes(n),
    pages: {
      folder,
      dev: false,
      next: async () => ({
        handle: async (request, response) => void response.end(`next ${request.url}`),
        close: async () => {},
      }),
      failed: (sentence) => void failures.push(sentence),
    },
    sockets: null,
  }
}

export async function writeShells(folder: string): Promise<void> {
  const built = join(folder, '.next', 'server', 'app')
  await mkdir(built, { recursive: true })
  await mkdir(join(folder, 'app'))
  await mkdir(join(folder, 'public'))
  await writeFile(join(built, 'index.html'), SHELL)
  await writeFile(join(built, 'login.html'), LOGIN_SHELL)
  await mkdir(join(folder, '.next', 'static', 'chunks'), { recursive: true })
  await writeFile(join(folder, '.next', 'static', 'chunks', 'a.js'), CHUNK)
  await writeFile(join(folder, 'app', 'icon.svg'), '<svg/>')
  await writeFile(join(folder, 'public', 'badge.png'), 'picture')
  await writeFile(join(folder, 'public', 'sound.ogg'), 'sound')
  await writeFile(join(folder, 'public', 'service-worker.js'), 'worker')
  await writeFile(join(folder, 'public', 'manifest.webmanifest'), '{}')
}

/** Throws when the answer does not fit the route's schema in the OpenAPI document. */
function holdsToDocument(gateway: Gateway, method: string, path: string, status: number, json: unknown): void {
  const plain = path.replace(/\?.*$/, '')
  const found = gateway.app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === 'route' &&
    definition.route.method === method.toLowerCase() &&
    new RegExp(`^${definition.route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain)
      ? [definition.route]
      : [],
  )
  // A fixed path comes before one with a parameter: /api/work/demo is not /api/work/{id}.
  const route = found.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
  if (!route) {
    if (status === 404) return
    throw new Error(`${method} ${plain} answered ${status} and is not in the document`)
  }
  const responses = z
    .record(
      z.string(),
      z.looseObject({
        content: z.looseObject({ 'application/json': z.looseObject({ schema: z.instanceof(z.ZodType) }) }),
      }),
    )
    .parse(route.responses)
  const response = responses[String(status)] ?? responses[`${String(status).charAt(0)}XX`]
  if (!response) throw new Error(`${method} ${plain} answered ${status}, which the document does not name`)
  const { schema } = response.content['application/json']
  const strict = schema instanceof z.ZodObject && !schema.def.catchall ? schema.strict() : schema
  const checked = strict.safeParse(json)
  if (!checked.success) throw new Error(`${method} ${plain} ${status}: ${z.prettifyError(checked.error)}`)
}

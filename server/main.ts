/** The composition root: reads the configuration, builds the parts, wires them, and starts them in order. */

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { decodeEntry } from '@/lib/mas/decode'
import { openAdapters } from './adapters'
import {
  type Config,
  ConfigError,
  configCommand,
  isRehearsal,
  loadConfig,
  modelsShown,
  peerId,
  usesAgents,
} from './config'
import { openEngine, type RunningEngine } from './engine'
import { type MaintenanceJob, startMaintenance } from './engine/maintenance'
import { openRestoredTasks } from './engine/restoredTasks'
import { createSweeper } from './engine/sweep'
import { openFileWatch } from './files'
import {
  CannotListenError,
  CONNECTION_LIMITS,
  ensureSamples,
  isOwnOrigin,
  nextPart,
  openEarlyServer,
  openGateway,
  PagesMissingError,
  uploadsKept,
} from './gateway'
import { quietKept } from './gateway/presence'
import { attachSockets, type Sockets } from './gateway/sockets'
import { visitorOf } from './gateway/visitors'
import { openLog } from './log'
import { openMetrics } from './metrics'
import { type Models, openModels, PersonQueue } from './models'
import { openMonitor } from './monitor'
import { openClients } from './net'
import { openNotify } from './notify'
import { listenToTheProcess } from './processEvents'
import { openSearchIndexer } from './search'
import { openSetup } from './setup'
import { LIMITS, NO_LIMITS } from './shared/limits'
import { VERSION } from './shared/version'
import { guidesOf, loadPrompts, runSkill } from './skills'
import { startTrouble } from './startTrouble'
import { createStopping } from './stopping'
import { JournalMissingError, openSqliteStore, type Store, StoreLockedError, StoreTooNewError } from './store'
import { print, printStarted, printStoreState } from './terminal'
import { schedule, sleep } from './timers'
import { toolDesk } from './toolDesk'
import { agentsServer, openToolPool, pathsNamedIn } from './tools'
import { openTrial } from './trial'

/** The first pages come first. */
const ROOM_AFTER_MS = 3_000
/** With less space than this where the data are, the program says that it is not ready. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024
const folder = process.cwd()
const isDev = process.argv.includes('--dev')
/** For the words of a start that fails. */
let dataFolder = folder

/** What ends the program with a sentence instead of a stack: the person who started it can mend it. */
const MENDABLE = [
  ConfigError,
  JournalMissingError,
  StoreLockedError,
  StoreTooNewError,
  CannotListenError,
  PagesMissingError,
]

async function main(): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'), { folder })
  dataFolder = config.dataFolder
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
  mkdirSync(config.workspaceFolder, { recursive: true })
  const logPath = join(config.dataFolder, 'convene.log')
  const logFile = openLog(logPath)
  const { log } = logFile
  const stopping = createStopping({ log, flush: logFile.flushSync, exit: (code) => process.exit(code), schedule })
  stopping.add('log', logFile.close)
  listenToTheProcess(stopping)
  for (const warning of config.warnings) print(`Note: ${warning}`)

  const about = { node: config.node, version: VERSION, rehearsal: isRehearsal(config) }
  const clients = openClients(config.trustedProxies)
  const connections = config.bench
    ? { ...CONNECTION_LIMITS, mostOfStranger: Number.POSITIVE_INFINITY }
    : CONNECTION_LIMITS
  const door = await openEarlyServer(config.host, config.port, about, connections, clients)
  const store = await openSqliteStore(config.dataFolder, {})
  stopping.add('store', store.close)
  store.onState((state) => {
    if (state.is === 'lost') return lose(state.reason)
    if (state.is === 'ok') log.info({}, 'the store can be written again')
    else log.error({ reason: state.reason }, 'the store cannot be written')
    printStoreState(state)
  })
  function lose(reason: string): void {
    if (stopping.isStopping()) return
    log.fatal({ reason }, 'the store is lost')
    printStoreState({ is: 'lost', reason })
    void stopping.stop(1)
  }
  const samples = join(folder, 'samples')
  await ensureSamples(samples, config.workspaceFolder, config.team.language)
  let address = config.publicUrl ?? `http://${config.host}:${config.port}`
  const toolOptions = {
    log,
    signIn: {
      folder: join(config.dataFolder, 'tool-sign-ins'),
      redirectUrl: () => `${address}/api/tools/oauth/callback`,
    },
  }
  // It is called when everything stands.
  const agents = agentsServer({
    send: (caller, wish, signal) => adapters.agents.send(caller, wish, signal),
    known: () => adapters.agents.known(),
  })
  const builtIn = usesAgents(config) ? [agents] : []
  const secretKey = process.env.CONVENE_SECRET_KEY?.trim() || undefined
  const setup = await openSetup({ config, accounts: store.accounts, secretKey, tools: toolOptions, builtIn })
  const pool = openToolPool([...config.tools, ...builtIn], toolOptions)
  setup.serve(pool)
  stopping.add('tools', pool.close)
  const queue = new PersonQueue()
  const modelsOfSetup = openModels({
    queue,
    models: setup.models,
    rehearsal: config.rehearsal,
    sleep,
    secret: setup.secret,
  })
  const configured = setup.asTeam(modelsOfSetup)
  // Synthetic load belongs to the benches; no other server reads its files.
  const load = config.bench
    ? (await import('@/bench/load')).createLoads({ newId: randomUUID, now: Date.now, sleep })
    : null
  const models: Models = { get: (name) => (name === load?.model.name ? load.model : configured.get(name)) }
  const metrics = openMetrics({ version: VERSION, clock: () => performance.now() })
  const prompts = loadPrompts(join(folder, 'prompts'), join(dirname(config.file), 'prompts'))

  const skills = runSkill(prompts)
  const team = configCommand(config, guidesOf(prompts[config.team.language]))
  const files = openFileWatch({
    root: config.workspaceFolder,
    namedIn: (args) => pathsNamedIn(config.workspaceFolder, args),
    bodies: store.bodies,
    keep: config.files.versions,
    onTrouble: (error) => log.warn({ err: error }, 'the workspace could not be compared'),
  })
  const engine = await openEngine({
    store,
    node: config.node,
    runSkill: load === null ? skills : load.runSkill(skills),
    models: metrics.models.watch(models),
    pool: metrics.tools.watch(pool),
    files,
    config: load?.configured(team) ?? team,
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log,
    meter: metrics.commits,
    onConfigured: setup.take,
    onBroken: (error) => lose(sentence(error)),
  })
  engine.onDecision((_, world) => setup.take(world))
  stopping.add('engine', engine.stop)
  const past = openRestoredTasks({
    archive: store.archive,
    snapshots: store.snapshots,
    isLive: (task) => engine.world().tasks[task] !== undefined,
  })
  const monitor = await openMonitor({
    engine,
    past,
    journal: journalOf(store),
    run: randomUUID(),
    now: Date.now,
    ...(config.bench ? { mono: () => performance.now() } : {}),
    schedule,
  })
  stopping.add('monitor', monitor.close)
  // Load and fault tests measure what stands behind the limits.
  const limits = config.bench ? NO_LIMITS : LIMITS
  const adapters = openAdapters({
    clients,
    limits,
    engine,
    bodies: store.bodies,
    past,
    // It is called when everything stands.
    visitorOf: (request) => visitorOf(gateway.sessions, config.publicUrl, request),
    ourselves: () => ({
      domain: config.team.domain ?? new URL(address).host,
      address: address.replace(/\/$/, ''),
      name: config.team.name,
      owner: config.team.owner,
      device: config.team.device,
      allowedAgents: config.team.allowedAgents,
      public: config.team.public,
      requireAuth: config.team.requireAuth,
      trajectory: config.team.trajectory,
    }),
    secrets: config.peers.map((peer) => ({
      id: peerId(peer.uri),
      key: secretOf(config, peer.keyEnv),
      sendKey: secretOf(config, peer.sendKeyEnv),
      signingKey: secretOf(config, peer.signingKeyEnv),
      signature: peer.signature,
    })),
    secret: (name) => secretOf(config, name),
    now: Date.now,
    newId: randomUUID,
    schedule,
    log,
  })
  const filler = openSearchIndexer({
    store,
    world: () => engine.world(),
    onDecision: (listener) => engine.onDecision(listener),
    schedule,
    onTrouble: (error) => log.warn({ err: error, seq: filler.upTo() }, 'the search could not be filled'),
  })
  stopping.add('search', filler.stop)
  const notify = await openNotify({
    engine,
    people: store.people,
    config,
    address: () => address,
    now: Date.now,
    newId: randomUUID,
    schedule,
    log,
  })
  stopping.add('notices', notify.stop)
  const freeBytes = (): Promise<number | null> => freeBytesAt(config.dataFolder)
  let sockets: Sockets | null = null
  const gateway = openGateway({
    clients,
    searchedTo: filler.upTo,
    adapters,
    outside: { ...adapters, peerId },
    door,
    engine,
    past,
    store,
    publicUrl: config.publicUrl,
    workspace: config.workspaceFolder,
    files,
    fileServers: config.tools.flatMap(({ name, root }) => (root === undefined ? [] : [name])),
    samples,
    version: VERSION,
    staleAfterMs: config.team.staleAfterMs,
    models: () => modelsShown({ models: setup.models() }),
    tools: toolDesk(pool),
    load: load?.driver(engine) ?? null,
    queue,
    notify,
    setup,
    trial: openTrial(config, toolOptions, setup),
    log,
    meter: metrics.gateway,
    metrics: {
      contentType: metrics.contentType,
      text: metrics.text,
      token: process.env.METRICS_TOKEN?.trim() || null,
      hasProxy: config.trustedProxies.length > 0,
    },
    disk: { freeBytes, leastBytes: LEAST_FREE_BYTES },
    limits,
    now: Date.now,
    random: (n) => randomBytes(n),
    pages: {
      folder,
      dev: isDev,
      next: (http, host, port) => nextPart({ folder, dev: isDev, host, port, http }),
      failed(reason) {
        print(reason)
        void stopping.stop(1)
      },
    },
    sockets: (http, sessions) => {
      sockets = attachSockets(http, {
        engine,
        monitor,
        now: Date.now,
        meter: metrics.gateway,
        limits: { messages: limits.pageMessages },
        originAllowed: (origin, host) => origin === undefined || isOwnOrigin(origin, host, config.publicUrl),
        async sessionOf(cookie) {
          const caller = await sessions.callerOf({ cookie })
          return caller && { person: caller.person.id, sessionId: caller.session.id }
        },
        onSessionEnded: (listener) => sessions.onEnded(listener),
        quietOf: (person) => quietKept(store.people, person, Date.now()),
      })
      return sockets
    },
  })
  metrics.watch({
    world: () => engine.world(),
    now: Date.now,
    onDecision: (listener) => engine.onDecision(listener),
    sockets: () => ({ open: sockets?.count() ?? 0, bufferedBytes: sockets?.bufferedBytes() ?? 0 }),
    subscriptions: () => monitor.counts().subscriptions,
    peerRefusals: adapters.refused,
    servers: () => pool.servers(),
    droppedLines: logFile.dropped,
    isStoreOk: () => engine.storeState().is === 'ok',
    freeBytes,
  })

  const stopChores = startMaintenance({
    chores: [
      { name: 'first outcomes of commands', run: (now) => store.journal.forgetOutcomes(now) },
      { name: 'sessions and links that are over', run: (now) => store.accounts.sweep(now) },
      { name: 'old snapshots', run: (now) => store.snapshots.prune(now) },
      ...sweeping(config, store, engine),
    ],
    now: Date.now,
    schedule,
    onTrouble: (error, chore) => log.warn({ err: error, chore }, 'a chore failed'),
  })

  stopping.add('chores', stopChores)
  stopping.add('gateway', gateway.stop)
  stopping.add('faces', adapters.stop)

  await gateway.applyPasswords(
    config.humans.map(({ agent, passwordEnv, passwordHash }) => ({
      id: agent.id,
      password: passwordEnv === null ? null : (config.secret(passwordEnv) ?? null),
      hash: passwordHash,
    })),
  )
  const { url, pagesReady } = await gateway.start(config.host, config.port)
  address = url
  adapters.start()
  const link = await gateway.firstLink()
  await pagesReady
  schedule(() => {
    store.makeRoom().catch((error: unknown) => log.warn({ err: error }, 'no room was made in the log of the database'))
  }, ROOM_AFTER_MS)
  printStarted({
    url,
    link,
    isRehearsal: isRehearsal(config),
    recovered: engine.recovered,
    workspace: config.workspaceFolder,
    data: config.dataFolder,
    log: logPath,
  })
}

/** Bodies of archives that are older than they are to be kept; without that everything stays. */
function sweeping(config: Config, store: Store, engine: RunningEngine): MaintenanceJob[] {
  const { keepDays } = config.archives
  if (keepDays === null) return []
  const named = (now: number): Promise<string[]> => {
    const persons = Object.values(engine.world().agents).filter((agent) => agent.kind === 'human')
    return uploadsKept(store.people, persons, now)
  }
  return [{ name: 'bodies of old archives', run: createSweeper({ store, keepMs: keepDays * DAY_MS, named }) }]
}

const DAY_MS = 24 * 3_600_000

/** null: the system does not tell. */
const freeBytesAt = (path: string): Promise<number | null> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

const secretOf = (config: Config, name: string | null): string | null =>
  name === null ? null : (config.secret(name) ?? null)

const journalOf = ({ journal }: Awaited<ReturnType<typeof openSqliteStore>>) => ({
  id: journal.id,
  read: async (after: number, limit: number) => (await journal.read(after, limit)).map(decodeEntry),
})

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

main().catch((error: unknown) => {
  const plain = MENDABLE.some((kind) => error instanceof kind) ? sentence(error) : startTrouble(error, dataFolder)
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${plain ?? stack}\n`)
  process.exit(1)
})

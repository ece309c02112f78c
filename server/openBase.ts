/** What all parts of a start share: the configuration, the log, the store, the early server, and how the process ends. */
import { existsSync, mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Config, isRehearsal } from './config'
import { CONNECTION_LIMITS, type Log, openEarlyServer } from './gateway'
import { openLog } from './log'
import { openMetrics } from './metrics'
import { isLoopback, openClients } from './net'
import { NODES, type Nodes } from './nodes'
import { limitsWith, NO_LIMITS, NO_PERSON_LIMITS } from './shared/limits'
import { VERSION } from './shared/version'
import { createStopping, listenToTheProcess } from './stopping'
import {
  type ClockState,
  JournalUnfitError,
  KNOWN_HEAD_REMEDY,
  keepHead,
  missingEntries,
  openStore,
  type Store,
} from './store'
import { print, printClock, printStoreState } from './terminal'
import { expectedTime, noteTime } from './timeNote'
import { schedule } from './timers'

export type Base = Awaited<ReturnType<typeof openBase>>

/** in: folder: the folder of the program */
export async function openBase(config: Config, folder: string) {
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
  mkdirSync(config.workspaceFolder, { recursive: true })
  const logPath = join(config.dataFolder, 'convene.log')
  const logFile = openLog(logPath)
  const { log } = logFile
  const stopping = createStopping({ log, exit: (code) => process.exit(code), schedule })
  listenToTheProcess(stopping)
  for (const warning of config.warnings) print(`Note: ${warning}`)

  const about = { node: config.node, version: VERSION, rehearsal: isRehearsal(config) }
  const clients = openClients(config.trustedProxies)
  const connections = config.bench
    ? { ...CONNECTION_LIMITS, mostOfStranger: Number.POSITIVE_INFINITY }
    : CONNECTION_LIMITS
  const early = await openEarlyServer(config.host, config.port, about, connections, clients)
  const nodes = await nodesOf(config, log)
  if (nodes) stopping.add('nodes', nodes.close)
  const self = {
    node: config.node,
    address: nodes?.address ?? null,
    mark: nodes?.mark ?? '',
    follows: !config.hasFiles,
  }
  const store = await openStore(config, {
    self,
    expected: config.trustsClock ? undefined : expectedTime(config.dataFolder),
  })
  stopping.add('store', async () => {
    noteTime(config.dataFolder, store.now())
    await keepHead(config.dataFolder, store)
    await store.close()
  })
  noteTime(config.dataFolder, store.now())
  await ensureNotShorter(config, store, log)
  store.clock.onState((state) => reportClock(state, log))
  if (store.clock.state().is !== 'right') reportClock(store.clock.state(), log)
  await noteOfJournalLeft(config, store)
  const lose = (reason: string): void => {
    if (stopping.isStopping()) return
    log.fatal({ reason }, 'the store is lost')
    printStoreState({ is: 'lost', reason })
    void stopping.stop(1)
  }
  store.onState((state) => {
    if (state.is === 'lost') return lose(state.reason)
    if (state.is === 'ok') log.info({}, 'the store can be written again')
    else log.error({ reason: state.reason }, 'the store cannot be written')
    printStoreState(state)
  })
  return {
    config,
    folder,
    /** The first tasks of a newcomer read its files. */
    samples: join(folder, 'samples'),
    teams: join(folder, 'config', 'teams'),
    logPath,
    logFile,
    log,
    stopping,
    clients,
    early,
    store,
    /** The way to other nodes; null: there can be none. */
    nodes,
    lose,
    metrics: openMetrics({ version: VERSION, clock: () => performance.now() }),
    // Load and fault tests measure the code behind the limits.
    limits: config.bench ? NO_LIMITS : limitsWith(config.personLimits),
    personLimits: config.bench ? NO_PERSON_LIMITS : config.personLimits,
    /** Where this server is reached; known for sure once it listens. */
    address: { url: config.publicUrl ?? `http://${config.host}:${config.port}` },
  }
}

/** Another program, a copy or a replaced disk may have put an older journal in its place. */
async function ensureNotShorter({ dataFolder, databaseUrl }: Config, store: Store, log: Log): Promise<void> {
  const why = await missingEntries(dataFolder, store.journal, { isElsewhere: databaseUrl !== null })
  if (why === null) return
  if (databaseUrl === null) {
    await store.close()
    throw new JournalUnfitError(dataFolder, why, KNOWN_HEAD_REMEDY)
  }
  // A database is put back by its own tools, on purpose.
  log.error({ reason: why }, 'the journal is not the one that was there')
  print(`Note: ${why}.`)
}

function reportClock(state: ClockState, log: Log): void {
  const { is, offsetMs } = state
  printClock(state)
  if (is === 'right') log.info({}, 'the clock is right again')
  if (is === 'ahead') log.error({ offsetMs }, 'the time of the journal is ahead of the clock')
  if (is === 'jumped') log.error({ offsetMs }, 'the clock jumped forward and is not believed')
}

/** Several nodes need a database for all of them and a key that all of them have. */
async function nodesOf({ node, nodeAddress, host, databaseUrl }: Config, log: Log): Promise<Nodes | null> {
  const secret = process.env.CONVENE_SECRET_KEY?.trim()
  if (databaseUrl === null || !secret) return null
  const address = nodeAddress ?? `${isLoopback(host) ? '127.0.0.1' : hostname()}:0`
  const onTrouble = (error: unknown): void => log.error({ err: error }, 'unexpected error between nodes')
  return NODES.get('DATABASE_URL')({ node, secret, address, schedule, onTrouble })
}

/** A person who sets DATABASE_URL for the first time may expect their team there. */
async function noteOfJournalLeft({ databaseUrl, dataFolder }: Config, { journal }: Store): Promise<void> {
  const isNew = databaseUrl !== null && (await journal.head()).seq === 0
  if (isNew && existsSync(join(dataFolder, 'convene.db')))
    print(`Note: the database is empty, a new team begins. The one in ${dataFolder} is taken there by npm run move.`)
}

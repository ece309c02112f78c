/** The composition root: reads the configuration, builds the parts, wires them, and starts them in order. */
import './packages'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { errorMessage } from '@/server/shared/errors'
import { ConfigError, isRehearsal, loadConfig } from './config'
import { DRAIN_MS } from './engine'
import { CannotListenError, ensureSamples, PagesMissingError } from './gateway'
import { startMaintenanceJobs } from './maintenance'
import { openNotify } from './notify'
import { openRecount } from './numbers'
import { type Abilities, openAbilities } from './openAbilities'
import { openBase } from './openBase'
import { openConsole } from './openConsole'
import { type Core, openCore } from './openCore'
import { openPeers } from './openPeers'
import { loopWork, watchQuiet } from './quiet'
import { openSearchIndexer } from './search'
import { isHere, PackageMissingError } from './shared/packages'
import { startTrouble } from './startTrouble'
import { DatabaseUnfitError, JournalUnfitError, placeShown, StoreLockedError, StoreTooNewError } from './store'
import { print, printStarted, printTrouble } from './terminal'
import { schedule } from './timers'
import { agentsServer } from './tools'

const folder = process.cwd()
const isDev = process.argv.includes('--dev')
/** Where the journal is, for the words of a start that fails. */
let place = folder

/** Errors that end the program with a sentence instead of a stack: the user can fix them. */
const MENDABLE = [
  ConfigError,
  DatabaseUnfitError,
  JournalUnfitError,
  StoreLockedError,
  StoreTooNewError,
  CannotListenError,
  PackageMissingError,
  PagesMissingError,
]

/** What a program that measures the server puts around its parts. */
type Around = { abilities?(configured: Abilities): Abilities; core?(opened: Core): Core }

/** Resolves when it is started; a start that fails ends the process, with a sentence where the user can fix it. */
export function runServer(around: Around = {}): Promise<void> {
  return start(around).catch((error: unknown) => {
    const plain = MENDABLE.some((kind) => error instanceof kind) ? errorMessage(error) : startTrouble(error, place)
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    printTrouble(plain ?? stack)
    process.exit(1)
  })
}

async function start({ abilities: withOwn = (same) => same, core: watched = (same) => same }: Around): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'), { folder })
  place = placeShown(config)
  const base = await openBase(config, folder)
  const { store, stopping, log, address } = base
  await ensureSamples(base.samples, config.workspaceFolder, config.team.language)
  // It is called after everything has been opened.
  const agents = agentsServer({
    send: (caller, wish, signal) => adapters.agents.send(caller, wish, signal),
    report: (caller, wish) => adapters.agents.report(caller, wish),
    known: () => adapters.agents.known(),
  })
  const configured = await openAbilities(base, isHere('interop') ? [agents] : [])
  const abilities = withOwn(configured)
  const core = watched(await openCore(base, abilities))
  const { engine } = core
  stopping.add('quiet', watchQuiet({ worked: loopWork(), onQuiet: engine.rest, schedule }))
  const adapters = openPeers(base, core, abilities, () => gateway.sessions)
  const indexer = openSearchIndexer({
    store,
    world: () => engine.world(),
    onDecision: (listener) => engine.onDecision(listener),
    schedule,
    onTrouble: (error) => log.warn({ err: error, seq: indexer.upTo() }, 'the search index could not be updated'),
  })
  core.onErased(indexer.again)
  stopping.add('search', indexer.stop)
  const recount = openRecount({
    store,
    leads: engine.leads,
    isErased: (task) => Object.hasOwn(engine.world().erased, task),
    schedule,
    onTrouble: (error) => log.warn({ err: error }, 'the journal could not be recounted'),
  })
  stopping.add('counters', recount.stop)
  const notify = await openNotify({
    engine,
    people: store.people,
    config,
    address: () => address.url,
    now: store.now,
    newId: randomUUID,
    schedule,
    log,
    nodes: base.nodes,
  })
  stopping.add('notices', notify.stop)
  const searchedTo = indexer.upTo
  const gateway = openConsole({ base, abilities, core, adapters, isDev, searchedTo, notify })
  stopping.add('maintenance', startMaintenanceJobs(base, core))
  stopping.add('gateway', gateway.stop)
  stopping.add('adapters', adapters.stop)
  // First of all: other nodes decide and take the work while this one still serves.
  stopping.add('work', engine.drain, DRAIN_MS + 500)

  const passwords = config.humans.map(({ agent, passwordEnv, passwordHash }) => ({
    id: agent.id,
    password: passwordEnv === null ? null : (config.secret(passwordEnv) ?? null),
    hash: passwordHash,
  }))
  await gateway.applyPasswords(passwords)
  const { url, pagesReady } = await gateway.start(config.host)
  address.url = url
  adapters.start()
  // A link ends the one before: the node that decides has said it.
  const link = engine.leads() ? await gateway.firstLink() : null
  await pagesReady
  printStarted({
    url,
    link,
    isRehearsal: isRehearsal(config),
    recovered: engine.recovered,
    workspace: config.workspaceFolder,
    data: placeShown(config),
    log: base.logPath,
  })
  // Said after the start: the list of common passwords takes time to load.
  for (const { name, why } of await gateway.weakOf(passwords))
    print(`Note: the password that the configuration names for ${name} is weak. ${why}`)
}

/**
 * The composition root: reads the configuration, builds the parts, wires them, starts, stops.
 *
 * Owns: the order of starting and stopping, what is said on the terminal. Not here: anything that a part does.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleepFor } from 'node:timers/promises'
import pino from 'pino'
import { decodeEntry } from '@/lib/mas/decode'
import type { Json } from '@/lib/mas/records'
import { type Config, ConfigError, configCommand, isRehearsal, loadConfig, peerId, usesAgents } from './config'
import { openEngine, type RunningEngine } from './engine'
import { type Chore, startChores } from './engine/chores'
import { createLoads } from './engine/loadDriver'
import { openPast } from './engine/past'
import { createSweeper } from './engine/sweep'
import { openFaces } from './faces'
import {
  CannotListenError,
  ensureSamples,
  isOwnOrigin,
  nextPart,
  openDoor,
  openGateway,
  PagesMissingError,
  uploadsKept,
} from './gateway'
import { quietKept } from './gateway/presence'
import { attachSockets } from './gateway/sockets'
import { visitorOf } from './gateway/visitors'
import { type Models, openModels, PersonDesk } from './models'
import { openMonitor } from './monitor'
import { openClients } from './net'
import { openNotify } from './notify'
import { openSearchFiller } from './search'
import { VERSION } from './shared/version'
import { loadPrompts, runSkill } from './skills'
import { openSqliteStore, type Store, StoreLockedError, StoreTooNewError } from './store'
import { agentsServer, checkArguments, checkForm, openToolPool, type SignInDesk, type ToolPool } from './tools'
import { openTrial } from './trial'

/** The first pages come first. */
const ROOM_AFTER_MS = 3_000
const folder = process.cwd()
const isDev = process.argv.includes('--dev')

/** What ends the program with a sentence instead of a stack: the person who started it can mend it. */
const MENDABLE = [ConfigError, StoreLockedError, StoreTooNewError, CannotListenError, PagesMissingError]

async function main(): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'), { folder })
  mkdirSync(config.dataFolder, { recursive: true })
  mkdirSync(config.workspaceFolder, { recursive: true })
  const logFile = join(config.dataFolder, 'convene.log')
  const log = pino({ level: 'info' }, pino.destination({ dest: logFile, sync: false }))
  for (const warning of config.warnings) print(`Note: ${warning}`)

  const about = { node: config.node, version: VERSION, rehearsal: isRehearsal(config) }
  const door = await openDoor(config.host, config.port, about)
  const store = await openSqliteStore(config.dataFolder, {})
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
    send: (caller, wish, signal) => faces.agents.send(caller, wish, signal),
    known: () => faces.agents.known(),
  })
  const pool = openToolPool(usesAgents(config) ? [...config.tools, agents] : config.tools, toolOptions)
  const desk = new PersonDesk()
  const configured = openModels({
    desk,
    models: config.models,
    rehearsal: config.rehearsal,
    sleep,
    secret: config.secret,
  })
  const load = createLoads({ newId: randomUUID, now: Date.now, sleep })
  const models: Models = { get: (name) => (name === load.model.name ? load.model : configured.get(name)) }
  const prompts = loadPrompts(join(folder, 'prompts'), join(dirname(config.file), 'prompts'))

  const engine = await openEngine({
    store,
    node: config.node,
    runSkill: runSkill(prompts),
    models,
    pool,
    config: configCommand(config),
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log,
    onBroken(error) {
      log.fatal({ err: error }, 'The store cannot be written')
      print(`The store cannot be written, nothing is accepted any more: ${sentence(error)}`)
      process.exitCode = 1
      void stop()
    },
  })
  const past = openPast({
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
  const clients = openClients(config.trustedProxies)
  const faces = openFaces({
    clients,
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
    })),
    secret: (name) => secretOf(config, name),
    now: Date.now,
    newId: randomUUID,
    schedule,
    log,
  })
  const filler = openSearchFiller({
    store,
    world: () => engine.world(),
    onDecision: (listener) => engine.onDecision(listener),
    schedule,
    onTrouble: (error) => log.warn({ err: error }, 'the search could not be filled'),
  })
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
  const gateway = openGateway({
    clients,
    searchedTo: filler.upTo,
    faces,
    outside: { ...faces, peerId },
    door,
    engine,
    past,
    store,
    publicUrl: config.publicUrl,
    workspace: config.workspaceFolder,
    samples,
    version: VERSION,
    staleAfterMs: config.team.staleAfterMs,
    models: modelsShown(config),
    tools: toolDesk(pool),
    load: config.bench ? load.driver(engine) : null,
    desk,
    notify,
    trial: openTrial(config, toolOptions),
    log,
    now: Date.now,
    random: (n) => randomBytes(n),
    pages: {
      folder,
      dev: isDev,
      next: (http, host, port) => nextPart({ folder, dev: isDev, host, port, http }),
      failed(reason) {
        print(reason)
        process.exit(1)
      },
    },
    sockets: (http, sessions) =>
      attachSockets(http, {
        engine,
        monitor,
        now: Date.now,
        originAllowed: (origin, host) => origin === undefined || isOwnOrigin(origin, host, config.publicUrl),
        async sessionOf(cookie) {
          const caller = await sessions.callerOf({ cookie })
          return caller && { person: caller.person.id, sessionId: caller.session.id }
        },
        onSessionEnded: (listener) => sessions.onEnded(listener),
        quietOf: (person) => quietKept(store.people, person, Date.now()),
      }),
  })

  const stopChores = startChores({
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

  let stopping: Promise<void> | null = null
  function stop(): Promise<void> {
    stopping ??= (async () => {
      await faces.stop()
      await gateway.stop()
      await stopChores()
      await filler.stop()
      notify.stop()
      monitor.close()
      await engine.stop()
      await pool.close()
      await store.close()
      log.flush()
    })()
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping === null) print('Stopping.')
      void stop().then(() => process.exit())
    })
  }

  await gateway.applyPasswords(
    config.humans.map(({ agent, passwordEnv, passwordHash }) => ({
      id: agent.id,
      password: passwordEnv === null ? null : (config.secret(passwordEnv) ?? null),
      hash: passwordHash,
    })),
  )
  const { url, pagesReady } = await gateway.start(config.host, config.port)
  address = url
  faces.start()
  const link = await gateway.firstLink()
  await pagesReady
  schedule(() => {
    store.makeRoom().catch((error: unknown) => log.warn({ err: error }, 'no room was made in the log of the database'))
  }, ROOM_AFTER_MS)
  print('')
  print(`Convene is at ${url}`)
  if (link) print(`Sign in as ${link.name} (one use, 15 minutes): ${link.url}`)
  if (isRehearsal(config)) print('No model is configured: a built-in program plays the agents (the rehearsal).')
  if (engine.recovered > 0) print(`${engine.recovered} steps that were running at the last stop go on.`)
  print(`Workspace, the files that agents may read: ${config.workspaceFolder}`)
  print(`Data: ${config.dataFolder}, log: ${logFile}`)
  print('Stop with Ctrl+C.')
}

/** Bodies of archives that are older than they are to be kept; without that everything stays. */
function sweeping(config: Config, store: Store, engine: RunningEngine): Chore[] {
  const { keepDays } = config.archives
  if (keepDays === null) return []
  const named = (now: number): Promise<string[]> => {
    const persons = Object.values(engine.world().agents).filter((agent) => agent.kind === 'human')
    return uploadsKept(store.people, persons, now)
  }
  return [{ name: 'bodies of old archives', run: createSweeper({ store, keepMs: keepDays * DAY_MS, named }) }]
}

const DAY_MS = 24 * 3_600_000

const secretOf = (config: Config, name: string | null): string | null =>
  name === null ? null : (config.secret(name) ?? null)

/** What llm_config shows of a model: no key, not even its name. */
const modelsShown = (config: Config): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(config.models).map(
      ([name, { provider, baseUrl, model, temperature, contextTokens, timeLimitMs }]) => [
        name,
        {
          provider,
          base_url: baseUrl,
          model,
          temperature,
          context_tokens: contextTokens,
          time_limit_s: timeLimitMs / 1_000,
        },
      ],
    ),
  )

const journalOf = ({ journal }: Awaited<ReturnType<typeof openSqliteStore>>) => ({
  id: journal.id,
  read: async (after: number, limit: number) => (await journal.read(after, limit)).map(decodeEntry),
})

function toolDesk(pool: ToolPool & SignInDesk) {
  const infoOf = async (server: string, tool: string) => {
    const described = await pool.describe(server)
    return described.ok ? described.description.tools.find((info) => info.name === tool) : undefined
  }
  return {
    async describe(server: string) {
      const described = await pool.describe(server)
      return described.ok
        ? { ok: true as const, tools: described.description.tools }
        : { ok: false as const, message: described.message }
    },
    checkForm: (schema: Json, content: Json) => checkForm(schema, content),
    servers: () => pool.servers(),
    signIn: (server: string) => pool.signIn(server),
    finishSignIn: (answer: { state: string; code: string }) => pool.finishSignIn(answer),
    async schema(server: string, tool: string): Promise<Json | null> {
      const info = await infoOf(server, tool)
      return info ? (JSON.parse(JSON.stringify(info.inputSchema)) as Json) : null
    },
    async check(server: string, tool: string, args: Json): Promise<string | null> {
      const info = await infoOf(server, tool)
      if (!info) return null
      const checked = await checkArguments(info, args)
      return checked.ok ? null : checked.message
    },
  }
}

const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal })
}

function schedule(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

main().catch((error: unknown) => {
  const isMendable = MENDABLE.some((kind) => error instanceof kind)
  process.stderr.write(
    `${isMendable || !(error instanceof Error) ? sentence(error) : (error.stack ?? error.message)}\n`,
  )
  process.exit(1)
})

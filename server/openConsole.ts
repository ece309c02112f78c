/** The gateway with pages, API and sockets over all other parts, and the metrics of all of them. */
import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { type Config, peerId } from './config'
import { watchCutOff } from './cutOff'
import { withOpened } from './engine/snapshots/opened/openedArchives'
import { type Gateway, type GatewayOptions, nextPart, openGateway, type SessionEnded, type Sessions } from './gateway'
import { socketSessionOf } from './gateway/sessions/visitors'
import { quietKept } from './gateway/sockets/presence'
import { attachSockets, type Sockets } from './gateway/sockets/sockets'
import { MCP_SERVER } from './mcpServer'
import type { Nodes } from './nodes'
import type { Abilities } from './openAbilities'
import type { Base } from './openBase'
import { openCompany } from './openCompany'
import type { Core } from './openCore'
import type { OtherSystems } from './otherSystems'
import { isHere } from './shared/packages'
import { VERSION } from './shared/version'
import { print } from './terminal'
import { openTrial } from './trial'

/** With less space than this where the data are, the program says that it is not ready. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024

type ConsoleParts = Pick<GatewayOptions, 'searchedTo' | 'notify'> & {
  base: Base
  abilities: Abilities
  core: Core
  adapters: OtherSystems
  isDev: boolean
}

export function openConsole({ base, abilities, core, adapters, isDev, ...others }: ConsoleParts): Gateway {
  const { config, folder, log, metrics, nodes, store, stopping } = base
  const { setup, pool } = abilities
  const freeBytes = (): Promise<number | null> => freeBytesAt(config.dataFolder)
  let sockets: Sockets | null = null
  const company = openCompany(base)
  const gateway = openGateway({
    ...others,
    clients: base.clients,
    adapters,
    ...(isHere('mcp-server') ? { mcpServer: MCP_SERVER.get('The MCP server') } : {}),
    ...(company ? { company } : {}),
    outside: { ...adapters, peerId },
    early: base.early,
    engine: core.engine,
    past: withOpened(core.past, core.opened),
    moments: core.moments,
    taskChanges: core.taskChanges,
    opened: core.opened,
    store,
    publicUrl: config.publicUrl,
    workspace: config.workspaceFolder,
    files: abilities.files,
    fileServers: config.tools.flatMap(({ name, root }) => (root === undefined ? [] : [name])),
    samples: base.samples,
    teams: base.teams,
    version: VERSION,
    staleAfterMs: config.team.staleAfterMs,
    models: () => modelsShown(setup.models()),
    modelOf: abilities.models.get,
    tools: pool,
    personCalls: abilities.personCalls,
    setup,
    trial: openTrial(config, abilities.toolOptions, setup),
    log,
    meter: metrics.gateway,
    metrics: {
      contentType: metrics.registry.contentType,
      text: () => metrics.registry.metrics(),
      token: process.env.METRICS_TOKEN?.trim() || null,
      hasProxy: config.trustedProxies.length > 0,
    },
    disk: { freeBytes, leastBytes: LEAST_FREE_BYTES },
    isDraining: stopping.isStopping,
    hasFiles: config.hasFiles,
    ...(nodes ? { isCutOff: watchCutOff(() => core.engine.leads() || nodes.isConnected()) } : {}),
    limits: base.limits,
    personLimits: base.personLimits,
    now: store.now,
    random: (n) => randomBytes(n),
    pages: {
      folder,
      dev: isDev,
      next: (http, host, port) => nextPart({ folder, host, port, http }),
      failed(reason) {
        print(reason)
        void stopping.stop(1)
      },
    },
    sockets: (http, sessions, isOurs) => {
      sockets = attachSockets(http, {
        engine: core.engine,
        monitor: core.monitor,
        ...(nodes ? { nodes } : {}),
        now: store.now,
        meter: metrics.gateway,
        limits: { messages: base.limits.pageMessages, pages: base.personLimits.socketsPerPerson },
        isOurs,
        sessionOf: (credentials) => socketSessionOf(sessions, credentials),
        onSessionEnded: (listener) => endedAnywhere(sessions, nodes, listener),
        quietOf: (person) => quietKept(store.people, person, store.now()),
      })
      return sockets
    },
  })
  metrics.watch({
    world: core.engine.world,
    now: store.now,
    onDecision: core.engine.onDecision,
    sockets: () => ({ open: sockets?.count() ?? 0, bufferedBytes: sockets?.bufferedBytes() ?? 0 }),
    subscriptions: () => core.monitor.counts().subscriptions,
    peerRefusals: adapters.refused,
    servers: () => pool.servers(),
    droppedLines: base.logFile.dropped,
    clockOffsetMs: () => store.clock.state().offsetMs,
    isStoreOk: () => core.engine.storeState().is === 'ok',
    freeBytes,
  })
  return gateway
}

/** Sessions are ended at one node, and their pages may be at others. */
function endedAnywhere(
  sessions: Pick<Sessions, 'onEnded'>,
  nodes: Nodes | null,
  listener: (ended: SessionEnded) => void,
): () => void {
  const stops = [
    sessions.onEnded((ended) => {
      listener(ended)
      nodes?.tell({ is: 'signedOut', ...ended })
    }),
    nodes?.onNote((note) => {
      if (note.is === 'signedOut') listener({ person: note.person, session: note.session, reason: note.reason })
    }),
  ]
  return () => {
    for (const stop of stops) stop?.()
  }
}

/** null: the system does not tell. */
const freeBytesAt = (path: string): Promise<number | null> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

/** The fields of models in `llm_config`: no key, not even its name. */
const modelsShown = (models: Config['models']) =>
  Object.fromEntries(
    Object.entries(models).map(([name, { provider, baseUrl, model, temperature, contextTokens, timeLimitMs }]) => [
      name,
      {
        provider,
        base_url: baseUrl,
        model,
        temperature,
        context_tokens: contextTokens,
        time_limit_s: timeLimitMs / 1_000,
      },
    ]),
  )

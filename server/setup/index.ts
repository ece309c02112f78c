/** What the page changed, in effect without a restart: models, tools, keys, trial calls (server/config/README.md). */
import type { Language } from '@/lib/language'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { MODEL_PRESETS } from '@/lib/mas/setup/modelPresets'
import { selectDefaultModel } from '@/lib/mas/setup/setup'
import { DEFAULT_MODEL, EMPTY_SETUP, type ModelSetup, type ToolSetup } from '@/lib/mas/setup/setupRecords'
import type { SetupTried } from '@/lib/wire/http'
import { type Config, type ModelConfig, uuidOf } from '../config'
import {
  findLocalServers,
  type LocalServer,
  listModels,
  type ModelListing,
  type Models,
  type SecretOf,
  tryModel,
} from '../models'
import { mayReach, openOutbound } from '../net'
import type { Nodes } from '../nodes'
import type { ConfiguredToolServer } from '../shared/toolServer'
import { type ChangingPool, type ToolPool, type ToolPoolOptions, type ToolServerConfig, tryServer } from '../tools'
import { madeModel, modelsNow, serverWith, toolsNow } from './effective'
import { type KeyringParts, openKeyring } from './keyring'
import { openConfigFile } from './writeFile'

export { openStoredSignIns } from './storedSignIns'

type SetupParts = {
  config: Config
  accounts: KeyringParts['accounts']
  /** CONVENE_SECRET_KEY; undefined: a key file. */
  secretKey: string | undefined
  tools: ToolPoolOptions
  /** Servers of this program, in the pool while the team has them. */
  builtIn: readonly ToolServerConfig[]
  /** Other nodes, at which keys are typed in too. Absent: there are none. */
  nodes?: Pick<Nodes, 'tell' | 'onNote'>
  /** Epoch ms; the system's clock when left out. */
  now?: () => number
}

/** out: what is in effect. `take` is given each world as it comes, the first before anything runs. */
export async function openSetup({ config, accounts, secretKey, tools, builtIn, nodes, now = Date.now }: SetupParts) {
  const { log } = tools
  const onTrouble = (error: unknown): void => log.warn({ err: error }, 'a change of the setup could not take effect')
  const keyring = await openKeyring({
    accounts,
    dataFolder: config.dataFolder,
    secret: secretKey,
    isShared: config.databaseUrl !== null,
    now,
    onTrouble: (id) => log.warn({ keyId: id }, 'a key that was typed into the page cannot be opened: type it again'),
  })
  nodes?.onNote((note) => {
    if (note.is === 'secrets') keyring.readAgain().catch(onTrouble)
  })
  let setup: World['setup'] | null = null
  let models: Record<string, ModelConfig> = config.models
  let servers: ConfiguredToolServer[] = config.tools
  let defaultModel = config.team.model
  let offered: readonly ToolServerConfig[] = []
  const pools: (ChangingPool & ToolPool)[] = []

  /** Of a variable, or typed into the page for that address. */
  const secret: SecretOf = (key, address) => ('env' in key ? config.secret(key.env) : keyring.get(key.stored, address))

  return {
    models: () => models,
    servers: () => servers,
    secret,
    agentId: (id: string): AgentId => asId<AgentId>(uuidOf('agent', id)),
    async keepKey(key: string, address: string): Promise<string> {
      const id = await keyring.keep(key, address)
      nodes?.tell({ is: 'secrets' })
      return id
    },
    hasKey: (id: string, address: string): boolean => keyring.get(id, address) !== undefined,
    /** The pool has the servers of the configuration, and those of the page from the first `take` on. */
    serve(pool: ChangingPool & ToolPool): void {
      pools.push(pool)
    },
    take(world: Pick<World, 'setup' | 'team'>): void {
      const own = builtIn.filter(({ name }) => Object.hasOwn(world.team.toolGuides, name))
      if (world.setup === setup && own.length === offered.length) return
      offered = own
      const isFirst = setup === null
      setup = world.setup
      models = keepingSame(models, modelsNow(config, world))
      servers = toolsNow(config, world, secret)
      defaultModel = selectDefaultModel(world)
      for (const pool of pools) {
        const fresh = pool.apply([...servers, ...offered])
        // What an operator has just added is connected at once; at a start each is when it is first needed.
        if (!isFirst) for (const name of fresh) void pool.describe(name).catch(onTrouble)
      }
      keyring.sweep(keysIn(world.setup)).catch(onTrouble)
    },
    /** The same models, where `default` is the one that the team uses. */
    asTeam: (inner: Models): Models => ({
      get: (name) => inner.get(name === DEFAULT_MODEL && Object.hasOwn(models, defaultModel) ? defaultModel : name),
    }),
    /** One that need not be kept: a real call with a few words. */
    async tryModel(name: string, value: ModelSetup, language: Language): Promise<SetupTried> {
      const { ok, words, hint } = await tryModel(name, madeModel(config, name, value), { secret, language })
      return { ok, words, hint, tools: [] }
    },
    listModels: (value: Pick<ModelSetup, 'provider' | 'baseUrl' | 'key'>, language: Language): Promise<ModelListing> =>
      listModels({ ...value, allowPrivate: config.allowPrivate }, { secret, language }),
    tryServer: (name: string, value: ToolSetup, language: Language): Promise<SetupTried> =>
      tryServer(serverWith(config, name, value, secret), tools, language),
    /** Whether objects added in the page may use that address. */
    mayReach: (address: string): Promise<boolean> => mayReach(new URL(address).hostname, config.allowPrivate),
    localServers: (): Promise<LocalServer[]> =>
      findLocalServers(MODEL_PRESETS, openOutbound({ allowPrivate: config.allowPrivate })),
    file: () => openConfigFile(config.file, { setup: setup ?? EMPTY_SETUP }),
    isSet: (variable: string): boolean => config.secret(variable) !== undefined,
  }
}

/** A model whose configuration is the same keeps its object: what it learned of its server stays known. */
function keepingSame(
  before: Record<string, ModelConfig>,
  now: Record<string, ModelConfig>,
): Record<string, ModelConfig> {
  return Object.fromEntries(
    Object.entries(now).map(([name, model]) => {
      const old = Object.hasOwn(before, name) ? before[name] : undefined
      return [name, old !== undefined && JSON.stringify(old) === JSON.stringify(model) ? old : model]
    }),
  )
}

/** The ids of all keys that anything names, or named before a change that can be undone. */
function keysIn(setup: World['setup']): Set<string> {
  const found = new Set<string>()
  JSON.stringify(setup, (key, value: unknown) => {
    if (key === 'stored' && typeof value === 'string') found.add(value)
    return value
  })
  return found
}

/** What operators make in the page is in effect at once: the next call of a model, the next connection of a tool server. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyWorld, type World } from '@/lib/mas/records'
import type { ModelSetup, SetupRecord, ToolSetup } from '@/lib/mas/setup/setupRecords'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { collect, faultOf, signal, TURNS } from '@/test/modelCalls'
import { type ModelPeer, openaiEnd, openaiText, openModelPeer } from '@/test/modelPeer'
import { memoryLog, testPools, testServer, until } from '@/test/toolPools'
import { configCommand, loadConfig } from '../config'
import { openModels } from '../models'
import type { Nodes } from '../nodes'
import { openSetup } from '.'

const FILE = `
team: { name: Testers }
models:
  default: { provider: openai, base_url: "https://models.example/v1", model: large, key_env: FILE_KEY }
agents: [{ id: manager, name: Manager, manager: true }]
humans: [{ id: ana, name: Ana, access: operator }]
tools:
  mail: { baseurl: "https://tools.example/mcp", headers: { Authorization: "Bearer \${env:MAIL_KEY}" } }
`
const ENV = { FILE_KEY: 'file-key', MAIL_KEY: 'mail-key', CONVENE_KEY_MINE: 'my-key' }

type Setup = Awaited<ReturnType<typeof openSetup>>

let folder = ''
let peer: ModelPeer
const pools = testPools()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-setup-'))
  peer = await openModelPeer((_, response) => void response.end(openaiText('ready') + openaiEnd()))
})
afterEach(async () => {
  await pools.closeAll()
  await peer.close()
  await rm(folder, { recursive: true })
})

async function live(
  env: Record<string, string> = {},
  file = FILE,
  { pool, ...more }: Partial<Parameters<typeof openSetup>[0]> & { pool?: Parameters<Setup['serve']>[0] } = {},
) {
  const config = loadConfig({ ...ENV, CONVENE_DATA: folder, ...env }, () => file, { folder })
  const setup = await openSetup({
    config,
    accounts: memoryStore({ data: memoryData(), now: Date.now }).accounts,
    secretKey: undefined,
    tools: { log: memoryLog().log },
    builtIn: [{ ...testServer('rich'), name: 'own' }],
    now: Date.now,
    ...more,
  })
  if (pool) setup.serve(pool)
  const command = configCommand(config)
  const inFile = <Value>(values: Record<string, Value>): Record<string, SetupRecord<Value>> =>
    Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { id, file: value, page: null, changes: [] }]))
  let now: World['setup'] = {
    agent: {},
    human: {},
    team: {},
    budget: {},
    model: inFile(command.models ?? {}),
    tool: inFile(command.tools ?? {}),
  }
  let toolGuides: Record<string, string> = {}
  const take = (more: Partial<World['setup']>) => {
    now = { ...now, ...more }
    setup.take({ setup: now, team: { ...emptyWorld.team, toolGuides } })
  }
  take({})
  const put = {
    setup: take,
    guide: (name: string) => {
      toolGuides = { ...toolGuides, [name]: '' }
      setup.take({ setup: now, team: { ...emptyWorld.team, toolGuides } })
    },
    model: (id: string, value: ModelSetup | null) =>
      take({ model: { ...now.model, [id]: { id, file: now.model[id]?.file ?? null, page: { value }, changes: [] } } }),
    tool: (id: string, value: ToolSetup | null) =>
      take({ tool: { ...now.tool, [id]: { id, file: now.tool[id]?.file ?? null, page: { value }, changes: [] } } }),
    team: (model: string) =>
      take({ team: { team: { id: 'team', file: null, page: { value: { model } }, changes: [] } } }),
  }
  const models = setup.asTeam(openModels({ models: setup.models, secret: setup.secret }))
  return { setup, put, models, command, config }
}

const model = (more: Partial<ModelSetup> = {}): ModelSetup => ({
  provider: 'openai-compatible',
  baseUrl: `${peer.url}/v1`,
  model: 'large',
  key: null,
  temperature: null,
  contextTokens: 9_000,
  price: null,
  form: 'auto',
  reasoningEffort: null,
  extra: {},
  accepts: [],
  timeLimitMs: 5_000,
  parallel: 1,
  ...more,
})
const tool = (more: Partial<ToolSetup> = {}): ToolSetup => ({
  address: 'https://tools.example/mcp',
  command: null,
  args: [],
  headers: [],
  guide: '',
  confirm: 'risky',
  rules: {},
  ...more,
})

describe('[R121] a model that was changed in the page', () => {
  it('is used by the next call, and is the team’s as soon as the team names it', async () => {
    const { put, models } = await live()
    put.model('fast', model())
    const first = models.get('fast')
    expect((await collect(first.call(TURNS, { signal: signal() }))).text).toBe('ready')
    put.team('fast')
    expect(models.get('default')).toBe(first)
    put.model('fast', model({ model: 'larger' }))
    await collect(models.get('default').call(TURNS, { signal: signal() }))
    expect(peer.asked.map(({ body }) => body.model)).toEqual(['large', 'larger'])
  })

  it('gets the key that was typed for its address, or the one of a variable, and no other', async () => {
    const { put, models, setup } = await live()
    const mine = await setup.keepKey('typed-key', peer.url)
    const other = await setup.keepKey('other-key', 'https://elsewhere.example')
    put.model('typed', model({ key: { stored: mine } }))
    put.model('named', model({ key: { env: 'CONVENE_KEY_MINE' } }))
    put.model('wrong', model({ key: { stored: other } }))
    for (const name of ['typed', 'named']) await collect(models.get(name).call(TURNS, { signal: signal() }))
    expect(peer.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer typed-key', 'Bearer my-key'])
    const fault = await faultOf(models.get('wrong').call(TURNS, { signal: signal() }))
    expect(fault.message).toBe('the stored key is not set')
    expect(peer.asked).toHaveLength(2)
  })

  it('of the file keeps what the page does not say, and stays the file’s where the page says nothing', async () => {
    const { setup, put, command } = await live()
    const inFile = setup.models().default
    expect(inFile).toMatchObject({ key: { env: 'FILE_KEY' }, model: 'large' })
    const value = command.models?.default
    if (!value) throw new Error('the file names no model')
    put.model('default', { ...value, contextTokens: 5_000 })
    expect(setup.models().default).toEqual({ ...inFile, contextTokens: 5_000 })
    put.model('fast', null)
    expect(Object.keys(setup.models())).toEqual(['default'])
  })
})

describe('[R122] an address that is added in the page', () => {
  const refused = async (env: Record<string, string>, file = FILE) => {
    const { put, models, setup } = await live(env, file)
    put.model('fast', model())
    const fault = await faultOf(models.get('fast').call(TURNS, { signal: signal() })).catch(() => null)
    expect(await setup.mayReach(peer.url)).toBe(fault === null)
    return fault?.details.trouble ?? null
  }

  it('may be one of this machine while nobody reaches the server from elsewhere, else only where the file allows it', async () => {
    const allowing = `${FILE}\nserver: { allow_private: true }`
    const forbidding = `${FILE}\nserver: { allow_private: false }`
    expect(await refused({})).toBeNull()
    expect(await refused({ HOST: '0.0.0.0' })).toBe('privateAddress')
    expect(await refused({ PUBLIC_URL: 'https://convene.example' })).toBe('privateAddress')
    expect(await refused({}, forbidding)).toBe('privateAddress')
    expect(await refused({ HOST: '0.0.0.0' }, allowing)).toBeNull()
    expect(peer.asked).toHaveLength(2)
  })

  it('is not one of another private network without the file’s word, by number or by name', async () => {
    const { setup } = await live()
    for (const address of ['http://10.0.0.1', 'http://192.168.1.1:11434', 'http://169.254.169.254', 'http://[fe80::1]'])
      expect(await setup.mayReach(address), address).toBe(false)
    for (const address of ['http://localhost:1234', 'http://[::1]:1234', 'https://93.184.216.34'])
      expect(await setup.mayReach(address), address).toBe(true)
  })
})

describe('[R121] a tool server that was changed in the page', () => {
  it('is in the pool at once and connected; one that is taken out is gone, and the others stay as they are', async () => {
    const { setup, put } = await live({}, FILE.replace(/tools:[\s\S]*/, ''))
    const stays = testServer('rich')
    const pool = pools.open([])
    const calls: string[][] = []
    setup.serve({
      ...pool,
      apply: (configs) => {
        calls.push(configs.map(({ name }) => name))
        // A test's server is a program of its own; one of the page would be reached by its address.
        return pool.apply(configs.map((config) => ({ ...stays, name: config.name, guide: config.guide })))
      },
    })
    put.tool('mail', tool())
    await until(() => pool.servers()[0]?.state === 'connected')
    put.tool('other', tool())
    put.tool('mail', null)
    expect(calls).toEqual([['mail'], ['mail', 'other'], ['other']])
    expect(pool.servers().map(({ name }) => name)).toEqual(['other'])
  })

  it('[R157] of this program is in it as soon as the team has its guide', async () => {
    const { setup, put } = await live({}, FILE.replace(/tools:[\s\S]*/, ''))
    const names: string[][] = []
    const pool = pools.open([])
    setup.serve({
      ...pool,
      apply: (configs) => {
        names.push(configs.map(({ name }) => name))
        return []
      },
    })
    put.guide('other')
    expect(names).toEqual([])
    put.guide('own')
    put.guide('another')
    expect(names).toEqual([['own']])
  })

  it('of the file keeps its keys, and takes the page’s guide and rules', async () => {
    const { setup, put, command } = await live()
    expect(JSON.stringify(command)).not.toMatch(/mail-key|file-key|my-key/)
    const value = command.tools?.mail
    if (!value) throw new Error('the file names no tools')
    put.tool('mail', { ...value, guide: 'reads mail', rules: { send: 'always' } })
    expect(setup.servers()).toMatchObject([
      {
        name: 'mail',
        guide: 'reads mail',
        headers: { Authorization: 'Bearer mail-key' },
        tools: { send: { confirm: 'always' } },
      },
    ])
  })

  it('of the page has the keys that were typed for it in its headers', async () => {
    const { setup, put } = await live()
    const key = await setup.keepKey('Bearer typed', 'https://new.example/mcp')
    const headers = [{ name: 'Authorization', key: { stored: key } }]
    put.tool('new', tool({ address: 'https://new.example/mcp', headers }))
    expect(setup.servers().find(({ name }) => name === 'new')).toMatchObject({
      headers: { Authorization: 'Bearer typed' },
      allowPrivate: 'loopback',
    })
  })
})

describe('[R121] what is tried before it is kept', () => {
  it('is really called, and says in words whether it works', async () => {
    const { setup } = await live()
    expect(await setup.tryModel('fast', model(), 'en')).toMatchObject({ ok: true, hint: null })
    expect(peer.asked).toHaveLength(1)
    const gone = await setup.tryModel('fast', model({ key: { stored: 'none' } }), 'en')
    expect(gone).toMatchObject({ ok: false, hint: 'Type the key again.' })
    expect(setup.models()).not.toHaveProperty('fast')
  })
  it('[R121] is the file’s own server where it has one of that name, else the one that was typed', async () => {
    const tools = `tools:
  one: { baseurl: "http://127.0.0.1:1/mcp" }
  two: { baseurl: "http://127.0.0.1:2/mcp" }
`
    const { setup } = await live({}, FILE.replace(/tools:[\s\S]*/, tools))
    const typed = tool({ address: 'http://127.0.0.1:3/mcp' })
    expect((await setup.tryServer('two', typed, 'en')).words).toContain('127.0.0.1:2)')
    expect((await setup.tryServer('new', typed, 'en')).words).toContain('127.0.0.1:3)')
  })
})

describe('keys that are typed', () => {
  const hour = 3_600_000

  it('are there for their address alone, and variables are told apart by whether they are set', async () => {
    const { setup } = await live()
    const key = await setup.keepKey('typed', 'https://a.example/v1')
    expect([setup.hasKey(key, 'https://a.example/v2'), setup.hasKey(key, 'https://b.example')]).toEqual([true, false])
    expect([setup.isSet('FILE_KEY'), setup.isSet('NO_KEY')]).toEqual([true, false])
  })

  it('are kept while the page names them or a change back would, and forgotten after an hour without', async () => {
    let now = Date.UTC(2026, 0)
    const { setup, put } = await live({}, FILE, { now: () => now })
    const [named, before, gone] = [
      await setup.keepKey('one', peer.url),
      await setup.keepKey('two', peer.url),
      await setup.keepKey('three', peer.url),
    ]
    now += hour
    const changes = [{ seq: 1, at: now, by: null, before: model({ key: { stored: before } }) }]
    const record = { id: 'fast', file: null, page: { value: model({ key: { stored: named } }) }, changes }
    put.setup({ model: { fast: record } })
    await until(() => !setup.hasKey(gone, peer.url))
    expect([named, before].map((id) => setup.hasKey(id, peer.url))).toEqual([true, true])
  })

  it('into a store that other machines share need CONVENE_SECRET_KEY', async () => {
    const { setup } = await live({ DATABASE_URL: 'postgres://u@h/d' })
    await expect(setup.keepKey('k', peer.url)).rejects.toMatchObject({ code: 'SECRET_KEY_MISSING' })
  })

  it('at one node are known at the others, which are told', async () => {
    const { accounts } = memoryStore({ data: memoryData(), now: Date.now })
    const listeners: Parameters<Nodes['onNote']>[0][] = []
    const nodes: Pick<Nodes, 'tell' | 'onNote'> = {
      tell: (note) => listeners.forEach((listener) => void listener(note, 'another')),
      onNote: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    }
    const [north, south] = [await live({}, FILE, { accounts, nodes }), await live({}, FILE, { accounts, nodes })]
    const key = await north.setup.keepKey('typed', peer.url)
    await until(() => south.setup.hasKey(key, peer.url))
    expect(south.setup.secret({ stored: key }, peer.url)).toBe('typed')
  })
})

it('[R121] tool servers of the start are connected when they are first needed, one that is added at once', async () => {
  const described: string[] = []
  const pool = pools.open([])
  const recording = {
    ...pool,
    apply: (configs: readonly { name: string }[]) => configs.map(({ name }) => name),
    describe: async (name: string) => {
      described.push(name)
      return pool.describe(name)
    },
  }
  const { put } = await live({}, FILE, { pool: recording })
  expect(described).toEqual([])
  put.tool('added', tool())
  expect(described).toContain('added')
})

it('the configuration file is told apart from what the page says', async () => {
  const { setup, put, config } = await live()
  await mkdir(dirname(config.file), { recursive: true })
  await writeFile(config.file, FILE)
  expect((await setup.file()).isSame).toBe(true)
  put.model('fast', model())
  expect((await setup.file()).isSame).toBe(false)
})

/** What a configuration needs of packages that are not here. */
import { expect, it, vi } from 'vitest'
import { event } from '@/lib/mas/events'
import { emptyWorld } from '@/lib/mas/records'
import { sampleShapeOf } from '@/test/samples'
import { having } from '@/test/sampleWorld'

const TEAM = `team: { name: Small }
agents: [ { id: boss, name: Boss, role: boss, manager: true } ]
humans: [ { id: ana, name: Ana, role: operator, access: operator } ]
`

/** The program as it is loaded without any package. */
async function problemsOf(more: string) {
  vi.resetModules()
  const { ConfigError, loadConfig } = await import('.')
  try {
    loadConfig({}, () => TEAM + more, { folder: '/srv/convene' })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ at, message, hint }) => [at, message, hint])
    throw error
  }
  return []
}

const MISSING = 'the package rehearsal, which is not here. Put it into packages/rehearsal, and build again.'

it('[R690] a configuration that needs an absent package is refused by the name of the package', async () => {
  const own = 'models: { default: { provider: ollama, model: small } }\n'
  expect(await problemsOf(own)).toEqual([])
  expect(await problemsOf(`models: { default: { provider: rehearsal } }\n`)).toEqual([
    ['models.default.provider', `rehearsal needs ${MISSING}`, null],
  ])
  expect(await problemsOf('')).toEqual([
    ['models', `names no default model; the built-in one needs ${MISSING}`, expect.stringContaining('default:')],
  ])
  expect(
    await problemsOf(`${own}peers: [ { uri: 'agent://west.example/west', base_url: 'https://west.example' } ]\n`),
  ).toEqual([['peers', `needs ${MISSING.replaceAll('rehearsal', 'interop')}`, null]])
  expect(await problemsOf(`${own}rehearsal: { delay_ms: 3 }\n`)).toEqual([
    ['rehearsal', 'unknown key', `It needs ${MISSING}`],
  ])
})

it('[R690] a start with DATABASE_URL is refused by the name of the package that opens it', async () => {
  vi.resetModules()
  const { openStore, placeShown } = await import('../store')
  const place = { databaseUrl: 'postgres://convene@localhost/convene', dataFolder: '/srv/convene' }
  const missing =
    'DATABASE_URL needs the package cluster, which is not here. Put it into packages/cluster, and build again.'
  expect(() => placeShown(place)).toThrow(missing)
  await expect(openStore(place)).rejects.toThrow(missing)
})

it('[R690] a team whose data name other systems is refused by the name of the package for them', async () => {
  vi.resetModules()
  const { ensureProtocols } = await import('../otherSystems')
  const { peer } = sampleShapeOf('peer.added')
  const world = having(emptyWorld, event('peer.added', sampleShapeOf('peer.added')))
  expect(world.peers[peer]).toBeDefined()
  expect(() => ensureProtocols(emptyWorld)).not.toThrow()
  expect(() => ensureProtocols(world)).toThrow(/^This team, whose data name other systems, needs the package interop,/)
})

it('[R690] a peer is not added in the page where the package for it is not here', async () => {
  vi.resetModules()
  const { openDouble } = await import('../gateway/test/gatewayDouble')
  const { call, engine, signIn } = await openDouble()
  const rights = {
    baseUrl: 'https://west.example',
    may: ['mamp' as const],
    actions: [],
    agents: [],
    allowPrivate: false,
  }
  const keys = { sendKeyEnv: null, signingKeyEnv: null }
  const body = { id: 'peer-of-a-test', until: Date.UTC(2027, 0), uri: 'agent://west.example/*', ...rights, ...keys }
  const { status, json } = await call('POST', '/api/directory/peers', { cookie: await signIn('ana'), body })
  expect([status, json.message]).toEqual([400, expect.stringContaining('the package interop, which is not here')])
  expect(engine.world().peers).toEqual({})
})

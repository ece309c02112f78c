/** Operators manage peers over HTTP: the key is shown once and stored as a hash; others are refused. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { asId, type PeerId, type TaskId } from '@/lib/mas/ids'
import { peersPage } from '@/lib/wire/http'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const WEST = asId<PeerId>('00000000-0000-4000-8000-00000000aaa3')
const PEERS = '/api/directory/peers'
let commands = 0
const head = () => {
  commands += 1
  return { id: `peers-test-${commands}`, until: Date.UTC(2027, 0) }
}
const rights = {
  baseUrl: 'https://west.example',
  may: ['mamp'],
  actions: [],
  agents: ['reader'],
  allowPrivate: false,
  sendKeyEnv: 'CONVENE_PEER_WEST',
  signingKeyEnv: null,
}
const wish = { ...rights, uri: 'agent://west.example/*' }

const open = () =>
  openDouble({
    outside: {
      refused: () => [],
      artifacts: () => new Map(),
      isSet: (name) => name === 'CONVENE_PEER_WEST',
      domain: () => 'ours.example',
      peerId: () => WEST,
    },
  })

it('[R55] the key of a peer is in the answer that makes it, and in nothing that is stored or shown later', async () => {
  const { call, signIn, engine, logged } = await open()
  const cookie = await signIn('ana')
  const body = { ...head(), ...wish }
  const made = await call('POST', PEERS, { cookie, body })
  const key = String(made.json.key)
  expect([made.status, key.length]).toEqual([200, 43])
  const keySha = createHash('sha256').update(key).digest('hex')
  expect(engine.world().peers[WEST]?.made).toMatchObject({ by: ID.ana, keySha })
  const { json } = await call('GET', PEERS, { cookie })
  const { rows } = peersPage.parse(json)
  expect(rows).toMatchObject([
    {
      id: WEST,
      agents: [{ name: 'Reader' }],
      made: { by: { name: 'Ana' }, sendKey: { isSet: true }, signingKey: null },
    },
  ])
  expect(JSON.stringify(json)).not.toContain(keySha)
  for (const kept of [engine.world(), logged]) expect(JSON.stringify(kept)).not.toContain(key)
  // A repeat after a lost answer: the peer exists, and no new key is made.
  expect((await call('POST', PEERS, { cookie, body })).json).toMatchObject({ seq: made.json.seq, key: null })
})

it('[R55] a peer gets another key, other rights, and is removed', async () => {
  const { call, signIn, engine } = await open()
  const cookie = await signIn('ana')
  const first = await call('POST', PEERS, { cookie, body: { ...head(), ...wish } })
  const second = await call('POST', `${PEERS}/${WEST}/key`, { cookie, body: head() })
  expect(second.json.key).not.toBe(first.json.key)
  const signing = { ...head(), ...rights, signingKeyEnv: 'CONVENE_PEER_WEST' }
  const refused = await call('PUT', `${PEERS}/${WEST}`, { cookie, body: { ...signing, may: ['mamp', 'map'] } })
  expect([refused.status, refused.json.error]).toEqual([422, 'PEER_SIGNS'])
  expect((await call('PUT', `${PEERS}/${WEST}`, { cookie, body: { ...signing, ...head() } })).status).toBe(200)
  expect(engine.world().peers[WEST]?.made).toMatchObject({ signingKeyEnv: 'CONVENE_PEER_WEST' })
  const change = { ...head(), ...rights, may: ['envelope'], actions: ['ask'] }
  expect((await call('PUT', `${PEERS}/${WEST}`, { cookie, body: change })).status).toBe(200)
  expect(engine.world().peers[WEST]).toMatchObject({ may: ['envelope'], actions: ['ask'] })
  expect((await call('POST', `${PEERS}/${WEST}/remove`, { cookie, body: head() })).status).toBe(200)
  expect(engine.world().peers[WEST]?.removed).toBe(true)
  expect((await call('POST', `${PEERS}/${WEST}/key`, { cookie, body: head() })).json.error).toBe('NOT_FOUND')
})

it('[R55] a test message to a peer can be followed in the exchange', async () => {
  const { call, signIn, engine } = await open()
  const cookie = await signIn('ana')
  await call('POST', PEERS, { cookie, body: { ...head(), ...wish } })
  const body = { ...head(), uri: 'agent://west.example/seller', text: 'Is this thing on?' }
  const { json } = await call('POST', `${PEERS}/${WEST}/test`, { cookie, body })
  const { task, message } = json.reply as { task: string; message: string }
  const sent = Object.entries(engine.world().messages[asId<TaskId>(task)] ?? {}).find(([id]) => id === message)?.[1]
  expect(sent).toMatchObject({ sender: ID.ana, text: 'Is this thing on?' })
  expect((await call('GET', `/api/directory/exchange?message=${message}`, { cookie })).json.rows).toEqual([])
})

it('[R55] peers are managed by operators only, who can name no variables but those for peers', async () => {
  const { call, signIn } = await open()
  const [ana, dev, ben] = [await signIn('ana'), await signIn('dev'), await signIn('ben')]
  for (const cookie of [dev, ben]) {
    for (const [method, path, body] of [
      ['POST', PEERS, { ...head(), ...wish }],
      ['PUT', `${PEERS}/${WEST}`, { ...head(), ...rights }],
      ['POST', `${PEERS}/${WEST}/key`, head()],
      ['POST', `${PEERS}/${WEST}/remove`, head()],
      ['POST', `${PEERS}/${WEST}/test`, { ...head(), uri: 'agent://west.example/seller', text: 'x' }],
    ] as const) {
      expect((await call(method, path, { cookie, body })).json.error).toBe('NOT_ALLOWED')
    }
  }
  for (const wrong of [
    { sendKeyEnv: 'OPENAI_API_KEY' },
    { signingKeyEnv: 'a-key-itself' },
    { baseUrl: 'ftp://west.example' },
    { baseUrl: 'https://user:word@west.example' },
    { uri: 'west.example' },
  ]) {
    const { json } = await call('POST', PEERS, { cookie: ana, body: { ...head(), ...wish, ...wrong } })
    expect(json.error).toBe('BAD_INPUT')
  }
})

it('[R55] a system of our own domain is no peer, however it is written', async () => {
  const { call, signIn, engine } = await open()
  const cookie = await signIn('ana')
  for (const uri of ['agent://ours.example/*', 'agent://ours.example', 'agent://Ours.Example/reader']) {
    const { status, json } = await call('POST', PEERS, { cookie, body: { ...head(), ...wish, uri } })
    expect([uri, status, json.error]).toEqual([uri, 422, 'PEER_URI'])
  }
  expect(Object.values(engine.world().peers).filter(({ made }) => made !== undefined)).toEqual([])
})

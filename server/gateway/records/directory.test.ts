/** The directory over HTTP: rights, each list, a checkpoint with its artifacts in pieces. */

import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import { type AgentId, asId, type ConversationId, type MessageId, type PeerId } from '@/lib/mas/ids'
import type { NewEnvelope } from '@/lib/mas/outside/records'
import { configOfAgent } from '@/lib/mas/team/commands/applyAgent'
import type { ArtifactPiece, CheckpointDetail, EnvelopeDetail } from '@/lib/wire'
import { exchangePage } from '@/lib/wire/http'
import { PIECE_BYTES } from '../routes/team/directory'
import { type Double, openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'

const SOUTH = asId<PeerId>('00000000-0000-4000-8000-00000000aaa1')
const WEST = asId<PeerId>('00000000-0000-4000-8000-00000000aaa2')
const TALK = asId<ConversationId>('00000000-0000-4000-8000-00000000bbb1')
const MESSAGE = asId<MessageId>('00000000-0000-4000-8000-00000000ccc1')
const SELLER = asId<AgentId>('00000000-0000-4000-8000-00000000ddd1')
const came = bodyOf('{"content":"Do you still need chairs?"}', 'application/json')
const said = bodyOf('{"percent":40}', 'application/json')
/** Longer than one piece. */
const transcript = 'x'.repeat(PIECE_BYTES + 10)

const peer = (id: PeerId, uri: string) =>
  event('peer.added', {
    peer: id,
    config: { id, uri, baseUrl: null, may: ['mamp'], actions: [], agents: [ID.reader], allowPrivate: false },
  })
const taken = {
  peer: SOUTH,
  protocol: 'mamp' as const,
  conversation: TALK,
  task: ID.prices,
  outsider: SELLER,
  message: MESSAGE,
  theirs: 'msg-1',
}
const envelope = (more: Partial<NewEnvelope> = {}): NewEnvelope => ({
  ...taken,
  id: randomUUID(),
  direction: 'in',
  verdict: 'taken',
  status: 200,
  why: null,
  by: null,
  bytes: came.ref.bytes,
  sha: came.ref.sha,
  body: came.ref.sha,
  ...more,
})
const takes = (theirs: string) => event('envelope.taken', { ...taken, theirs, ours: ID.reader, callback: null })

async function withSouth(): Promise<Double> {
  const double = await openDouble({
    outside: {
      refused: () => [{ protocol: 'mamp', code: 'unauthorized', count: 3 }],
      isSet: () => false,
      domain: () => 'ours.example',
      peerId: asId<PeerId>,
      artifacts: () =>
        new Map<string, () => Promise<unknown>>([
          ['metadata', async () => ({ percent: 40 })],
          ['transcript', async () => transcript],
        ]),
    },
  })
  for (const { body } of [came, said]) await double.store.bodies.put(body.bytes, body.mime)
  await double.engine.put([
    peer(SOUTH, 'agent://south.example/*'),
    peer(WEST, 'agent://west.example/*'),
    event('peer.removed', { peer: WEST }),
    event('agent.created', {
      agent: SELLER,
      runtime: true,
      config: {
        id: SELLER,
        configId: '',
        kind: 'outside',
        name: 'seller',
        role: 'an agent of another system',
        profile: '',
        groups: [],
        manager: false,
        mayWait: false,
        model: '',
        skills: [],
        tools: [],
        access: 'none',
        outside: { uri: 'agent://south.example/seller', peer: SOUTH, capabilities: ['quote'] },
      },
    }),
    event('conversation.opened', {
      conversation: TALK,
      peer: SOUTH,
      protocol: 'mamp',
      task: ID.prices,
      agent: SELLER,
      ours: ID.reader,
      shared: 'conv-1',
      openedBy: 'them',
      callback: null,
    }),
    takes('msg-1'),
    event('checkpoint.reported', {
      agent: ID.reader,
      agentName: 'reader',
      checkpoint: 'ck/1',
      peer: null,
      task: ID.prices,
      stage: ID.stage,
      label: 'Stage 1 of “Prices” finished',
      session: ID.prices,
      timestamp: null,
      metadata: said.ref,
    }),
  ])
  await double.store.envelopes.add(envelope())
  const refused = { verdict: 'message_too_large', status: 413, why: 'The message is too large', body: null }
  await double.store.envelopes.add(envelope({ theirs: 'msg-2', message: null, ...refused }))
  return double
}

const rowsOf = (json: Record<string, unknown>) => json.rows as Record<string, unknown>[]

describe('GET /api/directory', () => {
  it('the directory is for operators and developers; a participant is refused each of its lists', async () => {
    const { call, signIn } = await withSouth()
    const [ana, ben, dev] = [await signIn('ana'), await signIn('ben'), await signIn('dev')]
    const paths = ['peers', 'conversations', 'registry', 'checkpoints', 'exchange', 'checkpoints/ck%2F1', 'exchange/1']
    for (const path of paths) {
      expect((await call('GET', `/api/directory/${path}`)).json.error).toBe('NOT_SIGNED_IN')
      expect((await call('GET', `/api/directory/${path}`, { cookie: ben })).json.error).toBe('NOT_ALLOWED')
    }
    for (const cookie of [ana, dev]) {
      expect((await call('GET', '/api/directory/peers', { cookie })).status).toBe(200)
    }
  })

  it('the lists show peers, conversations and agents of other systems, removed ones last', async () => {
    const { call, signIn } = await withSouth()
    const cookie = await signIn('ana')
    const list = async (path: string) => rowsOf((await call('GET', `/api/directory/${path}`, { cookie })).json)
    expect(await list('peers')).toMatchObject([
      { id: SOUTH, uri: 'agent://south.example/*', removed: false, known: 1, open: 1, agents: [{ name: 'Reader' }] },
      { id: WEST, removed: true, known: 0, open: 0 },
    ])
    expect(await list('conversations')).toMatchObject([
      {
        shared: 'conv-1',
        uri: 'agent://south.example/seller',
        outsider: { kind: 'outside', name: 'seller' },
        ours: { name: 'Reader' },
        task: { id: ID.prices, name: 'Prices' },
      },
    ])
    expect(await list('registry')).toMatchObject([
      { who: { id: SELLER }, peer: SOUTH, capabilities: ['quote'], open: 1, seenAt: expect.any(Number) },
    ])
    expect(await list(`registry?peer=${WEST}`)).toEqual([])
  })

  it('the exchange shows every envelope with its verdict, by pages or failures only, and counts unknown senders', async () => {
    const { call, signIn } = await withSouth()
    const cookie = await signIn('dev')
    const page = async (query: string) =>
      exchangePage.parse((await call('GET', `/api/directory/exchange?${query}`, { cookie })).json)
    const first = await page('limit=1')
    expect(first).toMatchObject({
      total: 2,
      rows: [{ verdict: 'message_too_large', status: 413, why: 'The message is too large', isKept: false }],
      refused: [{ protocol: 'mamp', code: 'unauthorized', count: 3 }],
    })
    const second = await page(`limit=1&after=${first.next}`)
    expect(second).toMatchObject({
      rows: [{ verdict: 'taken', message: MESSAGE, outsider: { name: 'seller' }, isKept: true }],
      next: null,
    })
    expect((await page('trouble=true')).rows.map(({ theirs }) => theirs)).toEqual(['msg-2'])
    expect((await page('trouble=false')).total).toBe(2)
    const [taken] = second.rows
    const { json } = await call('GET', `/api/directory/exchange/${taken?.seq}`, { cookie })
    expect(json as EnvelopeDetail).toMatchObject({ text: '{"content":"Do you still need chairs?"}', isCut: false })
    const gone = await call('GET', `/api/directory/exchange/${first.rows[0]?.seq}`, { cookie })
    expect([gone.status, gone.json.text, gone.json.isCut]).toEqual([200, null, false])
    expect((await call('GET', '/api/directory/exchange/999999', { cookie })).status).toBe(404)
  })

  it('a checkpoint has its metadata, and an artifact comes in pieces with the hash of the whole', async () => {
    const { call, signIn } = await withSouth()
    const cookie = await signIn('ana')
    const path = '/api/directory/checkpoints/ck%2F1'
    const detail = (await call('GET', path, { cookie })).json as CheckpointDetail
    expect(detail).toMatchObject({
      checkpoint: { id: 'ck/1', agent: { name: 'Reader' }, stageNumber: 1, task: { name: 'Prices' } },
      metadata: { percent: 40 },
      artifacts: ['metadata', 'transcript'],
    })
    const pieces: ArtifactPiece[] = []
    for (let from: number | null = 0; from !== null; from = pieces.at(-1)?.next ?? null) {
      pieces.push((await call('GET', `${path}/artifacts/transcript?from=${from}`, { cookie })).json as ArtifactPiece)
    }
    const whole = Buffer.concat(pieces.map(({ base64 }) => Buffer.from(base64, 'base64')))
    expect([pieces.length, whole.toString()]).toEqual([2, transcript])
    expect(pieces[0]?.sha).toBe(createHash('sha256').update(whole).digest('hex'))
    expect((await call('GET', `${path}/artifacts/none`, { cookie })).json.error).toBe('NOT_FOUND')
    expect((await call('GET', '/api/directory/checkpoints/none', { cookie })).json.error).toBe('NOT_FOUND')
    const ofTask = rowsOf((await call('GET', `/api/directory/checkpoints?task=${ID.secret}`, { cookie })).json)
    expect(ofTask).toEqual([])
  })

  it('each list is narrowed by a filter, and an unknown value finds nothing', async () => {
    const { call, signIn } = await withSouth()
    const cookie = await signIn('ana')
    const total = async (path: string) => (await call('GET', `/api/directory/${path}`, { cookie })).json.total
    const none = '00000000-0000-4000-8000-0000000000ff'
    const lists: [list: string, count: number, names: Record<string, string>][] = [
      ['peers', 1, { peer: SOUTH }],
      ['conversations', 1, { peer: SOUTH, agent: SELLER, task: ID.prices }],
      ['registry', 1, { peer: SOUTH }],
      ['checkpoints', 1, { agent: ID.reader, task: ID.prices }],
      ['exchange', 2, { peer: SOUTH, agent: SELLER, task: ID.prices, conversation: TALK }],
      ['exchange', 1, { message: MESSAGE }],
    ]
    for (const [list, count, names] of lists) {
      for (const [name, value] of Object.entries(names)) {
        expect([list, name, await total(`${list}?${name}=${value}`)]).toEqual([list, name, count])
        expect([list, name, await total(`${list}?${name}=${none}`)]).toEqual([list, name, 0])
      }
    }
    expect(await total(`checkpoints?peer=${SOUTH}`)).toBe(0)
  })

  it('a list can be paged to its last row', async () => {
    const { call, signIn } = await withSouth()
    const cookie = await signIn('ana')
    const page = async (query: string) => (await call('GET', `/api/directory/peers?${query}`, { cookie })).json
    const whole = await page('limit=2')
    expect([rowsOf(whole).length, whole.total, whole.next]).toEqual([2, 2, null])
    const first = await page('limit=1')
    const second = await page(`limit=1&after=${first.next}`)
    expect([...rowsOf(first), ...rowsOf(second)]).toEqual(rowsOf(whole))
    expect(second.next).toBeNull()
    expect(rowsOf(await page('limit=1&after=0'))).toEqual([])
    for (const after of ['0', 'x', '1e999', '-1'])
      expect(rowsOf((await call('GET', `/api/directory/exchange?after=${after}`, { cookie })).json)).toEqual([])
  })

  it('only open conversations are counted, and a removed agent comes last', async () => {
    const { call, signIn, engine } = await withSouth()
    const cookie = await signIn('ana')
    const list = async (path: string) => rowsOf((await call('GET', `/api/directory/${path}`, { cookie })).json)
    const [seen] = await list('registry')
    expect(seen?.removed).toBe(false)
    await engine.put([event('conversation.closed', { conversation: TALK, peer: SOUTH, reason: 'done' })])
    expect(await list('peers')).toMatchObject([{ open: 0 }, { open: 0 }])
    expect(await list('registry')).toMatchObject([{ open: 0 }])
  })

  it('an envelope names its task, and a conversation counts for its own agent alone', async () => {
    const { call, signIn, engine, store } = await withSouth()
    const cookie = await signIn('ana')
    const list = async (path: string) => rowsOf((await call('GET', `/api/directory/${path}`, { cookie })).json)
    expect((await list('exchange'))[0]).toMatchObject({ task: { id: ID.prices, name: 'Prices' } })
    await store.envelopes.add(envelope({ theirs: 'msg-9', task: null, outsider: null }))
    expect((await list('exchange'))[0]).toMatchObject({ task: null, outsider: null })
    const buyer = asId<AgentId>('00000000-0000-4000-8000-00000000ddd2')
    const made = engine.world().agents[SELLER]
    if (made?.outside === undefined) throw new Error('there is no seller')
    const config = configOfAgent(made)
    const outside = { ...made.outside, uri: 'agent://south.example/buyer' }
    await engine.put([
      event('agent.created', { agent: buyer, runtime: true, config: { ...config, id: buyer, configId: '', outside } }),
    ])
    const open = (await list('registry')).map((row) => [(row.who as { id: string }).id, row.open])
    expect(open.sort()).toEqual([
      [SELLER, 1],
      [buyer, 0],
    ])
  })

  it('an envelope is shown up to 256 KiB, and says that it was cut', async () => {
    const double = await withSouth()
    const cookie = await double.signIn('ana')
    const LIMIT = 256 * 1024
    for (const [bytes, isCut] of [
      [LIMIT, false],
      [LIMIT + 1, true],
    ] as const) {
      const large = bodyOf('x'.repeat(bytes))
      await double.store.bodies.put(large.body.bytes, large.body.mime)
      const { sha } = large.ref
      await double.store.envelopes.add(envelope({ theirs: `large-${bytes}`, message: null, bytes, sha, body: sha }))
      const page = (await double.call('GET', '/api/directory/exchange?limit=1', { cookie })).json
      const seq = rowsOf(page)[0]?.seq
      const { json } = await double.call('GET', `/api/directory/exchange/${seq}`, { cookie })
      expect([bytes, String(json.text).length, json.isCut]).toEqual([bytes, LIMIT, isCut])
    }
  })
})

it('an agent of another system was last seen when it last sent something, not when we did', async () => {
  const { call, signIn, clock, engine } = await withSouth()
  const cookie = await signIn('ana')
  const seenAt = async () => rowsOf((await call('GET', '/api/directory/registry', { cookie })).json)[0]?.seenAt
  const before = await seenAt()
  expect(before).toEqual(expect.any(Number))
  clock.now += 60_000
  const sent = { task: ID.prices, message: MESSAGE, agent: SELLER, verdict: 'delivered' as const, next: null }
  await engine.put([event('envelope.sent', sent)])
  expect(await seenAt()).toBe(before)
  await engine.put([takes('msg-3')])
  expect(await seenAt()).toBe(clock.now)
})

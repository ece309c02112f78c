/** The MAP adapter over real sockets: a client that follows the document, and the protocol's own SDK. */

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { VERSION } from '@/server/shared/version'
import { handClock } from '@/test/handClock'
import { KEY, quickClock } from '../../test/adapterSystem'
import {
  type Answer,
  agent,
  bearer,
  checkpoint,
  client,
  connectAs,
  MAP_PEER,
  type Note,
  OTHER_KEY,
  open,
  rawClient,
  report,
  secret,
} from '../../test/adapters/map'
import { openExchange } from '../exchange'
import { openPeerKeys } from '../peerKeys'
import { KNOWN_WITHIN_MS } from '../socket'
import { openStreams } from '../streams'
import { openWays } from '../ways'
import { refuseTrajectory } from './refusal'
import { openMapSession } from './session'
import { openTrajectory } from './trajectory'

it('[R77] a peer that signs elsewhere may nothing here: its key alone is not believed', async () => {
  const system = await open({ secrets: [{ ...secret(MAP_PEER.id, KEY), signingKey: 'both know this' }] })
  expect((await report(await agent(system))).error?.code).toBe(13004)
})

it('T-32 each of the five errors has its code and says of what kind it is', () => {
  const names = ['notEnabled', 'notFound', 'contentUnavailable', 'streamFailed', 'permissionDenied'] as const
  expect(names.map((name) => refuseTrajectory(name).code)).toEqual([13000, 13001, 13002, 13003, 13004])
  for (const name of names) expect(refuseTrajectory(name, 'c1').details).toMatchObject({ category: 'trajectory' })
})

describe('a connection', () => {
  it('T-04 hears in the answer to map/connect what it may do', async () => {
    const system = await open()
    const raw = await rawClient(system, bearer())
    const { result } = await connectAs(raw, 'agent')
    expect(result).toMatchObject({
      protocolVersion: 1,
      sessionId: expect.any(String),
      participantId: expect.any(String),
      capabilities: {
        trajectory: { enabled: true, canReport: true, canQuery: true, canRequestContent: true },
        observation: { canObserve: true, canQuery: true },
      },
      systemInfo: { name: 'Test team' },
    })
    const other = await rawClient(system, bearer())
    expect((await connectAs(other, 'client')).result).toMatchObject({
      capabilities: { trajectory: { canReport: false } },
    })
  })

  it('T-34 is answered nothing before map/connect, and nothing of worth without a key', async () => {
    const system = await open()
    const raw = await rawClient(system)
    expect((await raw.call('trajectory/list')).error?.code).toBe(-32600)
    expect((await connectAs(raw, 'client')).result).toMatchObject({ authRequired: { methods: ['bearer', 'api-key'] } })
    expect((await raw.call('trajectory/list')).error?.code).toBe(1000)
    expect((await raw.call('map/authenticate', { method: 'bearer', credential: 'guess' })).error?.code).toBe(1001)
    expect((await raw.call('map/authenticate', { method: 'bearer', credential: KEY })).result).toMatchObject({
      success: true,
    })
    expect((await raw.call('trajectory/list')).result).toMatchObject({ checkpoints: [], hasMore: false })
  })

  it('[R65] that shows no key in time is closed; one that does stays', async () => {
    const clock = handClock()
    const system = await open({ clock })
    const [silent, known] = [await rawClient(system), await rawClient(system)]
    await connectAs(known, 'client', { auth: { method: 'api-key', credential: KEY } })
    clock.pass(KNOWN_WITHIN_MS - 1)
    expect(silent.socket.readyState).toBe(silent.socket.OPEN)
    clock.pass(1)
    await vi.waitFor(() => expect(silent.closed()).not.toBeNull())
    expect((await known.call('trajectory/list')).result).toMatchObject({ checkpoints: [] })
  })

  it('T-34 takes the key from map/connect as well, and never another’s afterwards', async () => {
    const system = await open()
    const raw = await rawClient(system)
    const { result } = await connectAs(raw, 'client', { auth: { method: 'api-key', credential: KEY } })
    expect(result).not.toHaveProperty('authRequired')
    expect((await raw.call('map/authenticate', { credential: OTHER_KEY })).error?.code).toBe(1001)
  })

  it('T-34 with a key that is nobody’s is refused at the handshake', async () => {
    const system = await open()
    await expect(rawClient(system, bearer('guess'))).rejects.toThrow('401')
    expect(system.adapters.refused()).toEqual([{ protocol: 'map', code: 'unauthenticated', count: 1 }])
    expect((await system.call('/map')).status).toBe(426)
    await expect(rawClient({ ...system, url: `${system.url}/map/content?` }, bearer())).rejects.toThrow('404')
  })

  it('T-33 is answered by the codes of JSON-RPC, and its ids come back', async () => {
    const system = await open()
    const raw = await client(system)
    expect((await raw.send('{no json', null)).error?.code).toBe(-32700)
    expect((await raw.send('{"jsonrpc":"2.0","id":"seven"}', 'seven')).error?.code).toBe(-32600)
    expect((await raw.call('map/send', {})).error?.code).toBe(-32601)
    expect((await raw.call('trajectory/get', { checkpointId: 7 })).error?.code).toBe(-32602)
    expect((await raw.send('{"jsonrpc":"2.0","id":"x-1","method":"trajectory/list"}', 'x-1')).result).toBeDefined()
    raw.socket.send('{"jsonrpc":"2.0","method":"trajectory/list"}')
    await raw.call('trajectory/list')
    expect(raw.notes).toEqual([])
    // Of a peer that is known each refusal is a line.
    await vi.waitFor(() => expect(system.exchange().map(({ verdict }) => verdict)).toContain('-32601'))
  })

  it('T-34 a socket ends after an oversized or binary frame, and others continue', async () => {
    const system = await open()
    const [large, binary, quiet] = [await client(system), await client(system), await client(system)]
    large.socket.send('x'.repeat(5_000_000))
    binary.socket.send(Buffer.from([1, 2, 3]))
    await vi.waitFor(() => expect([large.closed(), binary.closed()]).toEqual([1009, 1003]))
    expect((await quiet.call('trajectory/list')).result).toBeDefined()
  })

  it('T-34 that shows no key ends once it has sent 512 KiB', async () => {
    const system = await open()
    const [stranger, known] = [await rawClient(system), await client(system)]
    stranger.socket.send('x'.repeat(600_000))
    await vi.waitFor(() => expect(stranger.closed()).not.toBeNull())
    expect((await known.send('x'.repeat(600_000), null)).error?.code).toBe(-32700)
  })

  it('T-50 a text above 1 MiB is refused under its id, and the connection stays', async () => {
    const system = await open()
    const raw = await agent(system)
    const refused = await report(raw, { metadata: { log: 'x'.repeat(1_100_000) } })
    expect(refused.error).toEqual({
      code: -32600,
      message: 'A text has at most 1048576 bytes.',
      data: { limit: 1_048_576 },
    })
    const most =
      1024 * 1024 -
      Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'map/none', params: { log: '' } }))
    expect((await raw.call('map/none', { log: 'x'.repeat(most) })).error?.code).toBe(-32601)
    expect((await raw.call('map/none', { log: 'x'.repeat(most + 1) })).error?.code).toBe(-32600)
    expect(raw.closed()).toBeNull()
    const verdicts = () => system.exchange().map(({ verdict }) => verdict)
    await vi.waitFor(() => expect(verdicts()).toEqual(['-32600', '-32601', '-32600']))
  })

  it('T-34 is ended by map/disconnect', async () => {
    const raw = await client(await open())
    expect((await raw.call('map/disconnect')).result).toMatchObject({ session: { sessionId: expect.any(String) } })
    await vi.waitFor(() => expect(raw.closed()).toBe(1000))
  })
})

describe('a report', () => {
  it('T-05 comes back as it is stored, with the time of its writing', async () => {
    const system = await open()
    const { result } = await report(await agent(system))
    expect(result).toEqual({ checkpoint: { ...checkpoint(), timestamp: system.world().at } })
  })

  it('T-05 keeps a time that it says, unless that lies in the future', async () => {
    const raw = await agent(await open())
    expect((await report(raw, { timestamp: 1606120000000 })).result).toMatchObject({
      checkpoint: { timestamp: 1606120000000 },
    })
    expect((await report(raw, { id: 'late', timestamp: 4_000_000_000_000 })).error?.code).toBe(-32602)
  })

  it('T-05 is the same checkpoint when an agent says it anew, and refused when another does', async () => {
    const system = await open()
    const raw = await agent(system)
    await report(raw)
    await report(raw, { label: 'Better' })
    expect((await raw.call('trajectory/list')).result).toMatchObject({ checkpoints: [{ label: 'Better' }] })
    const second = await agent(system, KEY, 'agent-2')
    expect((await report(second, { agentId: 'agent-2' })).error).toMatchObject({
      code: 13004,
      data: { category: 'trajectory' },
    })
    expect((await report(second, { id: 'x' })).error?.code).toBe(13004)
  })

  it('T-05 comes from agents only, also from one that never registered', async () => {
    const system = await open()
    expect((await report(await client(system))).error?.code).toBe(13004)
    const nameless = await rawClient(system, bearer())
    await connectAs(nameless, 'agent')
    expect((await report(nameless)).result).toBeDefined()
    expect((await report(nameless, { id: 'y', agentId: 'agent-9' })).error?.code).toBe(13004)
  })

  it('T-06 without id or agent is refused by name', async () => {
    const raw = await agent(await open())
    for (const key of ['id', 'agentId']) {
      expect((await report(raw, { [key]: undefined })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining(key),
      })
    }
  })
})

describe('what is asked for', () => {
  it('T-07 a checkpoint is listed with all that it holds', async () => {
    const system = await open()
    const raw = await agent(system)
    await report(raw)
    const { result } = await raw.call('trajectory/list', {
      filter: { agentId: 'agent-1', afterTimestamp: 1 },
      limit: 20,
    })
    expect(result).toEqual({ checkpoints: [{ ...checkpoint(), timestamp: system.world().at }], hasMore: false })
    expect((await raw.call('trajectory/list', { cursor: 'never' })).error?.code).toBe(-32602)
  })

  it('T-08 a checkpoint is got by its id', async () => {
    const raw = await agent(await open())
    await report(raw)
    expect((await raw.call('trajectory/get', { checkpointId: 'a1b2c3d4e5f6' })).result).toMatchObject({
      checkpoint: checkpoint(),
    })
    expect((await raw.call('trajectory/get', { checkpointId: 'none' })).error?.code).toBe(13001)
  })

  it('T-32 [R50] what is another peer’s is not there', async () => {
    const system = await open()
    await report(await agent(system))
    const stranger = await client(system, OTHER_KEY)
    expect((await stranger.call('trajectory/list')).result).toMatchObject({ checkpoints: [] })
    for (const method of ['trajectory/get', 'trajectory/content']) {
      expect((await stranger.call(method, { checkpointId: 'a1b2c3d4e5f6' })).error).toMatchObject({
        code: 13001,
        data: { category: 'trajectory' },
      })
    }
  })

  it('T-09 content comes by name, all of it when none is named, and what is not there is 13002', async () => {
    const raw = await agent(await open())
    await report(raw)
    const whole = { streaming: false, checkpointId: 'a1b2c3d4e5f6', artifacts: { metadata: checkpoint().metadata } }
    expect((await raw.call('trajectory/content', { checkpointId: 'a1b2c3d4e5f6' })).result).toEqual({ content: whole })
    const wish = { checkpointId: 'a1b2c3d4e5f6', include: ['metadata', 'transcript'] }
    expect((await raw.call('trajectory/content', wish)).error?.code).toBe(13002)
  })

  const large = { log: 'ä'.repeat(150_000) }
  const bytes = Buffer.from(JSON.stringify(large))

  it('T-17 a large artifact is announced with its size, its pieces and the name of its stream', async () => {
    const raw = await agent(await open())
    await report(raw, { metadata: large })
    const { result } = await raw.call('trajectory/content', { checkpointId: 'a1b2c3d4e5f6' })
    expect(result).toEqual({
      content: {
        streaming: true,
        checkpointId: 'a1b2c3d4e5f6',
        streamId: expect.any(String),
        artifacts: {
          metadata_url: 'http://ours.example/map/content?checkpoint=a1b2c3d4e5f6&artifact=metadata',
        },
        streamArtifact: 'metadata',
        streamInfo: { totalBytes: bytes.length, totalChunks: 5, encoding: 'base64' },
      },
    })
  })

  it('T-18 the pieces come behind the answer in their order, the last with the hash of the whole', async () => {
    const raw = await agent(await open())
    await report(raw, { metadata: large })
    await raw.call('trajectory/content', { checkpointId: 'a1b2c3d4e5f6' })
    await vi.waitFor(() => expect(raw.notes).toHaveLength(5))
    const pieces = raw.notes.map(({ params }) => params)
    expect(pieces.map(({ index, final }) => [index, final])).toEqual([0, 1, 2, 3, 4].map((i) => [i, i === 4]))
    const joined = Buffer.concat(pieces.map(({ data }) => Buffer.from(String(data), 'base64')))
    expect(joined.equals(bytes)).toBe(true)
    expect(pieces.map(({ checksum }) => checksum)).toEqual([
      ...Array(4).fill(undefined),
      createHash('sha256').update(bytes).digest('hex'),
    ])
  })
})

describe('faults', () => {
  it('T-29 all four methods are 13000 where the extension is switched off', async () => {
    const raw = await agent(await open({ ourselves: { trajectory: false } }))
    for (const method of ['checkpoint', 'list', 'get', 'content']) {
      expect((await raw.call(`trajectory/${method}`, {})).error).toMatchObject({
        code: 13000,
        data: { category: 'trajectory' },
      })
    }
  })

  it.each([
    ['asked for after the others', false],
    ['asked for with them', true],
  ])('T-32 a third stream at once, %s, is 13003, to be tried again when one has ended', async (_, isTogether) => {
    const system = await open()
    await report(await agent(system), { metadata: { log: 'x'.repeat(400_000) } })
    const said: Answer[] = []
    const held: (() => void)[] = []
    const ways = openWays({ node: system.parts.engine.node })
    const context = {
      ...system.parts,
      keys: openPeerKeys([], system.parts.now),
      exchange: openExchange(system.parts),
      ways,
      streams: openStreams(ways),
      reached: () => {},
    }
    const session = openMapSession({
      context,
      trajectory: openTrajectory(context, () => true),
      isEnabled: () => true,
      peer: MAP_PEER.id,
      agentsOf: () => [],
      systemInfo: { name: 'Test team', version: VERSION },
      wire: {
        close: () => {},
        send: async (text) => {
          const message: Answer & Partial<Note> = JSON.parse(text)
          // No piece leaves before the test lets it.
          if (message.method !== undefined) await new Promise<void>((resolve) => held.push(resolve))
          else said.push(message)
        },
      },
    })
    const call = (id: number, method: string, params: object = {}) =>
      session.take(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await call(0, 'map/connect')
    const ask = (id: number) => call(id, 'trajectory/content', { checkpointId: 'a1b2c3d4e5f6' })
    if (isTogether) await Promise.all([1, 2, 3].map(ask))
    else for (const id of [1, 2, 3]) await ask(id)
    expect(said.map(({ error }) => error)).toEqual([
      undefined,
      undefined,
      undefined,
      { code: 13003, message: expect.any(String), data: { category: 'trajectory', retryable: true } },
    ])
    while (held.length > 0) {
      held.shift()?.()
      await new Promise(setImmediate)
    }
    await ask(4)
    expect(said.at(-1)?.error).toBeUndefined()
  })

  it('T-33 whatever is said, somebody answers, and the next call is answered rightly', async () => {
    const system = await open({ now: quickClock() })
    const raw = await agent(system)
    const runs = process.env.CONVENE_ALL === '1' ? 1_250 : 60
    const methods = [
      'map/connect',
      'map/subscribe',
      'trajectory/checkpoint',
      'trajectory/list',
      'trajectory/content',
      'x',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), fc.jsonValue(), async (method, params) => {
        const { error, result } = await raw.call(method, Object(params))
        expect(error ?? result).toBeDefined()
        expect(error?.code ?? -32602).not.toBe(-32603)
      }),
      { numRuns: runs },
    )
    await report(raw)
    expect((await raw.call('trajectory/get', { checkpointId: 'a1b2c3d4e5f6' })).result).toBeDefined()
  })
})

import { createHash } from 'node:crypto'
import { AgentConnection, ClientConnection, websocketStream } from '@multi-agent-protocol/sdk'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'
import type { Command } from '@/lib/mas/commands/command'
import { memoryData } from '@/test/memoryStore'
import { ANA, MANAGER, READER, stageAt } from '@/test/stories'
import { KEY, type System } from '../../test/adapterSystem'
import { agent, checkpoint, client, OTHER_KEY, open, report, worksAtOnce } from '../../test/adapters/map'

describe('an agent of ours', () => {
  it('T-35 has a checkpoint of the stage that it finished, with its steps as transcript, also after a restart', async () => {
    const data = memoryData()
    const system = await open({ data, skill: worksAtOnce })
    const commit = async (command: Command) => {
      const answer = await system.engine.commit({ id: system.parts.newId(), by: ANA, command })
      expect(answer).toMatchObject({ ok: true })
    }
    const reason = 'to see it'
    const stages = [
      { intention: 'read', allocation: { [READER]: 'read all' } },
      { intention: 'compare', allocation: { [READER]: 'compare' } },
    ]
    await commit({
      type: 'makeTask',
      name: 'Compare',
      intention: 'x',
      manager: MANAGER,
      members: [READER],
      stages,
      reason,
    })
    const first = () => stageAt(system.world(), 0)
    await vi.waitFor(() => expect(first().parts[READER]).toBe('finished'))
    await commit({ type: 'finishStage', stage: first().id, reason })
    await system.engine.stop()

    const raw = await client(await open({ data, prefix: 'again' }))
    const { result } = await raw.call('trajectory/list', { filter: { agentId: 'reader' } })
    expect(result).toMatchObject({
      checkpoints: [
        { agentId: 'reader', label: 'Stage 1 of “Compare” finished', metadata: { summary: 'read all of it' } },
      ],
    })
    const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(result?.checkpoints)
    const content = await raw.call('trajectory/content', { checkpointId: id, include: ['transcript'] })
    const { transcript } = z.object({ transcript: z.string() }).parse(Object(content.result?.content).artifacts)
    expect(
      transcript
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { executor: 'planning', state: 'finished' },
      { executor: 'summary', state: 'finished' },
    ])
    const other = await client(await open({ data: memoryData() }), OTHER_KEY)
    expect((await other.call('trajectory/get', { checkpointId: id })).error?.code).toBe(13001)
  })
})

describe('events', () => {
  it('T-28 subscribers hear that content can be asked for', async () => {
    const system = await open()
    const [raw, dashboard] = [await agent(system), await client(system)]
    await dashboard.call('map/subscribe', { filter: { eventTypes: ['trajectory.content.available'] } })
    await report(raw)
    await vi.waitFor(() => expect(dashboard.notes).toHaveLength(1))
    expect(dashboard.notes[0]?.params.event).toMatchObject({
      type: 'trajectory.content.available',
      data: { checkpointId: 'a1b2c3d4e5f6', agentId: 'agent-1' },
      source: { agentId: 'agent-1' },
    })
  })

  it('T-19 a connection has 50 subscriptions; one more is refused until one is given up, and another connection has its own', async () => {
    const system = await open()
    const [raw, other] = [await client(system), await client(system)]
    const subscribe = (from = raw) => from.call('map/subscribe', { filter: {} })
    const ids = (await Promise.all(Array.from({ length: 50 }, () => subscribe()))).map(
      ({ result }) => result?.subscriptionId,
    )
    expect(new Set(ids).size).toBe(50)
    expect((await subscribe()).error?.message).toBe('A connection has at most 50 subscriptions.')
    expect((await subscribe(other)).result).toBeDefined()
    expect((await raw.call('map/unsubscribe', { subscriptionId: ids[0] })).result).toBeDefined()
    expect((await subscribe()).result).toBeDefined()
    expect((await raw.call('map/agents/register', { agentId: 'a', name: 'A', role: 'r' })).error?.message).toBe(
      'A client registers no agent.',
    )
  })

  it('T-19 subscribers hear of checkpoints, by filter, each once', async () => {
    const system = await open()
    const [raw, all, some, stranger] = [
      await agent(system),
      await client(system),
      await client(system),
      await client(system, OTHER_KEY),
    ]
    const { result } = await all.call('map/subscribe')
    await some.call('map/subscribe', {
      filter: { eventTypes: ['trajectory.checkpoint'], trajectory: { agentId: 'agent-1', sessionId: 'sess-abc' } },
    })
    await stranger.call('map/subscribe')
    await report(raw)
    await report(raw, { id: 'second', sessionId: 'other' })
    await vi.waitFor(() => expect(all.notes).toHaveLength(4))
    expect(all.notes[0]).toEqual({
      jsonrpc: '2.0',
      method: 'map/event',
      params: {
        subscriptionId: result?.subscriptionId,
        sequenceNumber: 1,
        eventId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        timestamp: expect.any(Number),
        event: {
          id: expect.any(String),
          type: 'trajectory.checkpoint',
          timestamp: expect.any(Number),
          source: { agentId: 'agent-1' },
          data: { checkpoint: expect.objectContaining(checkpoint()) },
        },
      },
    })
    expect(all.notes[1]?.params).toMatchObject({
      sequenceNumber: 2,
      event: { type: 'trajectory.content.available', data: { checkpointId: 'a1b2c3d4e5f6', agentId: 'agent-1' } },
    })
    expect(some.notes).toHaveLength(1)
    expect(stranger.notes).toEqual([])
    await all.call('map/unsubscribe', { subscriptionId: result?.subscriptionId })
    await report(raw, { id: 'third' })
    await all.call('trajectory/list')
    expect(all.notes).toHaveLength(4)
  })
})

describe('the protocol’s own SDK', () => {
  const stream = async ({ url }: System) => {
    // The SDK's own stream wants a browser's socket; ws has the same interface.
    const socket = new globalThis.WebSocket(`${url.replace('http', 'ws')}/map`)
    return websocketStream(socket)
  }
  Object.assign(globalThis, { WebSocket })
  const auth = { method: 'bearer' as const, credential: KEY }

  it('T-05 its agent connects, registers and reports, and its client subscribes, lists, gets and reads', async () => {
    const system = await open()
    const client = new ClientConnection(await stream(system), { name: 'dashboard' })
    await client.connect({ auth })
    const subscription = await client.subscribe({ eventTypes: ['trajectory.checkpoint'] })
    const events: unknown[] = []
    subscription.on('event', (event: unknown) => events.push(event))

    const agent = new AgentConnection(await stream(system), { name: 'coder', role: 'developer' })
    const connected = await agent.connect({ auth, agentId: 'agent-1' })
    expect(connected.agent).toMatchObject({ id: 'agent-1', state: 'registered' })
    await agent.callExtension('trajectory/checkpoint', { checkpoint: checkpoint() })

    await vi.waitFor(() => expect(events).toHaveLength(1))
    expect(events[0]).toMatchObject({ type: 'trajectory.checkpoint', data: { checkpoint: checkpoint() } })
    expect(await client.callExtension('trajectory/list', {})).toMatchObject({ checkpoints: [checkpoint()] })
    expect(await client.callExtension('trajectory/get', { checkpointId: 'a1b2c3d4e5f6' })).toMatchObject({
      checkpoint: checkpoint(),
    })
    expect(await client.callExtension('trajectory/content', { checkpointId: 'a1b2c3d4e5f6' })).toMatchObject({
      content: { streaming: false, artifacts: { metadata: checkpoint().metadata } },
    })
    await expect(client.callExtension('trajectory/get', { checkpointId: 'none' })).rejects.toMatchObject({
      code: 13001,
      data: { category: 'trajectory' },
    })
    await client.unsubscribe(subscription.id)
    await agent.disconnect()
    await client.disconnect()
  })

  it('T-12 its agent reports without a label, and the checkpoint comes back without one', async () => {
    const system = await open()
    const agent = new AgentConnection(await stream(system), { name: 'coder' })
    await agent.connect({ auth, agentId: 'agent-1' })
    const { label: _, ...bare } = checkpoint()
    const stored = { checkpoint: { ...bare, timestamp: expect.any(Number) } }
    expect(await agent.callExtension('trajectory/checkpoint', { checkpoint: bare })).toEqual(stored)
    expect(await agent.callExtension('trajectory/get', { checkpointId: bare.id })).toEqual(stored)
    await agent.disconnect()
  })

  it('T-50 its report of 3 MB is refused with an error, and its next one is taken on the same connection', async () => {
    const system = await open()
    const agent = new AgentConnection(await stream(system), { name: 'coder' })
    await agent.connect({ auth, agentId: 'agent-1' })
    const large = checkpoint({ metadata: { log: 'x'.repeat(3_000_000) } })
    await expect(agent.callExtension('trajectory/checkpoint', { checkpoint: large })).rejects.toMatchObject({
      code: -32600,
    })
    expect(await agent.callExtension('trajectory/checkpoint', { checkpoint: checkpoint() })).toMatchObject({
      checkpoint: checkpoint(),
    })
    await agent.disconnect()
  })

  it('004-7 its client drops the pieces, and fetches the same bytes by the address beside them', async () => {
    const system = await open()
    const metadata = { log: 'ä'.repeat(200_000) }
    await report(await agent(system), { metadata })
    const client = new ClientConnection(await stream(system), { name: 'dashboard' })
    await client.connect({ auth: { method: 'bearer', credential: KEY } })
    const answer = await client.callExtension('trajectory/content', { checkpointId: 'a1b2c3d4e5f6' })
    const { content } = z
      .object({ content: z.object({ streaming: z.literal(true), artifacts: z.object({ metadata_url: z.url() }) }) })
      .parse(answer)
    const { pathname, search } = new URL(content.artifacts.metadata_url)
    const fetched = (key: string | null, query = search) =>
      fetch(system.url + pathname + query, { headers: key === null ? {} : { authorization: `Bearer ${key}` } })
    const whole = await fetched(KEY)
    expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect(JSON.parse(bytes.toString())).toEqual(metadata)
    expect(whole.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    expect([
      await fetched(null),
      await fetched(OTHER_KEY),
      await fetched(KEY, '?checkpoint=a1b2c3d4e5f6'),
    ]).toMatchObject([{ status: 401 }, { status: 404 }, { status: 404 }])
    await client.disconnect()
  })
})

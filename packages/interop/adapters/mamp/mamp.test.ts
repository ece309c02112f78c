import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { handClock } from '@/test/handClock'
import { EXAMPLE_MESSAGE, EXAMPLE_PARTS } from '@/test/mampExamples'
import { memoryData } from '@/test/memoryStore'
import { must } from '@/test/stories'
import { TEAM } from '@/test/worldHistories'
import { MampCard } from '../../protocols/mamp/card'
import { answersAll, KEY, mampMessage, openSystem, PEER, URI } from '../../test/adapterSystem'
import { answered, isIdle, listener, unchanged } from '../../test/adapters/mamp'
import { MAX_MESSAGE_BYTES } from './card'

describe('POST /mamp/v1/messages', () => {
  it('M-03 M-13 M-14 a new conversation begins, and its id comes back with the id of the message', async () => {
    const system = await openSystem()
    const { status, json } = await system.post(mampMessage({ conversation_id: null }))
    expect([status, json]).toEqual([
      200,
      { conversation_id: expect.stringMatching(/^conv-/), message_id: 'msg-1', status: 'received' },
    ])
    const [conversation] = system.conversations()
    expect(conversation).toMatchObject({ shared: json.conversation_id, openedBy: 'them', ours: TEAM.reader.id })
  })

  it('M-04 a message with a known conversation id continues its task', async () => {
    const system = await openSystem()
    const first = await system.post(mampMessage())
    const more = { message_id: 'msg-2', conversation_id: String(first.json.conversation_id) }
    expect((await system.post(mampMessage(more))).json).toMatchObject(more)
    expect(system.conversations()).toHaveLength(1)
    expect(new Set(system.messages().map((message) => message.task)).size).toBe(1)
  })

  it('M-28 the answer does not wait for the work that it begins', async () => {
    let finish = (): void => {}
    const working = new Promise<void>((resolve) => {
      finish = resolve
    })
    const system = await openSystem({ skill: (step, run) => working.then(() => answersAll(step, run)) })
    expect((await system.post(mampMessage())).status).toBe(200)
    expect(isIdle(system.world().work)).toBe(false)
    finish()
    await system.until((world) => isIdle(world.work))
  })

  it('M-02 a repeat has no second effect, also after a restart, and hears the same', async () => {
    const data = memoryData()
    const system = await openSystem({ data })
    const first = await system.post(mampMessage())
    await answered(system)
    const again = await system.post(mampMessage())
    expect(again.json).toEqual(first.json)
    const known = mampMessage({ conversation_id: String(first.json.conversation_id) })
    expect((await system.post({ ...known, metadata: { timestamp: '2026-03-04T11:00:00Z' } })).json).toEqual(first.json)
    for (const other of [
      { content: 'changed' },
      { conversation_id: 'conv-other' },
      { callback_url: 'https://x.example' },
    ])
      expect((await system.post(mampMessage(other))).json).toMatchObject({ error: 'id_taken', status_code: 409 })
    expect(system.heard()).toHaveLength(1)
    expect(system.exchange().map((line) => line.verdict)).toContain('repeat')
    await system.engine.stop()
    const later = await openSystem({ data, prefix: 'later' })
    expect((await later.post(mampMessage())).json).toEqual(first.json)
    expect((await later.post(mampMessage({ content: 'changed' }))).status).toBe(409)
    expect(later.heard()).toHaveLength(1)
  })

  it('M-05 M-15 an unknown conversation is 404 conversation_not_found, and nothing is kept of the message', async () => {
    const system = await openSystem()
    const { status, json } = await unchanged(system, () => system.post(mampMessage({ conversation_id: 'conv-none' })))
    expect(json).toEqual({
      error: 'conversation_not_found',
      message: 'Conversation conv-none not found',
      status_code: 404,
    })
    expect(status).toBe(404)
    expect(system.exchange()).toMatchObject([{ verdict: 'conversation_not_found', status: 404, theirs: 'msg-1' }])
  })

  it('M-07 an agent that is not here, or not for this peer, is 404 agent_not_found', async () => {
    const system = await openSystem()
    for (const to of [
      'agent://ours.example/nobody',
      'agent://elsewhere.example/reader',
      'agent://ours.example/analyst',
    ]) {
      const { status, json } = await unchanged(system, () => system.post(mampMessage({ to, message_id: to })))
      expect([status, json.error]).toEqual([404, 'agent_not_found'])
    }
  })

  it('M-09 every kind of part arrives: texts, code and addresses in the text, what came with it as attachments', async () => {
    const system = await openSystem()
    const { content } = JSON.parse(EXAMPLE_PARTS)
    const file = {
      type: 'file',
      name: '@/server/etc/list.md',
      source: { type: 'base64', data: Buffer.from('# a').toString('base64') },
    }
    await system.post(mampMessage({ content: [...content, file] }))
    const message = must(system.messages()[0], 'message')
    expect(message.text).toContain('这是文本内容')
    expect(message.text).toContain('```python\ndef hello(): pass\n```')
    expect(message.text).toContain('[report.pdf](<https://...>)')
    expect(message.attachments.map(({ name, body }) => [name, body.mime])).toEqual([
      ['image-3.jpeg', 'image/jpeg'],
      ['list.md', 'application/octet-stream'],
    ])
    const kept = await system.store.bodies.get(must(message.attachments[1], 'attachment').body.sha)
    expect(Buffer.from(must(kept, 'body').bytes).toString()).toBe('# a')
  })

  it("M-09 the document's message, unedited but for its dots, is taken", async () => {
    const system = await openSystem({
      peers: [{ ...PEER, uri: 'agent://your-domain.com/agent-123' }],
      ourselves: { domain: 'other-domain.com' },
    })
    const body = EXAMPLE_MESSAGE.replace('[...]', JSON.stringify(JSON.parse(EXAMPLE_PARTS).content))
    expect((await system.post(body)).json).toMatchObject({ error: 'agent_not_found' })
    const ours = body.replace('agent-456', 'reader').replace('"conv-uuid-456"', 'null')
    expect((await system.post(ours)).json).toMatchObject({ message_id: 'msg-uuid-123', status: 'received' })
  })

  it('a text longer than a message may be becomes an attachment, whole', async () => {
    const system = await openSystem()
    const long = 'line\n'.repeat(20_000)
    await system.post(mampMessage({ content: long }))
    const message = must(system.messages()[0], 'message')
    expect(message.text.length).toBeLessThan(3_000)
    expect(message.attachments[0]).toMatchObject({ name: 'message.md', body: { bytes: long.length } })
  })

  it('M-12 which conversation is which task, since when and until when, survives a restart', async () => {
    const [data, clock] = [memoryData(), handClock()]
    const system = await openSystem({ data, clock })
    const { json } = await system.post(mampMessage())
    await answered(system)
    const before = must(system.conversations()[0], 'conversation')
    expect(before.lastMessageAt).toBeGreaterThanOrEqual(before.createdAt)
    await system.engine.stop()
    const later = await openSystem({ data, clock, prefix: 'later' })
    expect(later.conversations()).toEqual([before])
    clock.pass(60_000)
    const goesOn = mampMessage({ message_id: 'msg-2', conversation_id: String(json.conversation_id) })
    expect((await later.post(goesOn)).status).toBe(200)
    expect(later.conversations()[0]?.lastMessageAt).toBeGreaterThan(before.lastMessageAt)
  })

  it('[R46] M-04 after days at rest the conversation is woken by its next message, also after a restart', async () => {
    const [data, clock] = [memoryData(), handClock()]
    const other = await listener()
    const peers = [{ ...PEER, baseUrl: other.url, allowPrivate: true }]
    const system = await openSystem({ data, clock, peers })
    const { json } = await system.post(mampMessage())
    const { task } = must(system.conversations()[0], 'conversation')
    await system.until(() => system.exchange().some((line) => line.verdict === 'delivered'))
    const archived = system.until((world) => world.tasks[task] === undefined)
    for (let hours = 0; hours < 30; hours++) clock.pass(3_600_000)
    await archived
    await system.engine.stop()
    const later = await openSystem({ data, clock, peers, prefix: 'later' })
    const goesOn = mampMessage({
      message_id: 'msg-2',
      conversation_id: String(json.conversation_id),
      content: 'Still there?',
    })
    expect((await later.post(goesOn)).json).toMatchObject({ conversation_id: json.conversation_id, status: 'received' })
    await later.until(() => later.exchange().filter((line) => line.verdict === 'delivered').length === 2)
    expect(later.messages().map((message) => [message.task, message.text])).toEqual([
      [task, 'How many items are on the list?'],
      [task, 'It is 7.'],
      [task, 'Still there?'],
      [task, 'It is 7.'],
    ])
  })

  it('M-13 other methods, other types and other paths are refused in the same form', async () => {
    const system = await openSystem()
    const auth = { authorization: `Bearer ${KEY}` }
    expect((await system.call('/mamp/v1/messages', { headers: auth })).json.error).toBe('method_not_allowed')
    expect((await system.call('/mamp/v2/messages', { headers: auth })).json.error).toBe('not_found')
    const text = await system.post('{}', { ...auth, 'content-type': 'text/plain' })
    expect([text.status, text.json.error]).toEqual([415, 'not_json'])
    expect((await system.post('{"protocol":', auth)).json.error).toBe('invalid_json')
    expect((await system.call('/mamp/v1/card', { method: 'POST' })).json.error).toBe('method_not_allowed')
  })
})

describe('who may', () => {
  it('M-13 M-18 without a key, or with one that nobody has, is 401, and is counted only', async () => {
    const system = await openSystem()
    const nothing: Record<string, string> = {}
    for (const headers of [
      nothing,
      { authorization: 'Bearer wrong' },
      { authorization: KEY },
      { authorization: 'Basic x' },
    ]) {
      const { status, json } = await unchanged(system, () => system.post(mampMessage(), headers))
      expect([status, json.error]).toEqual([401, 'unauthorized'])
    }
    expect(system.exchange()).toEqual([])
    expect(system.adapters.refused()).toEqual([{ protocol: 'mamp', code: 'unauthorized', count: 4 }])
  })

  it("M-18 another's key, a stranger's address, and a peer that may not use this protocol are 403", async () => {
    const other = { ...PEER, id: 'peer-2' as typeof PEER.id, uri: 'agent://second.example/*' }
    const silent = {
      ...PEER,
      id: 'peer-3' as typeof PEER.id,
      uri: 'agent://third.example/*',
      may: ['envelope' as const],
    }
    const system = await openSystem({
      peers: [PEER, other, silent],
      secrets: [
        { id: PEER.id, key: KEY, sendKey: null, signingKey: null },
        { id: other.id, key: 'second', sendKey: null, signingKey: null },
        { id: silent.id, key: 'third', sendKey: null, signingKey: null },
      ],
    })
    const cases: [string, string][] = [
      ['second', URI],
      [KEY, 'agent://second.example/x'],
      [KEY, 'agent://stranger.example/x'],
      ['third', 'agent://third.example/x'],
    ]
    for (const [key, from] of cases) {
      const post = () =>
        system.post(mampMessage({ from, message_id: `${key} ${from}` }), { authorization: `Bearer ${key}` })
      const { status, json } = await unchanged(system, post)
      expect([status, json.error]).toEqual([403, 'agent_not_allowed'])
    }
  })

  it('M-18 allowed_agents with wildcards are who gets in; a public team lets in all who have a key', async () => {
    const narrow = await openSystem({ ourselves: { allowedAgents: ['agent://other.example/team-*'] } })
    expect((await narrow.post(mampMessage())).json.error).toBe('agent_not_allowed')
    const from = 'agent://other.example/team-1'
    expect((await narrow.post(mampMessage({ from }))).status).toBe(200)
    const open = await openSystem({ ourselves: { allowedAgents: ['agent://nobody.example/*'], public: true } })
    expect((await open.post(mampMessage())).status).toBe(200)
  })

  it('M-18 where no key is demanded, only peers without one of their own come in without', async () => {
    const keyless = { ...PEER, id: 'peer-2' as typeof PEER.id, uri: 'agent://free.example/*' }
    const system = await openSystem({ peers: [PEER, keyless], ourselves: { requireAuth: false } })
    expect((await system.post(mampMessage(), {})).status).toBe(403)
    expect((await system.post(mampMessage({ from: 'agent://free.example/x' }), {})).status).toBe(200)
    expect((await system.post(mampMessage(), { authorization: 'Bearer wrong' })).status).toBe(401)
  })

  it('M-19 a message over the size limit is 413, and nothing of it is kept', async () => {
    const system = await openSystem()
    const large = JSON.stringify(mampMessage({ content: 'x'.repeat(MAX_MESSAGE_BYTES) }))
    const { status, json } = await unchanged(system, () => system.post(large))
    expect([status, json.error]).toEqual([413, 'message_too_large'])
    expect(system.exchange()).toMatchObject([{ verdict: 'message_too_large', body: null }])
  })

  it('a key that fails again and again is held off', async () => {
    const system = await openSystem()
    const statuses = new Set<number>()
    for (let n = 0; n < 61; n++) statuses.add((await system.post(mampMessage(), {})).status)
    expect([...statuses]).toEqual([401, 429])
    expect((await system.post(mampMessage())).status).toBe(200)
  })

  it('[R77] a signature that is missing or does not fit the body is 401; one that fits is taken', async () => {
    const system = await openSystem({ secrets: [{ id: PEER.id, key: KEY, sendKey: null, signingKey: 's3cret' }] })
    const body = JSON.stringify(mampMessage())
    const auth = { authorization: `Bearer ${KEY}` }
    const tampered = body.replace('How many', 'Delete all')
    expect((await system.post(body, auth)).json).toMatchObject({ error: 'bad_signature', status_code: 401 })
    expect((await system.post('{not json', auth)).json.error).toBe('bad_signature')
    expect((await system.post(tampered, { ...auth, ...system.signed(body) })).json.error).toBe('bad_signature')
    expect((await system.post(body, { ...auth, ...system.signed(body) })).status).toBe(200)
  })
})

describe('GET /mamp/v1/card', () => {
  it('M-17 says who we are, what we take, and who may write', async () => {
    const { status, json } = await (await openSystem()).call('/mamp/v1/card')
    expect(status).toBe(200)
    expect(MampCard.parse(json)).toMatchObject({
      protocol: 'mamp/1.0',
      agent_id: 'agent://ours.example/manager',
      owner: { organization: 'Test team', user_name: 'Ana' },
      capabilities: { max_message_size: MAX_MESSAGE_BYTES, streaming: true, async: true },
      access: { public: false, allowed_agents: ['agent://other.example/*'], require_auth: true },
    })
  })
})

describe('GET /mamp/v1/cards', () => {
  const headers = { authorization: `Bearer ${KEY}` }
  const MampCards = z.object({ cards: z.array(MampCard) })
  const idsOf = (json: Record<string, unknown>): string[] => MampCards.parse(json).cards.map(({ agent_id }) => agent_id)

  it('000-9 gives a card of each agent that the caller may reach, and of nobody else', async () => {
    const system = await openSystem()
    const all = await system.call('/mamp/v1/cards', { headers })
    expect(idsOf(all.json)).toEqual(['agent://ours.example/reader', 'agent://ours.example/manager'])
    const one = await system.call('/mamp/v1/cards?agent=agent://ours.example/reader', { headers })
    expect(MampCards.parse(one.json).cards).toMatchObject([{ name: 'Reader', access: { require_auth: true } }])
    const other = await system.call('/mamp/v1/cards?agent=analyst', { headers })
    expect([other.status, other.json.error]).toEqual([404, 'agent_not_found'])
    const unlisted = await openSystem({ peers: [{ ...PEER, agents: [] }] })
    expect(idsOf((await unlisted.call('/mamp/v1/cards', { headers })).json)).toEqual(['agent://ours.example/manager'])
  })

  it('000-9 is for peers that use this protocol', async () => {
    expect((await (await openSystem()).call('/mamp/v1/cards')).json).toMatchObject({ error: 'unauthorized' })
    const other = await openSystem({ peers: [{ ...PEER, may: ['envelope'] }] })
    expect((await other.call('/mamp/v1/cards', { headers })).json).toMatchObject({ error: 'agent_not_allowed' })
  })

  it('M-22 M-23 owner and device stand on it as the configuration has them', async () => {
    const owner = { user_id: 'user-789', user_name: '张三', organization: 'YourCompany' }
    const device = { device_id: 'device-mac-001', device_name: 'MacBook Pro', location: 'Beijing', platform: 'darwin' }
    const system = await openSystem({ ourselves: { owner, device } })
    expect((await system.call('/mamp/v1/card')).json).toMatchObject({ owner, device })
    const plain = await openSystem({ ourselves: { owner: {}, device: {} } })
    expect((await plain.call('/mamp/v1/card')).json).toMatchObject({ owner: { organization: 'Test team' }, device: {} })
  })
})

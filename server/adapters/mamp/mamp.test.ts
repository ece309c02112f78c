/** The MAMP face as another system meets it: over HTTP, with a whole engine behind it. */

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/ownSteps'
import { isStepOver } from '@/lib/mas/statuses'
import { MAMP_ERRORS, MampCard, type MampMessage, readMampMessage } from '@/lib/protocols/mamp'
import { answersAll, KEY, mampMessage, openSystem, PEER, quickClock, type System, URI } from '@/test/adapterSystem'
import { handClock } from '@/test/handClock'
import { EXAMPLE_MESSAGE, EXAMPLE_PARTS } from '@/test/mampExamples'
import { must } from '@/test/stories'
import { TEAM } from '@/test/worldHistories'
import { memoryData } from '../../store/memory'
import { signatureProblem } from '../signatures'
import { MAX_MESSAGE_BYTES } from './card'

type Got = { message: MampMessage; headers: IncomingMessage['headers']; body: string }
/** Another system that only takes what is sent to it. */
async function listener(
  answer: (got: Got, count: number) => { status: number; body?: unknown } = () => ({ status: 200 }),
) {
  const got: Got[] = []
  const waiting: (() => void)[] = []
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const one = { message: JSON.parse(body) as MampMessage, headers: request.headers, body }
      got.push(one)
      const { status, body: says } = answer(one, got.length)
      const received = { conversation_id: 'conv-theirs', message_id: one.message.message_id, status: 'received' }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(says ?? received))
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url,
    got,
    async until(count: number): Promise<Got[]> {
      while (got.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return got
    },
  }
}

const answered = (system: System) => system.until((world) => system.messages().length >= 2 && isIdle(world.work))
const isIdle = (work: Record<AgentId, { todo: unknown[]; running: unknown }>): boolean =>
  Object.values<{ todo: unknown[]; running: unknown }>(work).every(
    (one) => one.todo.length === 0 && one.running === null,
  )
const unchanged = async (system: System, act: () => Promise<{ status: number; json: Record<string, unknown> }>) => {
  const [messages, conversations] = [system.messages().length, system.conversations().length]
  const answer = await act()
  expect([system.messages().length, system.conversations().length]).toEqual([messages, conversations])
  expect(answer.json).toEqual({
    error: answer.json.error,
    message: expect.stringMatching(/\S/),
    status_code: answer.status,
  })
  return answer
}

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

  it('M-04 an id that is known goes on in its task', async () => {
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
      name: '../../etc/list.md',
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

  it("M-18 another's key, a stranger's address, and a peer that may not use this face are 403", async () => {
    const other = { ...PEER, id: 'peer-2' as typeof PEER.id, uri: 'agent://second.example/*' }
    const silent = { ...PEER, id: 'peer-3' as typeof PEER.id, uri: 'agent://third.example/*', may: ['a2a' as const] }
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

describe('answers', () => {
  const withAddress = (url: string) => ({
    peers: [{ ...PEER, baseUrl: url, allowPrivate: true }],
    secrets: [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: 's3cret' }],
  })

  it("M-29 go to the sender's own system with our key, signed, in the same conversation", async () => {
    const other = await listener()
    const system = await openSystem(withAddress(other.url))
    const { json } = await system.post(mampMessage())
    const [one] = await other.until(1)
    const { message, headers, body } = must(one, 'answer')
    expect(readMampMessage(message)).toHaveProperty('message')
    expect(message).toMatchObject({
      conversation_id: json.conversation_id,
      from: 'agent://ours.example/reader',
      to: URI,
      content: 'It is 7.',
    })
    expect(headers.authorization).toBe('Bearer our-key')
    const signature = String(headers['x-mamp-signature'])
    expect(signatureProblem({ key: 's3cret', form: 'v2' }, body, signature, system.parts.now())).toBeNull()
  })

  it('M-11 hold no id of a task, of a step or of a conversation of ours', async () => {
    const other = await listener()
    const system = await openSystem(withAddress(other.url))
    await system.post(mampMessage())
    const { body } = must((await other.until(1))[0], 'answer')
    const world = await system.until(() => system.exchange().some((line) => line.verdict === 'delivered'))
    const internal = [
      ...Object.keys(world.tasks),
      ...Object.values(world.steps).flatMap((byAgent) =>
        Object.values(byAgent).flatMap((own) => stepsIn(own).map(({ id }) => id)),
      ),
      ...system.conversations().map((conversation) => conversation.id),
    ]
    expect(internal.filter((id) => body.includes(id))).toEqual([])
  })

  it.each(['top', 'metadata'])(
    'M-29 go to the callback_url that the message names (%s), without our key',
    async (place) => {
      const [other, callback] = [await listener(), await listener()]
      const system = await openSystem(withAddress(other.url))
      const message = mampMessage()
      await system.post(
        place === 'top'
          ? { ...message, callback_url: `${callback.url}/back` }
          : { ...message, metadata: { ...message.metadata, callback_url: `${callback.url}/back` } },
      )
      const [one] = await callback.until(1)
      expect(one?.headers.authorization).toBeUndefined()
      expect(one?.headers['x-mamp-signature']).toMatch(/^t=\d+,sha256=/)
      await system.until(() => system.exchange().some((line) => line.by === 'callback'))
      expect(other.got).toEqual([])
    },
  )

  it('M-29 a callback into a private network is refused, and nothing is kept', async () => {
    const system = await openSystem()
    for (const callback_url of [
      'http://127.0.0.1:9/x',
      'http://[::1]/x',
      'http://169.254.169.254/latest',
      'http://localhost/x',
      'http://user:pass@example.org/x',
    ]) {
      const { status, json } = await unchanged(system, () =>
        system.post({ ...mampMessage({ message_id: callback_url }), callback_url }),
      )
      expect([status, json.error]).toEqual([400, 'callback_not_allowed'])
    }
  })

  it('[R42] a system that is down for a while gets the answer later, once, under the same id', async () => {
    const clock = handClock()
    const other = await listener((_, count) => ({ status: count < 3 ? 503 : 200 }))
    const system = await openSystem({ ...withAddress(other.url), clock })
    await system.post(mampMessage())
    for (const tries of [1, 2]) {
      await system.until(() => system.exchange().filter((line) => line.verdict === 'retry').length === tries)
      clock.pass(60_000)
    }
    await system.until(() => system.exchange().some((line) => line.verdict === 'delivered'))
    expect(new Set(other.got.map(({ message }) => message.message_id)).size).toBe(1)
    // Each try is signed with its own time.
    const times = other.got.map(({ headers }) => Number(/^t=(\d+),/.exec(String(headers['x-mamp-signature']))?.[1]))
    expect(times).toEqual([0, 60_000, 120_000].map((passed) => clock.now() - 120_000 + passed))
    clock.pass(24 * 3_600_000)
    expect(other.got).toHaveLength(3)
  })

  it('[R42] a system that never takes it leaves a failed receipt with the reason', async () => {
    const other = await listener(() => ({
      status: 403,
      body: { error: 'agent_not_allowed', message: 'no', status_code: 403 },
    }))
    const system = await openSystem(withAddress(other.url))
    await system.post(mampMessage())
    await system.until(() => system.exchange().some((line) => line.verdict === 'failed'))
    const answer = must(
      system.messages().find((message) => message.sender === TEAM.reader.id),
      'answer',
    )
    const [receiver] = answer.receivers
    expect(system.world().receipts[answer.task]?.[must(receiver, 'receiver')]?.[answer.id]).toMatchObject({
      state: 'failed',
      note: 'it answered 403: agent_not_allowed: no',
    })
  })

  it('[R42] what a stop had left is sent at the next start', async () => {
    const data = memoryData()
    const other = await listener((_, count) => ({ status: count === 1 ? 503 : 200 }))
    const clock = handClock()
    const system = await openSystem({ ...withAddress(other.url), data, clock })
    await system.post(mampMessage())
    await system.until(() => system.exchange().some((line) => line.verdict === 'retry'))
    await system.adapters.stop()
    await system.engine.stop()
    clock.pass(60_000)
    await openSystem({ ...withAddress(other.url), data, clock, prefix: 'later' })
    await other.until(2)
    expect(other.got[0]?.message.message_id).toBe(other.got[1]?.message.message_id)
  })

  it('M-29 come on the request itself where it asks for a stream, and nowhere else', async () => {
    const other = await listener()
    const system = await openSystem(withAddress(other.url))
    const body = JSON.stringify(mampMessage())
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, accept: 'text/event-stream' }
    const answer = await fetch(`${system.url}/mamp/v1/messages`, {
      method: 'POST',
      headers: { ...headers, ...system.signed(body) },
      body,
    })
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = (await answer.text()).split('\n\n').flatMap((block) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      return event === undefined ? [] : [{ event, data: JSON.parse(data ?? 'null') }]
    })
    expect(events[0]).toMatchObject({ event: 'received', data: { message_id: 'msg-1', status: 'received' } })
    const [said] = events.filter(({ event }) => event === 'message')
    expect(readMampMessage(said?.data)).toHaveProperty('message')
    expect(said?.data).toMatchObject({ content: 'It is 7.' })
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'answered' } })
    expect(system.exchange().some((line) => line.by === 'stream' && line.verdict === 'delivered')).toBe(true)
    expect(other.got).toEqual([])
  })

  it('each step of what came in is over', async () => {
    const other = await listener()
    const system = await openSystem(withAddress(other.url))
    await system.post(mampMessage())
    await other.until(1)
    const world = await system.until((now) => isIdle(now.work))
    const steps = Object.values(world.steps).flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.every(isStepOver)).toBe(true)
  })
})

describe('whatever is sent', () => {
  it('is answered with a code of the protocol, and nothing is kept half', async () => {
    const system = await openSystem({ now: quickClock() })
    const whole: Record<string, unknown> = { ...mampMessage() }
    const keys = [...Object.keys(whole), 'conversation_id', 'callback_url']
    const values: unknown[] = [null, 0, -1, '', 'x', [], {}, [[]], { type: 'text' }, '\u0000', 'agent://', true, 1e308]
    const runs = process.env.CONVENE_ALL === '1' ? 1_250 : 150
    for (let n = 0; n < runs; n++) {
      const key = keys[n % keys.length] ?? 'content'
      const value = values[Math.floor(n / keys.length) % values.length]
      const cut = JSON.stringify(whole).slice(0, (n * 7) % 200)
      const body = n % 5 === 0 ? cut : { ...whole, message_id: `m${n}`, [key]: value }
      const before = system.messages().length
      const { status, json } = await system.post(body)
      if (status === 200) continue
      expect(MAMP_ERRORS).toHaveProperty(String(json.error), status)
      expect(status).toBeLessThan(429)
      expect(system.messages().length - before).toBeLessThanOrEqual(1)
    }
    const world = await system.until((now) => isIdle(now.work))
    for (const conversation of system.conversations()) expect(world.tasks).toHaveProperty(conversation.task)
  })
})

describe('send_to_agent', () => {
  it('M-16 begins a conversation, keeps its id with the task, and goes on in it', async () => {
    const other = await listener()
    const system = await openSystem({
      peers: [{ ...PEER, baseUrl: other.url, allowPrivate: true }],
      secrets: [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: null }],
    })
    const caller = { agent: TEAM.manager.id, task: must(system.world().baseTask, 'base task'), stage: null }
    const { signal } = new AbortController()
    const send = (step: string, message: unknown, conversation: string | null) =>
      system.adapters.agents.send({ ...caller, step }, { target: URI, message, conversation }, signal)
    const first = await send('step-1', 'Please look at it.', null)
    expect(first).toMatchObject({ ok: true, conversation_id: 'conv-theirs', status: 'delivered' })
    const parts = {
      content: [
        { type: 'text', text: 'And at this.' },
        { type: 'code', language: 'python', code: 'x = 1' },
      ],
    }
    expect(await send('step-2', parts, 'conv-theirs')).toMatchObject({ ok: true, conversation_id: 'conv-theirs' })
    expect(other.got.map(({ message }) => [message.conversation_id, message.from])).toEqual([
      [undefined, 'agent://ours.example/manager'],
      ['conv-theirs', 'agent://ours.example/manager'],
    ])
    expect(system.conversations()).toMatchObject([{ shared: 'conv-theirs', openedBy: 'us' }])
    // The same step again, as after a crash, sends nothing again.
    await send('step-2', parts, 'conv-theirs')
    expect(other.got).toHaveLength(2)
  })

  it('M-16 says why something cannot be sent', async () => {
    const other = await listener(() => ({
      status: 404,
      body: { error: 'agent_not_found', message: 'no', status_code: 404 },
    }))
    const system = await openSystem({ peers: [{ ...PEER, baseUrl: other.url, allowPrivate: true }] })
    const caller = { agent: TEAM.manager.id, task: must(system.world().baseTask, 'base task'), stage: null }
    const { signal } = new AbortController()
    const send = (step: string, target: string, conversation: string | null, message: unknown = 'x') =>
      system.adapters.agents.send({ ...caller, step }, { target, message, conversation }, signal)
    expect(await send('1', 'agent://stranger.example/x', null)).toMatchObject({
      ok: false,
      why: expect.stringContaining('No system'),
    })
    expect(await send('2', URI, 'conv-none')).toMatchObject({ ok: false, why: 'Conversation conv-none not found' })
    expect(await send('3', URI, null, [{ type: 'video' }])).toMatchObject({ ok: false })
    expect(await send('4', URI, null)).toMatchObject({ ok: false, why: expect.stringContaining('it answered 404') })
  })
})

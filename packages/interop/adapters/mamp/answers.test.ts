import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { asId, type PeerId } from '@/lib/mas/ids'
import { isStepOver } from '@/lib/mas/statuses'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import { must, says } from '@/test/stories'
import { outcomeOf, planned, send, TEAM } from '@/test/worldHistories'
import { MAMP_ERRORS, readMampMessage } from '../../protocols/mamp/message'
import {
  KEY,
  makeTaskOfOutsiders,
  mampMessage,
  openSystem,
  PEER,
  quickClock,
  type System,
  URI,
} from '../../test/adapterSystem'
import { isIdle, listener, unchanged } from '../../test/adapters/mamp'
import { signatureProblem } from '../signatures'

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
    expect(signatureProblem('s3cret', body, signature, system.parts.now())).toBeNull()
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

  it('M-29 a callback into a private network, or to what is no address, is refused, and nothing is kept', async () => {
    const system = await openSystem()
    for (const callback_url of [
      'http://127.0.0.1:9/x',
      'http://[::1]/x',
      'http://169.254.169.254/latest',
      'http://localhost/x',
      'http://user:pass@example.org/x',
      'http://user@example.org/x',
      'http://:pass@example.org/x',
      'http://[no-address/x',
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

  it('[R42] a system that never takes it leaves a failed delivery with the reason', async () => {
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
    expect(system.world().deliveries[answer.task]?.[must(receiver, 'receiver')]?.[answer.id]).toMatchObject({
      state: 'failed',
      note: 'it returned 403: agent_not_allowed: no',
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
  it('M-16 [R190] begins a conversation, keeps its id with the task and in memory, and continues it', async () => {
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
    const notes = system.world().memory[TEAM.manager.id]
    expect(notes).toMatchObject([{ text: expect.stringContaining(`${URI}, conversation_id conv-theirs`) }])
    // The same step again, as after a crash, sends nothing again.
    await send('step-2', parts, 'conv-theirs')
    expect(other.got).toHaveLength(2)
  })

  it('M-16 offers the agents that it knows by name, and the patterns of peers that name no single agent', async () => {
    const single = {
      ...PEER,
      id: asId<PeerId>('00000000-0000-4000-8000-0000000000a1'),
      uri: 'agent://one.example/only',
    }
    const system = await openSystem({ peers: [PEER, single] })
    const offered = () => system.adapters.agents.known().map(({ uri }) => uri)
    expect(offered()).toEqual([single.uri, PEER.uri])
    await system.post(mampMessage())
    expect(offered()).toEqual([single.uri, URI, PEER.uri])
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
      why: expect.stringContaining('No peer'),
    })
    expect(await send('2', URI, 'conv-none')).toMatchObject({ ok: false, why: 'Conversation conv-none not found' })
    expect(await send('3', URI, null, [{ type: 'video' }])).toMatchObject({ ok: false })
    expect(await send('4', URI, null)).toMatchObject({ ok: false, why: expect.stringContaining('it returned 404') })
  })

  it('[R230] sends along the files that its step names, as parts, and nothing when one of them cannot be sent', async () => {
    const other = await listener()
    const { ref } = bodyOf('apple,3.20')
    const answers: unknown[] = []
    let isFirst = true
    const system: System = await openSystem({
      peers: [{ ...PEER, baseUrl: other.url, allowPrivate: true }],
      secrets: [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: null }],
      outgoing: async (_, { agent }, paths) => ({
        files: [{ name: 'north.csv', body: ref, savedAs: 'prices/north.csv' }],
        left: paths.filter((path) => agent !== TEAM.manager.id || path === 'secret.txt'),
      }),
      skill: async (step, run) => {
        const { agent, task, stage, id } = step
        if (!isFirst) return null
        isFirst = false
        for (const files of [['prices/north.csv', 'secret.txt'], ['prices/north.csv']]) {
          const wish = { target: URI, message: 'Compare it.', conversation: null, files }
          answers.push(await system.adapters.agents.send({ agent, task, stage, step: id }, wish, run.signal))
        }
        return null
      },
    })
    await system.store.bodies.put(Buffer.from('apple,3.20'), 'text/csv')
    await system.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id]))
    await system.until(() => answers.length >= 2)
    expect(answers.slice(0, 2)).toMatchObject([
      { ok: false, why: 'these files cannot be sent: secret.txt' },
      { ok: true, status: 'delivered' },
    ])
    expect(other.got.map(({ message }) => message.content)).toMatchObject([
      [
        { type: 'text', text: 'Compare it.' },
        { type: 'file', name: 'north.csv', source: { data: Buffer.from('apple,3.20').toString('base64') } },
      ],
    ])
  })
})

it('M-02 one message to two agents of a system goes to each under an id of its own, which its answer names', async () => {
  const uris = [URI, 'agent://other.example/buyer']
  const other = await listener(({ message: { to, message_id } }) => ({
    status: 200,
    body: { conversation_id: `conv-${to}`, message_id, status: 'received' },
  }))
  const system = await openSystem({
    peers: [{ ...PEER, baseUrl: other.url, allowPrivate: true }],
    skill: (step) =>
      step.executor === 'planning'
        ? outcomeOf({ steps: { insert: [], add: [planned('send_message')] } })
        : step.executor === 'send_message'
          ? says(uris, { message: 'How many?', need_reply: true, waiting: true })
          : null,
  })
  for (const from of uris) await system.post(mampMessage({ from, message_id: `of ${from}` }))
  await other.until(2)
  await makeTaskOfOutsiders(system)
  const asked = (await other.until(4)).slice(2).map(({ message }) => message)
  expect(new Set(asked.map(({ message_id }) => message_id)).size).toBe(2)
  await system.until(() => system.exchange().filter(({ verdict }) => verdict === 'delivered').length === 4)
  const logged = system.exchange().flatMap(({ direction, theirs }) => (direction === 'out' ? [theirs] : []))
  expect(logged).toEqual(expect.arrayContaining(asked.map(({ message_id }) => message_id)))
  expect(system.world().work[TEAM.reader.id]?.locks).toHaveLength(2)
  for (const { to: from, message_id } of asked) {
    const { status } = await system.post(
      mampMessage({
        from,
        message_id: `again of ${from}`,
        conversation_id: `conv-${from}`,
        metadata: { timestamp: '2026-11-29T00:00:00Z', in_reply_to: message_id },
      }),
    )
    expect(status).toBe(200)
  }
  await system.until((world) => world.work[TEAM.reader.id]?.locks.length === 0)
})

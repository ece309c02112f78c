/** Envelopes that we send, and mangled ones that come in. */
import { createServer } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { asId } from '@/lib/mas/ids'
import { selectOutgoing } from '@/lib/mas/outside/outside'
import type { Attachment } from '@/lib/mas/records'
import { says } from '@/test/stories'
import { outcomeOf, planned, TEAM } from '@/test/worldHistories'
import { KEY, makeTaskOfOutsiders, quickClock, type System, untilRetryPause } from '../../test/adapterSystem'
import {
  answers,
  asks,
  connect,
  ENVELOPE_PEER,
  envelope,
  open,
  post,
  type Said,
  SECRETS,
} from '../../test/adapters/envelope'

const PLANNER = 'agent://other.example/planner'

describe('what we ask', () => {
  const sendOutside = (system: System, text: string, attachments: Attachment[] = [], uri = PLANNER) =>
    system.engine.commit({
      id: system.parts.newId(),
      by: 'system:agents',
      command: {
        type: 'sendOutside',
        sender: TEAM.reader.id,
        task: system.world().baseTask ?? asId('none'),
        stage: null,
        step: null,
        uri,
        text,
        attachments,
        conversation: null,
      },
    })

  it('A-24 goes out on the connection of the one who is asked, and its response is the answer', async () => {
    const system = await open()
    const line = await connect(system)
    line.say(envelope())
    await vi.waitFor(() => expect(line.came).toHaveLength(1))
    expect(await sendOutside(system, 'What does it cost?')).toMatchObject({ ok: true })
    await vi.waitFor(() => expect(line.came).toHaveLength(2))
    const [, request] = line.came
    expect(request).toMatchObject({ receiver_id: 'agent://other.example/planner' })
    line.say({
      ...envelope({ message_id: 'm-9', message_type: 'response', receiver_id: request?.sender_id }),
      payload: { status: '成功', result: { answer: '12 euros' } },
      metadata: { correlation_id: request?.message_id },
    })
    await vi.waitFor(() => expect(system.heard().map(({ text }) => text)).toEqual(['12 euros']))
    expect(system.conversations()).toHaveLength(1)
  })

  it('A-24 of two agents of one system in one task is answered by each in its own conversation', async () => {
    const uris = [PLANNER, 'agent://other.example/buyer']
    const receivers = [uris.slice(1), uris]
    const system = await open({
      skill: (step) =>
        step.executor === 'planning'
          ? outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('send_message')] } })
          : step.executor === 'send_message'
            ? says(receivers.shift() ?? [], { message: 'How many?', waiting: false })
            : null,
    })
    const lines = await Promise.all(uris.map(() => connect(system)))
    const payload = { event_name: 'message', event_data: { text: 'Hello.' } }
    for (const [n, line] of lines.entries())
      line.say(envelope({ message_id: `first-${n}`, sender_id: uris[n], message_type: 'event', payload }))
    await vi.waitFor(() => expect(system.conversations()).toHaveLength(2))
    await makeTaskOfOutsiders(system)
    // The buyer's conversation is the older one, and has its name when the planner answers.
    for (const [at, count] of [
      [1, 1],
      [0, 1],
      [1, 2],
    ] as const) {
      const line = lines[at]
      await vi.waitFor(() => expect(line?.came).toHaveLength(count))
      const request = line?.came.at(-1)
      const theirs = `answer-${at}-${count}`
      line?.say({
        ...envelope({ message_id: theirs, message_type: 'response', sender_id: uris[at] }),
        receiver_id: request?.sender_id,
        payload: { status: 'success', result: { answer: theirs } },
        metadata: { correlation_id: request?.message_id },
      })
      await vi.waitFor(() => expect(system.heard().at(-1)?.text).toBe(theirs))
    }
  })

  it('A-24 that is not answered keeps nobody from stopping', { timeout: 10_000 }, async () => {
    const system = await open()
    const line = await connect(system)
    line.say(envelope())
    await vi.waitFor(() => expect(line.came).toHaveLength(1))
    await sendOutside(system, 'What does it cost?')
    await vi.waitFor(() => expect(line.came).toHaveLength(2))
    line.say(envelope({ message_id: 'm-2' }))
    await vi.waitFor(() => expect(line.came).toHaveLength(3))
    await system.adapters.stop()
    // What was said after it has come back, so it was read: that is known, and it is not sent again.
    expect(selectOutgoing(system.world())).toEqual([])
  })

  it('[R198] A-24 on a socket that ended before it had read it is sent again on the next one, by the same id', async () => {
    const system = await open()
    const deaf = await connect(system, KEY, {}, false)
    deaf.say(envelope())
    await vi.waitFor(() => expect(deaf.came).toHaveLength(1))
    await sendOutside(system, 'What does it cost?')
    await vi.waitFor(() => expect(deaf.came).toHaveLength(2))
    expect(selectOutgoing(system.world())).toHaveLength(1)
    deaf.socket.terminate()
    const { came } = await connect(system)
    await vi.waitFor(() => expect(came).toEqual([deaf.came[1]]))
  })

  it('[R198] A-24 on a socket that ends unread goes out at once on one that was opened during the try', async () => {
    const system = await open()
    const deaf = await connect(system, KEY, {}, false)
    deaf.say(envelope())
    await vi.waitFor(() => expect(deaf.came).toHaveLength(1))
    await sendOutside(system, 'What does it cost?')
    await vi.waitFor(() => expect(deaf.came).toHaveLength(2))
    const next = await connect(system)
    next.say(envelope({ message_id: 'm-2' }))
    await vi.waitFor(() => expect(next.came).toHaveLength(1))
    deaf.socket.terminate()
    await vi.waitFor(() => expect(next.came.slice(1)).toEqual([deaf.came[1]]))
  })

  it('[R198] A-24 of several pings the answer to the newest says that all before it was read', async () => {
    const system = await open({ skill: answers })
    const line = await connect(system, KEY, {}, false)
    const pings: number[] = []
    line.socket.on('ping', (data) => pings.push(Number(data.toString())))
    line.say(asks('How much is it?'))
    await vi.waitFor(() => expect(line.came.map(({ payload }) => payload.event_data?.text)).toContain('It is 7.'))
    await vi.waitFor(() => expect(pings).toHaveLength(1))
    const [own = 0] = pings
    line.socket.pong(String(own - 1))
    const seen = line.came.length
    line.say(envelope({ message_id: 'm-2' }))
    await vi.waitFor(() => expect(line.came.length).toBeGreaterThan(seen))
    expect(selectOutgoing(system.world())).toHaveLength(1)
    line.socket.pong(String(own + 1))
    await vi.waitFor(() => expect(selectOutgoing(system.world())).toEqual([]))
  })

  it('[R198] A-24 that waits for the end of its pause goes out when the agent connects', async () => {
    const system = await open({ skill: answers })
    await post(system, asks('How much is it?'))
    await untilRetryPause(system)
    const { came } = await connect(system)
    await vi.waitFor(() => expect(came.map(({ payload }) => payload.event_data?.text)).toContain('It is 7.'))
    await vi.waitFor(() => expect(selectOutgoing(system.world())).toEqual([]))
  })

  it('[R198] A-24 to an address that may not be called waits for the agent to connect', async () => {
    const peer = { ...ENVELOPE_PEER, baseUrl: 'http://127.0.0.1:9' }
    const system = await open({ skill: answers, peers: [peer] })
    await post(system, asks('How much is it?'))
    await untilRetryPause(system)
    const { came } = await connect(system)
    await vi.waitFor(() => expect(came.map(({ payload }) => payload.event_data?.text)).toContain('It is 7.'))
  })

  it('[R198] A-24 to an agent without an address that has never spoken fails at once', async () => {
    const system = await open()
    await sendOutside(system, 'What does it cost?')
    await vi.waitFor(() => expect(system.exchange().map(({ verdict }) => verdict)).toEqual(['failed']))
  })

  it('A-24 takes files along as far as they fit, and names the others', async () => {
    const system = await open()
    const line = await connect(system)
    line.say(envelope())
    await vi.waitFor(() => expect(line.came).toHaveLength(1))
    const files: Attachment[] = []
    for (const [name, bytes] of [
      ['prices.csv', Buffer.from('chair,40')],
      ['plan.bin', Buffer.alloc(300 * 1024)],
    ] as const) {
      const { sha } = await system.store.bodies.put(bytes, 'text/csv')
      files.push({ name, body: { sha, bytes: bytes.length, preview: '', mime: 'text/csv' }, savedAs: null })
    }
    await sendOutside(system, 'Look at these.', files)
    await vi.waitFor(() => expect(line.came).toHaveLength(2))
    expect(line.came[1]?.payload.parameters).toMatchObject({
      question: 'Look at these.\n[plan.bin: text/csv, 307200 bytes, not sent]',
      attachments: [{ name: 'prices.csv', mime_type: 'text/csv', data: Buffer.from('chair,40').toString('base64') }],
    })
  })

  it('A-24 goes to the peer’s own address, and a long answer comes whole', async () => {
    const long = 'x'.repeat(40_000)
    const other = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(Buffer.from(piece))
      const asked: Said = JSON.parse(Buffer.concat(pieces).toString())
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          ...envelope({ message_id: 'm-9', message_type: 'response', receiver_id: asked.sender_id }),
          payload: { status: 'success', result: { answer: long } },
          metadata: { correlation_id: asked.message_id },
        }),
      )
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const address = z.object({ port: z.number() }).parse(other.address())
    const baseUrl = `http://127.0.0.1:${address.port}`
    const system = await open({
      peers: [{ ...ENVELOPE_PEER, baseUrl, allowPrivate: true }],
      secrets: SECRETS.slice(0, 1),
    })
    await sendOutside(system, 'What does it cost?')
    await vi.waitFor(() => expect(system.heard().map(({ text }) => text)).toEqual([long]), 15_000)
  })
})

/** Half of them over HTTP, half over a socket. */
const RUNS = process.env.CONVENE_ALL === '1' ? 625 : 25
const mangled = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.keys(envelope())), fc.jsonValue())
    .map(([key, value]): unknown => envelope({ [key]: value })),
  fc.jsonValue(),
)

describe('whatever is sent', () => {
  it('A-01 over HTTP there is one answer, no crash, and nothing stored half', async () => {
    const system = await open({ now: quickClock() })
    await fc.assert(
      fc.asyncProperty(mangled, async (message) => {
        const { status, said } = await post(system, JSON.stringify(message) ?? 'null')
        expect([200, 202, 400, 403, 404]).toContain(status)
        if (status === 200) expect(said.message_type).toBe('response')
      }),
      { numRuns: RUNS },
    )
    expect((await post(system, envelope({ message_id: 'after' }))).status).toBe(200)
  })

  it('A-24 over a socket too, and what comes behind it is answered', async () => {
    const system = await open({ now: quickClock() })
    const { came, say } = await connect(system)
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(mangled, fc.string()), async (message) => {
        count += 1
        const behind = `behind-${count}`
        const seen = came.length
        say(typeof message === 'string' ? message : (JSON.stringify(message) ?? 'null'))
        say(envelope({ message_id: behind }))
        const answersTo = (id: string) => came.filter(({ metadata }) => metadata?.correlation_id === id)
        await vi.waitFor(() => expect(answersTo(behind)).toHaveLength(1), { interval: 1, timeout: 10_000 })
        expect(came.length - seen).toBeLessThanOrEqual(2)
      }),
      { numRuns: RUNS },
    )
  })
})

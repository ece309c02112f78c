import { describe, expect, it, vi } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import { READER } from '@/test/stories'
import { TEAM } from '@/test/worldHistories'
import { KEY, type System } from '../../test/adapterSystem'
import { answers, asks, connect, envelope, open, post, SIGNER_KEY, SIGNING } from '../../test/adapters/envelope'
import { signatureProblem, signBody } from '../signatures'

describe('a request', () => {
  it('A-07 and A-08 is answered by a response with status and result', async () => {
    const system = await open()
    const { status, said } = await post(system, envelope())
    expect(status).toBe(200)
    expect(said).toMatchObject({
      protocol_version: '1.0',
      message_type: 'response',
      sender_id: 'reader',
      receiver_id: 'planner',
      payload: { status: 'success', result: { state: 'ready', queue: 0 } },
      metadata: { correlation_id: 'm-1' },
    })
  })

  it('A-07 for the state of an agent is told that it is paused, whatever else it does', async () => {
    const system = await open()
    await system.put(TEAM.ana.id, { type: 'pauseAgent', agent: READER, reason: 'rest' })
    const { said } = await post(system, envelope())
    expect(said.payload.result).toMatchObject({ state: 'paused' })
  })

  it('A-07 may name its action in Chinese', async () => {
    const { said } = await post(await open(), envelope({ payload: { action: '获取状态', parameters: {} } }))
    expect(said.payload).toMatchObject({ status: 'success' })
  })

  it('A-23 a request for work is answered at once as in progress, and its result is an event in the conversation', async () => {
    const system = await open({ skill: answers })
    const line = await connect(system)
    line.say(envelope())
    await vi.waitFor(() => expect(line.came).toHaveLength(1))
    line.say(asks('How many?', { message_id: 'm-2' }))
    await vi.waitFor(() => expect(line.came).toHaveLength(3))
    const [, response, event] = line.came
    const conversation = response?.payload.result?.conversation_id
    expect(response).toMatchObject({ payload: { status: 'in_progress' }, metadata: { correlation_id: 'm-2' } })
    expect(event).toMatchObject({
      message_type: 'event',
      receiver_id: 'agent://other.example/planner',
      payload: { event_name: 'message', event_data: { text: 'It is 7.', conversation_id: conversation } },
      metadata: { correlation_id: 'm-2' },
    })
    expect(system.heard().map(({ text }) => text)).toEqual(['How many?'])
  })

  it('A-27 [R52] gets one answer, also the second time, and has one effect', async () => {
    const system = await open()
    const first = await post(system, asks('How many?'))
    const again = await post(system, asks('How many?'))
    expect(again.said.payload).toEqual(first.said.payload)
    expect(system.heard()).toHaveLength(1)
    expect(system.conversations()).toHaveLength(1)
  })

  it('A-07 brings files, which are there beside its text', async () => {
    const system = await open()
    const attachments = [
      { name: '../prices.csv', mime_type: 'text/csv', data: Buffer.from('chair,40').toString('base64') },
    ]
    const { status } = await post(
      system,
      envelope({ payload: { action: 'ask', parameters: { question: 'Is that right?', attachments } } }),
    )
    const [heard] = system.heard()
    const [file] = heard?.attachments ?? []
    expect([status, heard?.text, file?.name]).toEqual([200, 'Is that right?', 'prices.csv'])
    const kept = await system.store.bodies.get(file?.body.sha ?? '')
    expect(Buffer.from(kept?.bytes ?? []).toString()).toBe('chair,40')
    const wrong = [{ name: 'x', data: '#' }]
    const refused = await post(
      system,
      envelope({ message_id: 'm-2', payload: { action: 'ask', parameters: { question: 'x', attachments: wrong } } }),
    )
    expect(refused.said.payload.code).toBe('invalid_parameters')
  })

  it('A-27 a request continues the conversation that it names', async () => {
    const system = await open()
    const { said } = await post(system, asks('How many?'))
    const conversation_id = said.payload.result?.conversation_id
    const second = {
      message_id: 'm-2',
      payload: { action: 'ask', parameters: { question: 'And now?', conversation_id } },
    }
    expect((await post(system, envelope(second))).said.payload.result).toEqual({ conversation_id })
    expect(system.conversations()).toHaveLength(1)
    const unknown = {
      message_id: 'm-3',
      payload: { action: 'ask', parameters: { question: 'x', conversation_id: 'no' } },
    }
    expect((await post(system, envelope(unknown))).said.payload.code).toBe('invalid_parameters')
  })

  it('A-22 that cannot be done is answered by an error with its code, and the status of HTTP beside it', async () => {
    const system = await open()
    const codeOf = async (more: object) => {
      const { status, said } = await post(system, envelope(more))
      expect(said.message_type).toBe('error')
      expect(said.metadata?.correlation_id).toBe('m-1')
      return [status, said.payload.code]
    }
    expect(await codeOf({ receiver_id: 'nobody' })).toEqual([404, 'agent_not_found'])
    expect(await codeOf({ receiver_id: 'analyst' })).toEqual([404, 'agent_not_found'])
    expect(await codeOf({ receiver_id: 'broadcast' })).toEqual([400, 'invalid_envelope'])
    expect(await codeOf({ payload: { action: 'dance', parameters: {} } })).toEqual([400, 'unknown_action'])
    expect(await codeOf({ payload: { action: 'ask', parameters: {} } })).toEqual([400, 'invalid_parameters'])
    expect(await codeOf({ payload: { action: 'start_task', parameters: { goal: 'x' } } })).toEqual([403, 'forbidden'])
    expect(await codeOf({ sender_id: 'agent://stranger.example/x' })).toEqual([403, 'forbidden'])
    expect(await codeOf({ message_type: 'poem' })).toEqual([400, 'unknown_message_type'])
    expect(await codeOf({ protocol_version: '3' })).toEqual([400, 'unsupported_version'])
    const { said } = await post(system, envelope({ protocol_version: '3' }))
    expect(Object(said.payload).details).toEqual({ supported_versions: ['1.0'] })
    expect(system.heard()).toEqual([])
    expect(system.exchange().map(({ verdict }) => verdict)).toContain('unknown_action')
  })

  it('A-06 that is no JSON, too large, or nobody’s is refused before anything is kept of it', async () => {
    const system = await open()
    expect((await post(system, '{no')).said.payload.code).toBe('invalid_json')
    expect((await post(system, asks('x'.repeat(300_000)))).status).toBe(413)
    expect((await post(system, envelope(), { authorization: 'Bearer guess' })).status).toBe(401)
    expect((await post(system, envelope(), { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await system.call('/envelope/v1/messages', { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(
      405,
    )
    expect(system.adapters.refused()).toContainEqual({ protocol: 'envelope', code: 'unauthenticated', count: 1 })
    expect(system.messages()).toEqual([])
  })
})

describe('integrity', () => {
  const key = SIGNING
  const signAt = (system: System, text: string) => signBody(key, text, system.parts.now())
  const signed = envelope({ sender_id: 'agent://signs.example/a' })
  const text = JSON.stringify(signed)
  const auth = { authorization: `Bearer ${SIGNER_KEY}` }

  it('A-26 is demanded of a peer that has a signing key, over HTTP, and given back', async () => {
    const system = await open()
    expect((await post(system, text, auth)).said.payload.code).toBe('bad_signature')
    const headers = { ...auth, 'x-envelope-signature': signAt(system, text) }
    expect((await post(system, text.replace('reader', 'manager'), headers)).status).toBe(401)
    const good = await post(system, text, headers)
    expect(good.said.payload).toMatchObject({ status: 'success' })
    const given = good.headers.get('x-envelope-signature')
    expect(signatureProblem(key, JSON.stringify(good.said), given, system.parts.now())).toBeNull()
  })

  it('A-26 a refusal is signed for the peer that signs', async () => {
    const system = await open()
    const { status, said, headers } = await post(system, text, { ...auth, 'content-type': 'text/plain' })
    const given = headers.get('x-envelope-signature')
    expect(status).toBe(415)
    expect(signatureProblem(key, JSON.stringify(said), given, system.parts.now())).toBeNull()
  })

  it('A-26 is demanded on a web socket too, as a first line', async () => {
    const system = await open()
    const line = await connect(system, SIGNER_KEY)
    line.say(text)
    line.say(`${signAt(system, text)}\n${text}`)
    await vi.waitFor(() => expect(line.came).toHaveLength(2))
    expect(line.came.map(({ payload }) => payload.code ?? payload.status)).toEqual(['bad_signature', 'success'])
  })

  it('[R77] a socket that nothing signed hears nothing of what is said to the peer; a signed handshake is enough', async () => {
    const system = await open()
    const [speaker, silent, listener] = [
      await connect(system, SIGNER_KEY),
      await connect(system, SIGNER_KEY),
      await connect(system, SIGNER_KEY, { 'x-envelope-signature': signAt(system, '') }),
    ]
    const here = { event_name: 'here', event_data: {} }
    const event = JSON.stringify({ ...signed, message_type: 'event', receiver_id: 'broadcast', payload: here })
    speaker.say(`${signAt(system, event)}\n${event}`)
    await vi.waitFor(() => expect(listener.came).toHaveLength(1))
    expect(silent.came).toEqual([])
  })

  it('A-26 the same id that asked for the state of one agent gets the same answer, and asks for nothing else', async () => {
    const system = await open()
    const first = await post(system, envelope())
    const again = await post(system, envelope({ timestamp: '2026-11-21T10:00:05Z' }))
    expect(again.said.payload).toEqual(first.said.payload)
    expect((await post(system, envelope({ receiver_id: 'manager' }))).said.payload.code).toBe('id_taken')
    expect((await post(system, asks('How many?'))).said.payload.code).toBe('id_taken')
    expect((await post(system, asks('How many?', { message_id: 'm-2' }))).status).toBe(200)
    expect((await post(system, envelope({ message_id: 'm-2' }))).status).toBe(409)
  })
})

describe('the registry', () => {
  const agents = async (system: System, query = '') => {
    const { json } = await system.call(`/envelope/v1/agents${query}`, { headers: { authorization: `Bearer ${KEY}` } })
    return json.agents
  }
  const register = (system: System, body: object) =>
    system.call('/envelope/v1/agents', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('A-25 takes agents with what they can do, finds them by it, and says who is there', async () => {
    const system = await open()
    const { status, json } = await register(system, {
      agent_id: 'planner',
      name: 'Planner',
      capabilities: ['plans', 'sums'],
    })
    expect([status, json]).toEqual([
      201,
      {
        agent: {
          agent_id: 'planner',
          uri: 'agent://other.example/planner',
          name: 'Planner',
          capabilities: ['plans', 'sums'],
          presence: 'offline',
        },
      },
    ])
    expect(await agents(system, '?capability=plans')).toMatchObject([{ agent_id: 'planner' }])
    expect(await agents(system, '?capability=dances')).toEqual([])
    expect(await agents(system)).toMatchObject([
      { agent_id: 'reader' },
      { agent_id: 'manager' },
      { agent_id: 'planner' },
    ])
    const line = await connect(system)
    line.say(envelope())
    await vi.waitFor(async () =>
      expect(await agents(system, '?capability=plans')).toMatchObject([{ presence: 'online' }]),
    )
    line.socket.close()
    await vi.waitFor(async () =>
      expect(await agents(system, '?capability=plans')).toMatchObject([{ presence: 'offline' }]),
    )
  })

  it('A-25 takes nobody of another system, and nothing without form', async () => {
    const system = await open()
    expect((await register(system, { agent_id: 'agent://stranger.example/x' })).status).toBe(403)
    expect((await register(system, { capabilities: ['x'] })).status).toBe(400)
    expect((await system.call('/envelope/v1/agents')).status).toBe(401)
  })
})

describe('events and errors', () => {
  it('A-21 an event becomes a message to the one it is for, and is answered by nothing', async () => {
    const system = await open()
    const event = { message_type: 'event', payload: { event_name: '任务完成', event_data: { rows: 42 } } }
    const { status, said } = await post(system, envelope({ ...event, receiver_id: 'broadcast' }))
    expect([status, said]).toEqual([202, {}])
    expect(system.heard().map(({ text }) => text)).toEqual(['任务完成: {"rows":42}'])
  })

  it('[R191] 001-4 what is said to all reaches every agent of ours that the peer may reach, once', async () => {
    const system = await open()
    const line = await connect(system)
    line.say(envelope())
    await vi.waitFor(() => expect(line.came).toHaveLength(1))
    const event = { message_type: 'event', receiver_id: 'broadcast', message_id: 'm-all' }
    const done = envelope({ ...event, payload: { event_name: '数据已处理', event_data: { rows: 42 } } })
    expect((await post(system, done)).status).toBe(202)
    expect((await post(system, done)).status).toBe(202)
    expect(system.heard()).toMatchObject([{ receivers: [READER, TEAM.manager.id], text: '数据已处理: {"rows":42}' }])
    expect(system.conversations()).toHaveLength(1)
    const [said] = system.heard()
    const taken = (agent: AgentId) => said && system.world().deliveries[said.task]?.[agent]?.[said.id]?.state
    await system.until(() => taken(READER) === 'done' && taken(TEAM.manager.id) === 'done')
    expect(system.exchange().map(({ verdict }) => verdict)).toEqual(['answered', 'answered', 'taken', 'repeat'])
    // By HTTP it reaches the connections of the peer as well, once.
    expect(line.came.slice(1)).toMatchObject([{ message_id: 'm-all' }])
  })

  it('[R191] 001-4 in a conversation it reaches all as well', async () => {
    const system = await open()
    const { said } = await post(system, asks('How many?'))
    const conversation_id = said.payload.result?.conversation_id
    const tells = { event_name: 'message', event_data: { text: 'We count again.', conversation_id } }
    const event = { message_type: 'event', receiver_id: 'broadcast', payload: tells }
    expect((await post(system, envelope({ ...event, message_id: 'm-2' }))).status).toBe(202)
    expect(system.heard().at(-1)).toMatchObject({ receivers: [READER, TEAM.manager.id] })
    expect(system.conversations()).toHaveLength(1)
  })

  it('A-04 what is said to all reaches the peer’s other connections, and not the one who said it', async () => {
    const system = await open()
    const [one, other, stranger] = [await connect(system), await connect(system), await connect(system, SIGNER_KEY)]
    one.say(
      envelope({ message_type: 'event', receiver_id: 'broadcast', payload: { event_name: 'here', event_data: {} } }),
    )
    await vi.waitFor(() => expect(other.came).toHaveLength(1))
    expect([one.came, stranger.came]).toEqual([[], []])
  })

  it('[R191] what is refused is forwarded to nobody, and names no agent of its connection', async () => {
    const system = await open()
    const [line, other] = [await connect(system), await connect(system)]
    const event = { message_type: 'event', receiver_id: 'broadcast', payload: { event_name: 'here', event_data: {} } }
    const stranger = envelope({ ...event, message_id: 'm-stranger', sender_id: 'agent://stranger.example/x' })
    expect((await post(system, stranger)).status).toBe(403)
    line.say(stranger)
    line.say(envelope({ message_id: 'm-nobody', receiver_id: 'nobody' }))
    await vi.waitFor(() =>
      expect(line.came.map(({ payload }) => payload.code)).toEqual(['forbidden', 'agent_not_found']),
    )
    const { json } = await system.call('/envelope/v1/agents', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agent_id: 'planner', name: 'Planner', capabilities: [] }),
    })
    expect(json.agent).toMatchObject({ presence: 'offline' })
    // What follows on the same connection says that nothing came before it.
    expect((await post(system, envelope({ ...event, message_id: 'm-all' }))).status).toBe(202)
    await vi.waitFor(() => expect(other.came).toHaveLength(1))
    expect(other.came).toMatchObject([{ message_id: 'm-all' }])
  })

  it('A-27 an error is never answered by an error', async () => {
    const system = await open()
    const error = { message_type: 'error', payload: { code: 'x' } }
    expect(await post(system, envelope(error))).toMatchObject({ status: 400, said: {} })
    const whole = { message_type: 'error', payload: { code: '处理失败', message: 'The disk is full.' } }
    expect(await post(system, envelope(whole))).toMatchObject({ status: 202, said: {} })
  })
})

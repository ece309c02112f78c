/** The interface that the documents fix: send_message, states; and how every refusal looks. */

import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type RequestId, type WaitingId } from '@/lib/mas/ids'
import { outcomeAt } from '@/test/stories'
import { type Double, errorsIn, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const send = (more: object = {}) => ({
  human_agent_id: ID.ben,
  task_id: ID.prices,
  receiver: [ID.reader],
  content: '3.20 holds',
  ...more,
})
const states = async ({ call }: Pick<Double, 'call'>, cookie: string, query: string) =>
  (await call('GET', `/api/states?${query}`, { cookie })).json as Record<string, Record<string, unknown>>

describe('send_message', () => {
  it('sends as the person of the session; ids may be uuids, configured ids or StateIDs; the defaults are the documents’', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    for (const body of [
      send(),
      send({ human_agent_id: 'ben', receiver: ['reader'], task_id: `TaskState_${ID.prices}` }),
      send({
        human_agent_id: `HumanAgent_${ID.ben}`,
        receiver: [`LLMAgent_${ID.reader}`],
        stage_relative: `StageState_${ID.stage}`,
      }),
    ]) {
      const { status, json } = await call('POST', '/api/send_message', { cookie, body })
      expect([status, json]).toMatchObject([200, { success: true, message: 'The message was sent.' }])
    }
    expect(engine.envelopes[0]).toMatchObject({
      by: ID.ben,
      command: {
        type: 'sendMessage',
        receivers: [ID.reader],
        stage: null,
        kind: 'action',
        answers: 'oldest',
      },
    })
    expect(engine.envelopes[2]).toMatchObject({ command: { stage: ID.stage } })
    const sent = Object.values(engine.world().messages[ID.prices] ?? {}).filter(({ sender }) => sender === ID.ben)
    expect(sent).toHaveLength(3)
  })

  it.each<[string, object]>([
    ['as the oldest question of its receiver', {}],
    ['by the id of its request', { return_waiting_id: ID.ask, need_reply: false }],
    ['by the id of its message', { return_waiting_id: ID.question, need_reply: false }],
  ])('says which question it answered: named %s', async (_, body) => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const { json } = await call('POST', '/api/send_message', { cookie, body: send(body) })
    expect(json).toMatchObject({ settled: [{ agent_id: ID.reader, request_id: ID.ask }] })
    expect(engine.world().requests[ID.prices]?.[ID.ask]?.state).toBe('answered')
    const again = await call('POST', '/api/send_message', { cookie, body: send(body) })
    if ('return_waiting_id' in body) expect([again.status, again.json.error]).toEqual([409, 'REQUEST_OVER'])
    else expect(again.json).toMatchObject({ success: true, settled: [] })
  })

  it('says which question it answered: named by the waiting id of its request', async () => {
    const { call, engine, signIn } = await openDouble()
    const asked = engine.world().requests[ID.prices]?.[ID.ask]
    if (!asked) throw new Error('nothing is asked')
    const { number, openedAt: _, openedSeq: __, state: ___, task: ____, id: _____, ...rest } = asked
    const [request, lock] = [asId<RequestId>('00000000-0000-4000-8000-000000000567'), asId<WaitingId>('w-9')]
    const seed = { ...rest, number: (number ?? 0) + 1, message: null, lock }
    await engine.put([event('request.opened', { task: ID.prices, request, seed })])
    const body = send({ return_waiting_id: lock, need_reply: false })
    const { json } = await call('POST', '/api/send_message', { cookie: await signIn('ben'), body })
    expect(json).toMatchObject({ settled: [{ agent_id: ID.reader, request_id: request }] })
    expect(engine.world().requests[ID.prices]?.[ID.ask]?.state).toBe('open')
  })

  it('answers nothing for information, and refuses an id that no receiver is waiting for', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const post = (body: object) => call('POST', '/api/send_message', { cookie, body: send(body) })
    expect((await post({ need_reply: false })).json).toMatchObject({ settled: [] })
    for (const body of [{ return_waiting_id: 'nothing' }, { return_waiting_id: ID.ask, receiver: [ID.ana] }])
      expect((await post(body)).json).toMatchObject({ success: false, error: 'NOT_FOUND' })
    expect(engine.world().requests[ID.prices]?.[ID.ask]?.state).toBe('open')
  })

  it('answers a person who waits by the id that their message carries for me', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const urgent = { human_agent_id: ID.ana, receiver: [ID.ben], waiting: true }
    await call('POST', '/api/send_message', { cookie: ana, body: send(urgent) })
    const agents = await states({ call }, ben, 'type=agent')
    const pool = agents[`HumanAgent_${ID.ben}`]?.conversation_pool as {
      conversation_privates: Record<string, { waiting: boolean; return_waiting_id: string; message_id: string }[]>
    }
    const [line] = pool.conversation_privates[ID.ana] ?? []
    expect(line).toMatchObject({ waiting: true, return_waiting_id: expect.stringMatching(/\S/) })
    const body = send({ receiver: [ID.ana, ID.manager], return_waiting_id: line?.return_waiting_id })
    const elsewhere = send({ receiver: [ID.reader], return_waiting_id: line?.return_waiting_id })
    expect((await call('POST', '/api/send_message', { cookie: ben, body: elsewhere })).json.error).toBe('NOT_FOUND')
    expect((await call('POST', '/api/send_message', { cookie: ben, body })).json).toMatchObject({ settled: [] })
    const message = asId<MessageId>(line?.message_id ?? '')
    expect(outcomeAt(engine.world(), ID.prices, message, ID.ben)?.state).toBe('answered')
  })

  it('refuses with the shape of every refusal and success false, and then nothing was sent', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const post = (body: unknown) => call('POST', '/api/send_message', { cookie, body })
    const cases: [body: unknown, status: number, error: string][] = [
      [send({ human_agent_id: ID.ana }), 403, 'NOT_YOU'],
      [send({ human_agent_id: 'nobody' }), 403, 'NOT_YOU'],
      [send({ receiver: [] }), 422, 'NO_RECEIVERS'],
      [send({ receiver: [ID.reader, 'nobody'] }), 422, 'RECEIVER_UNKNOWN'],
      [send({ receiver: [ID.reader, ID.dev] }), 422, 'NOT_A_MEMBER'],
      [send({ task_id: ID.secret }), 404, 'NOT_FOUND'],
      [send({ task_id: 'nothing' }), 404, 'NOT_FOUND'],
      [send({ task_id: 'constructor' }), 404, 'NOT_FOUND'],
      [send({ stage_relative: 'nothing' }), 404, 'NOT_FOUND'],
      [send({ content: '  \n' }), 422, 'EMPTY_TEXT'],
      [send({ content: 'é'.repeat(32 * 1024 + 1) }), 413, 'TOO_LARGE'],
      [send({ receiver: ID.reader }), 400, 'BAD_INPUT'],
      [send({ need_reply: 'yes' }), 400, 'BAD_INPUT'],
      [{}, 400, 'BAD_INPUT'],
      [[], 400, 'BAD_INPUT'],
      [null, 400, 'BAD_INPUT'],
    ]
    const before = engine.world().seq
    for (const [body, status, error] of cases) {
      const { json, ...answer } = await post(body)
      expect([error, answer.status]).toEqual([error, status])
      expect(json).toMatchObject({ success: false, error, status_code: status, message: expect.stringMatching(/\S/) })
    }
    expect(engine.world().seq).toBe(before)
    expect((await post(send({ content: 'x'.repeat(64 * 1024) }))).status).toBe(200)
    expect((await post(send({ content: 'x'.repeat(64 * 1024 + 1) }))).json.message).toBe(
      'The message is 64.0 KiB; the limit is 64 KiB.',
    )
  })

  it('names what is wrong with the body itself: no JSON, broken JSON, too much of it', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const json = { 'content-type': 'application/json' }
    const cases: [raw: string, headers: Record<string, string>, status: number, error: string][] = [
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'NOT_JSON'],
      [JSON.stringify(send()), { 'content-type': 'text/plain' }, 415, 'NOT_JSON'],
      ['{"human_agent_id":', json, 400, 'BAD_INPUT'],
      ['', json, 400, 'BAD_INPUT'],
      [JSON.stringify(send({ content: 'x'.repeat(1024 * 1024) })), json, 413, 'TOO_LARGE'],
    ]
    for (const [raw, headers, status, error] of cases) {
      const answer = await call('POST', '/api/send_message', { cookie, raw, headers })
      expect([answer.status, answer.json]).toMatchObject([status, { success: false, error, status_code: status }])
    }
    const { json: body } = await call('POST', '/api/send_message', { raw: '{}', headers: json })
    expect(body).toMatchObject({ success: false, error: 'NOT_SIGNED_IN' })
  })

  it('refuses a body that is no UTF-8', async () => {
    const { url, signIn } = await openDouble()
    const headers = { cookie: await signIn('ben'), 'content-type': 'application/json' }
    const body = Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const answer = await fetch(`${url}/api/send_message`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'The body is not valid JSON.' }])
  })

  it('says that a body is too large to the one who is still sending it, announced or not', async () => {
    const { url, signIn } = await openDouble()
    const headers = { cookie: await signIn('ben'), 'content-type': 'application/json' }
    const statusOf = async (body: BodyInit) =>
      (await fetch(`${url}/api/send_message`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)).status
    const piece = new Uint8Array(64 * 1024).fill(32)
    for (const size of [2, 40]) {
      const stream = new ReadableStream({
        start(out) {
          for (let n = 0; n < size * 16; n++) out.enqueue(piece)
          out.close()
        },
      })
      expect(await statusOf(stream)).toBe(413)
      expect(await statusOf(new Uint8Array(size * 1024 * 1024).fill(32))).toBe(413)
    }
  })

  it('a store that cannot write is 503, a defect is 500 without a word of its cause, in the log with it', async () => {
    const { call, engine, logged, signIn } = await openDouble()
    const cookie = await signIn('ben')
    engine.failNext(new Error('secret cause'))
    const defect = await call('POST', '/api/send_message', { cookie, body: send() })
    expect([defect.status, defect.json.error]).toEqual([500, 'INTERNAL'])
    expect(JSON.stringify(defect.json)).not.toContain('secret')
    expect(errorsIn(logged)).toMatchObject([{ err: { message: 'secret cause' } }])
    engine.breakStore('disk')
    expect((await call('POST', '/api/send_message', { cookie, body: send() })).json).toMatchObject({
      success: false,
      error: 'STORE_BROKEN',
      status_code: 503,
    })
    expect((await call('GET', '/api/health')).status).toBe(503)
  })

  it('an unknown address is 404 in the same shape', async () => {
    const { call } = await openDouble()
    for (const path of ['/api', '/api/nothing', '/api/steps']) {
      expect((await call('GET', path)).json).toMatchObject({ error: 'NOT_FOUND', status_code: 404 })
    }
  })
})

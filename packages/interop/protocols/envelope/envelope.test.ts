/** The envelope between agents: what is one, what is none, and that whatever comes gets the right word back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  correlationOf,
  type EnvelopeStamp,
  errorEnvelope,
  eventEnvelope,
  readEnvelope,
  requestEnvelope,
  responseEnvelope,
  type WireEnvelope,
} from './envelope'

const stamp: EnvelopeStamp = {
  messageId: 'b7c1f0de-6c1e-4d5b-9c8e-2d5a3d1f0a11',
  at: Date.UTC(2026, 10, 21, 10),
  from: 'coder',
}
const head = {
  protocol_version: '1.0',
  message_id: 'm-1',
  timestamp: '2026-11-21T10:00:00Z',
  sender_id: 'planner',
  receiver_id: 'coder',
}
const request = { ...head, message_type: 'request', payload: { action: '获取状态', parameters: { task: 'a' } } }
const code = (value: unknown) => {
  const read = readEnvelope(value)
  return 'unreadable' in read ? read.unreadable.code : null
}

describe('an envelope', () => {
  it('A-01 has one structure, of version 1.0 alone', () => {
    expect(readEnvelope(request)).toEqual({ envelope: request })
    expect(code({ ...request, protocol_version: '2.0' })).toBe('unsupported_version')
    expect(code({ ...request, protocol_version: 1 })).toBe('invalid_envelope')
    for (const key of Object.keys(request)) {
      expect(code(Object.fromEntries(Object.entries(request).filter(([name]) => name !== key))), key).toBe(
        'invalid_envelope',
      )
    }
    for (const value of [null, [], 'text', 7, undefined]) expect(code(value)).toBe('invalid_envelope')
  })

  it('A-02 takes any text as message_id, and none that is empty', () => {
    expect(code({ ...request, message_id: 'not a uuid' })).toBeNull()
    expect(code({ ...request, message_id: '' })).toBe('invalid_envelope')
    expect(code({ ...request, message_id: 'x'.repeat(513) })).toBe('invalid_envelope')
  })

  it('A-03 has an ISO 8601 time', () => {
    for (const timestamp of ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.123+08:00', '2026-11-21T10:00:00']) {
      expect(code({ ...request, timestamp }), timestamp).toBeNull()
    }
    for (const timestamp of ['yesterday', '21/11/2026', '1700000000', '2026-13-45T10:00:00Z', '', 1_700_000_000]) {
      expect(code({ ...request, timestamp }), String(timestamp)).toBe('invalid_envelope')
    }
  })

  it('A-04 names a sender, and one receiver or all that listen', () => {
    expect(code({ ...request, receiver_id: 'broadcast' })).toBeNull()
    expect(code({ ...request, receiver_id: '' })).toBe('invalid_envelope')
    expect(code({ ...request, sender_id: null })).toBe('invalid_envelope')
  })

  it('A-05 is a request, a response, an event or an error, and nothing else', () => {
    expect(code({ ...request, message_type: 'command' })).toBe('unknown_message_type')
    expect(code({ ...request, message_type: 'REQUEST' })).toBe('unknown_message_type')
  })

  it('A-06 has an object as payload, and may have one as metadata', () => {
    expect(code({ ...request, payload: 'do it' })).toBe('invalid_envelope')
    expect(code({ ...request, metadata: [] })).toBe('invalid_envelope')
    expect(readEnvelope({ ...request, metadata: { hop: 3 } })).toEqual({
      envelope: { ...request, metadata: { hop: 3 } },
    })
  })

  it('A-07 asks for an action with parameters', () => {
    expect(code({ ...request, payload: { parameters: {} } })).toBe('invalid_envelope')
    expect(readEnvelope({ ...request, payload: { action: 'get_status' } })).toMatchObject({
      envelope: { payload: { action: 'get_status', parameters: {} } },
    })
    expect(code({ ...request, payload: { action: 'x', parameters: ['a'] } })).toBe('invalid_envelope')
  })

  it('A-08 answers with a status, and says what went wrong when it failed', () => {
    const response = (payload: object) => ({
      ...head,
      message_type: 'response',
      payload,
      metadata: { correlation_id: 'm-0' },
    })
    expect(code(response({ status: '成功', result: { n: 1 } }))).toBeNull()
    expect(code(response({ status: '进行中' }))).toBeNull()
    expect(code(response({ result: {} }))).toBe('invalid_envelope')
    for (const status of ['failed', '失败']) {
      expect(code(response({ status }))).toBe('invalid_envelope')
      expect(code(response({ status, error: { why: 'disk' } }))).toBeNull()
    }
  })

  it('A-09 names in an answer what it answers', () => {
    const answer = responseEnvelope({ messageId: 'm-1', senderId: 'planner' }, stamp, {
      status: 'done',
      result: { n: 1 },
    })
    expect(correlationOf(answer)).toBe('m-1')
    expect(answer).toMatchObject({ sender_id: 'coder', receiver_id: 'planner', message_type: 'response' })
    expect(code({ ...head, message_type: 'response', payload: { status: 'done' } })).toBe('invalid_envelope')
  })

  it('A-21 tells of an event by name, with its data', () => {
    expect(code({ ...head, message_type: 'event', payload: { event_name: '任务完成', event_data: {} } })).toBeNull()
    expect(code({ ...head, message_type: 'event', payload: { event_data: {} } })).toBe('invalid_envelope')
  })

  it('A-22 tells of an error by code and sentence, as an answer or unasked', () => {
    const error = { ...head, message_type: 'error', payload: { code: '处理失败', message: 'The disk is full.' } }
    expect(code(error)).toBeNull()
    expect(code({ ...error, metadata: { correlation_id: 'm-0' } })).toBeNull()
    expect(code({ ...error, payload: { code: 'x' } })).toBe('invalid_envelope')
    const unasked = errorEnvelope({ messageId: null, senderId: null }, stamp, { code: 'failed', message: 'It broke.' })
    expect(correlationOf(unasked)).toBeNull()
  })

  it('A-27 can be answered even when it is written wrongly, unless it is an answer itself', () => {
    const wrong = readEnvelope({ ...request, payload: 7 })
    expect(wrong).toMatchObject({ unreadable: { messageId: 'm-1', senderId: 'planner', isAnswerable: true } })
    expect(readEnvelope({ ...request, message_type: 'error', payload: 7 })).toMatchObject({
      unreadable: { isAnswerable: false },
    })
  })

  it('is readable by us when it was made by us', () => {
    const made: WireEnvelope[] = [
      requestEnvelope(stamp, 'planner', 'get_status', {}),
      eventEnvelope(stamp, 'task.finished', { task: 't' }),
      responseEnvelope({ messageId: 'm', senderId: 's' }, stamp, { status: 'done', result: { n: 1 } }),
      errorEnvelope({ messageId: 'm', senderId: null }, stamp, {
        code: 'forbidden',
        message: 'No.',
        details: { action: 'a' },
      }),
    ]
    for (const envelope of made) expect(readEnvelope(JSON.parse(JSON.stringify(envelope)))).toEqual({ envelope })
  })

  it('throws at nothing: whatever is mangled is an envelope or has a code', () => {
    const runs = process.env.CONVENE_ALL === '1' ? 50_000 : 1_500
    const mangled = fc.tuple(fc.constantFrom(...Object.keys(request), 'extra'), fc.jsonValue()).map(([key, value]) => ({
      ...request,
      [key]: value,
    }))
    fc.assert(
      fc.property(fc.oneof(mangled, fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const read = readEnvelope(value)
        expect('envelope' in read || read.unreadable.message.length > 0).toBe(true)
      }),
      { numRuns: runs },
    )
  })
})

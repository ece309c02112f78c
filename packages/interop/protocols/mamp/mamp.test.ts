/** MAMP messages and cards: what is one, what is none, and the document's own examples. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EXAMPLE_CARD,
  EXAMPLE_MESSAGE,
  EXAMPLE_PARTS,
  EXAMPLE_RECEIVED,
  EXAMPLE_REFUSED,
  EXAMPLE_TEXT,
  EXAMPLE_URIS,
  SAME_TEXT,
} from '@/test/mampExamples'
import { MampCard } from './card'
import { MAMP_ERRORS, type MampMessage, MampReceipt, mampParts, readMampMessage, splitUri } from './message'

const WHOLE: MampMessage = {
  protocol: 'mamp/1.0',
  message_id: 'msg-1',
  from: 'agent://a.example/x',
  to: 'agent://b.example/y',
  content: 'hello',
  metadata: { timestamp: '2026-03-04T10:00:00Z' },
}
const read = (change: Record<string, unknown>): string => {
  const reading = readMampMessage({ ...WHOLE, ...change })
  return 'message' in reading ? 'taken' : reading.error
}
const without = (key: string): string => {
  const { [key]: _, ...rest }: Record<string, unknown> = { ...WHOLE }
  const reading = readMampMessage(rest)
  return 'message' in reading ? 'taken' : reading.error
}

describe('a message', () => {
  it('M-01 protocol is required and is mamp/1.0', () => {
    expect(without('protocol')).toBe('invalid_message')
    expect(read({ protocol: 'mamp/2.0' })).toBe('unsupported_protocol')
    expect(read({})).toBe('taken')
  })
  it('M-02 message_id is required', () => {
    expect(without('message_id')).toBe('invalid_message')
    expect(read({ message_id: '' })).toBe('invalid_message')
  })
  it('M-03 conversation_id may be absent or null', () => {
    expect(read({ conversation_id: null })).toBe('taken')
    expect(read({ conversation_id: 'conv-1' })).toBe('taken')
    expect(read({ conversation_id: 7 })).toBe('invalid_message')
  })
  it('M-06 from and to are required URIs of the form agent://domain/agent-id', () => {
    for (const key of ['from', 'to']) {
      expect(without(key)).toBe('invalid_message')
      for (const wrong of ['agent://b.example', 'https://b.example/y', 'agent:///y', 'agent://b.example/', 'y'])
        expect(read({ [key]: wrong })).toBe('invalid_message')
      for (const uri of EXAMPLE_URIS) expect(read({ [key]: uri })).toBe('taken')
    }
    expect(splitUri('agent://your-domain.com/trace-123')).toEqual({ domain: 'your-domain.com', agent: 'trace-123' })
  })
  it('M-08 content is required; a string says the same as one text part', () => {
    expect(without('content')).toBe('invalid_message')
    expect(read({ content: [] })).toBe('invalid_message')
    expect(read({ content: { type: 'text' } })).toBe('invalid_message')
    expect(mampParts(JSON.parse(EXAMPLE_TEXT).content)).toEqual(JSON.parse(SAME_TEXT).content)
  })
  it('M-09 parts are text, images and files by address or base64, and code with its language', () => {
    expect(read(JSON.parse(EXAMPLE_PARTS))).toBe('taken')
    expect(read({ content: [{ type: 'file', name: 'a', source: { type: 'base64', data: 'aGk=' } }] })).toBe('taken')
    expect(read({ content: [{ type: 'video', source: {} }] })).toBe('invalid_message')
    expect(read({ content: [{ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }] })).toBe(
      'invalid_message',
    )
  })
  it('M-10 metadata is required, with a timestamp in ISO 8601', () => {
    expect(without('metadata')).toBe('invalid_message')
    expect(read({ metadata: {} })).toBe('invalid_message')
    expect(read({ metadata: { timestamp: 'yesterday' } })).toBe('invalid_message')
    expect(read({ metadata: { timestamp: '2026-03-04T10:00:00.123+08:00', more: 1 } })).toBe('taken')
  })
})

describe("the document's own examples", () => {
  it('M-09 M-10 the message is taken, with its parts in place of the dots', () => {
    const parts = JSON.stringify(JSON.parse(EXAMPLE_PARTS).content)
    const reading = readMampMessage(JSON.parse(EXAMPLE_MESSAGE.replace('[...]', parts)))
    expect(reading).toMatchObject({ message: { message_id: 'msg-uuid-123', conversation_id: 'conv-uuid-456' } })
  })
  it('M-14 the answer is what we read as one', () => {
    expect(MampReceipt.safeParse(JSON.parse(EXAMPLE_RECEIVED)).success).toBe(true)
  })
  it('M-15 the refusal has a code of ours with its status', () => {
    expect(JSON.parse(EXAMPLE_REFUSED)).toMatchObject({
      error: 'conversation_not_found',
      status_code: MAMP_ERRORS.conversation_not_found,
    })
    for (const status of Object.values(MAMP_ERRORS)) expect(status).toBeGreaterThanOrEqual(400)
  })
  it('M-17 the card is what we read as one', () => {
    expect(MampCard.safeParse(JSON.parse(EXAMPLE_CARD)).success).toBe(true)
  })
})

describe('anything else', () => {
  const RUNS = process.env.CONVENE_ALL === '1' ? 50_000 : 3_000
  /** A message with one thing in it that does not belong there, at any place. */
  const mangled = fc
    .tuple(
      fc.constantFrom(...Object.keys(WHOLE), 'callback_url', 'conversation_id', ''),
      fc.jsonValue({ maxDepth: 4 }),
      fc.nat(3),
    )
    .map(([key, value, how]): unknown => {
      const whole = JSON.parse(EXAMPLE_MESSAGE.replace('[...]', JSON.stringify(JSON.parse(EXAMPLE_PARTS).content)))
      if (key === '' || how === 0) return value
      if (how === 1) return { ...whole, [key]: value }
      if (how === 2) return { ...whole, [key]: [value, whole[key]] }
      return { ...whole, content: [...whole.content, { type: 'image', [key]: value }] }
    })

  it('is refused with a code and a sentence, or read; never thrown', () => {
    fc.assert(
      fc.property(mangled, (value) => {
        const reading = readMampMessage(value)
        if ('message' in reading) return
        expect(MAMP_ERRORS[reading.error]).toBe(400)
        expect(reading.why).not.toBe('')
      }),
      { numRuns: RUNS },
    )
  })
})

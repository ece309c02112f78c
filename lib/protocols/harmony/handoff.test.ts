/** Handoff packets: found in messages, whole; nothing else is one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstWords, plainText } from '../../format/plainText'
import {
  type HandoffPacket,
  handoffItems,
  partsWithHandoff,
  readHandoff,
  withHandoffWords,
  writeHandoff,
} from './handoff'

const packet = (artifacts: HandoffPacket['context']['artifacts']): HandoffPacket => ({
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: 'A', target_agent: 'B', timestamp: '2026-11-21T10:00:00Z' },
  context: {
    primary_objective: 'compare',
    status: 'in_progress',
    completed_steps: ['read'],
    next_immediate_step: 'total',
    constraints: [],
    artifacts,
  },
})

describe('a handoff packet', () => {
  it('H-29 comes back from a message as it went in, whatever its artifacts hold', () => {
    const artifacts = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.oneof(fc.string(), fc.array(fc.string())),
    )
    fc.assert(
      fc.property(artifacts, fc.string(), (artifacts, before) => {
        const given = packet({ ...artifacts })
        expect(readHandoff(`${before.replaceAll('`', '')}\n\n${writeHandoff(given)}`)).toEqual(given)
      }),
    )
  })

  it('H-06 a packet without an objective or a receiver is rejected', () => {
    const whole = packet({})
    expect(readHandoff(writeHandoff({ ...whole, context: { ...whole.context, primary_objective: '' } }))).toBeNull()
    expect(readHandoff(writeHandoff({ ...whole, meta: { ...whole.meta, target_agent: '' } }))).toBeNull()
  })

  it('is nothing that only looks like one', () => {
    expect(readHandoff('no packet')).toBeNull()
    expect(readHandoff('```json\n{"protocol":"harmony_handoff_v1"}\n```')).toBeNull()
    expect(readHandoff('```json\n{not json\n```')).toBeNull()
    expect(readHandoff(JSON.stringify(packet({})))).toBeNull()
  })
})

describe('[R431] a text with a handoff packet', () => {
  const given = packet({
    files: [
      { path: 'prices/east.csv', state: 'read' },
      { path: 'prices/west.csv', state: 'missing' },
    ],
    list: 'prices/all.csv',
    facts: [{ key: 'bolt', value: '1.10' }],
    answers: [],
  })
  const text = `Take over, please.\n\n${writeHandoff(given)}\n\nThank you.`

  it('has its words and the packet with its JSON, in their order, and nothing is lost', () => {
    const parts = partsWithHandoff(text)
    expect(parts.map((part) => ('words' in part ? part.words.trim() : part.packet))).toEqual([
      'Take over, please.',
      given,
      'Thank you.',
    ])
    expect(parts.flatMap((part) => ('json' in part ? [JSON.parse(part.json)] : []))).toEqual([given])
  })

  it('is one part where it holds none, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (any) => {
        expect(partsWithHandoff(any)).toEqual([{ words: any }])
      }),
    )
    const code = 'See:\n```json\n{"a": 1}\n```'
    expect(partsWithHandoff(code)).toEqual([{ words: code }])
  })

  it('names its files with their state, and counts what only a program reads', () => {
    expect(handoffItems(given)).toEqual([
      { name: 'prices/east.csv', value: null, state: 'read', count: null },
      { name: 'prices/west.csv', value: null, state: 'missing', count: null },
      { name: 'list', value: 'prices/all.csv', state: null, count: null },
      { name: 'facts', value: null, state: null, count: 1 },
    ])
  })

  it('is searched and previewed by what it says, never by its JSON, also where it was cut', () => {
    expect(plainText(text)).toBe(
      'Take over, please. read · total · prices/east.csv · prices/west.csv · list: prices/all.csv · facts Thank you.',
    )
    const isJson = /harmony_handoff|protocol|source_agent|[{}"]/
    for (let length = 0; length <= text.length; length += 1) {
      expect(firstWords(text.slice(0, length), 400)).not.toMatch(isJson)
    }
    expect(withHandoffWords(text)).not.toMatch(isJson)
  })
})

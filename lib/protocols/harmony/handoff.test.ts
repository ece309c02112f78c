/** Handoff packets: found in messages, whole; nothing else is one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HandoffPacket, readHandoff, writeHandoff } from './handoff'

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

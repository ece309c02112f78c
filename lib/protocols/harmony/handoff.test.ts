/** Handoff packets: found in messages, whole; nothing else is one. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HandoffPacket, readHandoff, writeHandoff } from './handoff'

const packet = (facts: HandoffPacket['context']['artifacts']['facts']): HandoffPacket => ({
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: 'A', target_agent: 'B', timestamp: '2026-11-21T10:00:00Z' },
  context: {
    primary_objective: 'compare',
    status: 'in_progress',
    completed_steps: ['read'],
    next_immediate_step: 'total',
    constraints: [],
    artifacts: { files: [], facts, facts_in_all: facts.length, sums: {}, answers: [] },
  },
  history_summary: '',
})

describe('a handoff packet', () => {
  it('comes back from a message as it went in, whatever its facts hold', () => {
    const fact = fc.record({
      key: fc.string(),
      column: fc.string(),
      value: fc.string(),
      file: fc.string(),
      line: fc.option(fc.nat()),
    })
    fc.assert(
      fc.property(fc.array(fact), fc.string(), (facts, before) => {
        expect(readHandoff(`${before.replaceAll('`', '')}\n\n${writeHandoff(packet(facts))}`)).toEqual(packet(facts))
      }),
    )
  })

  it('is nothing that only looks like one', () => {
    expect(readHandoff('no packet')).toBeNull()
    expect(readHandoff('```json\n{"protocol":"harmony_handoff_v1"}\n```')).toBeNull()
    expect(readHandoff('```json\n{not json\n```')).toBeNull()
    expect(readHandoff(JSON.stringify(packet([])))).toBeNull()
  })
})

/** The critical path: of random spans of several members, what had to end before the next could begin. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import { criticalPath, type Span, type SpansOfLane } from './criticalPath'

const [coder, tester, manager] = ['coder', 'tester', 'manager'] as AgentId[] as [AgentId, AgentId, AgentId]
const span = (id: string, agent: AgentId, from: number, to: number | null): Span => ({ id, agent, from, to })
const lane = (spans: readonly Span[]): SpansOfLane => ({
  ended: spans.filter(({ to }) => to !== null),
  open: spans.filter(({ to }) => to === null),
})
const idsOf = (...lanes: Span[][]): string[] => criticalPath(lanes.map(lane)).map(({ id }) => id)

describe('the critical path', () => {
  it('[R465] goes from the end backwards to what ended last before the next began', () => {
    expect(
      idsOf(
        [span('plan', manager, 0, 10), span('judge', manager, 62, 70)],
        [span('read', coder, 11, 30), span('write', coder, 30, 60)],
        [span('check', tester, 11, 40)],
      ),
    ).toEqual(['judge', 'write', 'read', 'plan'])
  })

  it('[R465] ends, while a task runs, with what goes on since the longest', () => {
    const asks = [span('ask', coder, 0, 5), span('wait', coder, 5, null)]
    expect(idsOf(asks, [span('check', tester, 0, 30), span('more', tester, 30, null)])).toEqual(['wait', 'ask'])
  })

  it('[R465] stays with one member where two ended at the same moment', () => {
    const lanes = [[span('a', coder, 0, 10), span('c', coder, 10, 20)], [span('b', tester, 0, 10)]]
    expect(idsOf(...lanes)).toEqual(['c', 'a'])
    expect(idsOf(...lanes.toReversed())).toEqual(['c', 'a'])
  })

  it('[R465] is empty where nothing was done', () => {
    expect(idsOf()).toEqual([])
    expect(idsOf([], [])).toEqual([])
  })

  const anySpan = (agent: AgentId) =>
    fc.record({ from: fc.nat(100), ms: fc.nat(30), isOpen: fc.boolean() }).map(({ from, ms, isOpen }) => ({
      agent,
      from,
      to: isOpen && ms === 0 ? null : from + ms,
    }))
  const anyLane = (agent: AgentId) =>
    fc
      .array(anySpan(agent), { maxLength: 12 })
      .map((spans) =>
        spans
          .map((one, at) => ({ ...one, id: `${agent}${at}` }))
          .sort((a, b) => (a.to ?? Number.POSITIVE_INFINITY) - (b.to ?? Number.POSITIVE_INFINITY)),
      )

  it('[R465] holds on any spans: each ended before the next began, and nothing that began earlier ended between them', () => {
    fc.assert(
      fc.property(anyLane(coder), anyLane(tester), anyLane(manager), (...lanes) => {
        const path = criticalPath(lanes.map(lane))
        const all = lanes.flat()
        expect(path.length > 0).toBe(all.length > 0)
        for (const [at, after] of path.entries()) {
          const ends = all.filter(({ from, to }) => to !== null && to <= after.from && from < after.from)
          const latest = Math.max(...ends.map(({ to }) => to ?? 0))
          const before = path[at + 1]
          expect(before === undefined).toBe(ends.length === 0)
          if (before) expect(before.to).toBe(latest)
        }
      }),
    )
  })
})

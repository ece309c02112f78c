/** Which rule of an operator a call falls under. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type TaskId } from '../ids'
import type { AgentRecord, TaskRecord, ToolRule } from '../records'
import { allowingRule, outdatedRules, strictRuleFor, toolRuleOf, withToolRule } from './toolRules'

const [task, agent, by] = [asId<TaskId>('t'), asId<AgentId>('a'), asId<AgentId>('ana')]
const tool = { server: 'files', tool: 'write' }
const rule = (kind: ToolRule['rule'], more: Partial<ToolRule> = {}): ToolRule => ({
  ...tool,
  rule: kind,
  ...(kind === 'allow' ? { definition: 'd1' } : {}),
  by,
  at: 1,
  ...more,
})
const world = (ofTask: ToolRule[], ofAgent: ToolRule[] = []) => ({
  tasks: { [task]: { id: task, toolRules: ofTask } as unknown as TaskRecord },
  agents: { [agent]: { id: agent, toolRules: ofAgent } as unknown as AgentRecord },
})
const caller = { task, agent }
const call = { ...tool, definition: 'd1' }

describe('the rules for a call', () => {
  it('are found by server and tool', () => {
    const allows = rule('allow')
    expect(toolRuleOf([allows], tool)).toBe(allows)
    expect(toolRuleOf([allows], { ...tool, tool: 'read' })).toBeNull()
    expect(toolRuleOf([allows], { ...tool, server: 'mail' })).toBeNull()
  })

  it('[R741] allow it in the task, or by the agent in any task', () => {
    expect(allowingRule(world([rule('allow')]), caller, call, 5)?.owner).toEqual({ task })
    expect(allowingRule(world([], [rule('allow')]), caller, call, 5)?.owner).toEqual({ agent })
    expect(allowingRule(world([], [rule('allow')]), { task: asId<TaskId>('other'), agent }, call, 5)).not.toBeNull()
    expect(allowingRule(world([], [rule('allow')]), { task, agent: asId<AgentId>('b') }, call, 5)).toBeNull()
  })

  it('[R741] never loosen what the configuration always asks about', () => {
    expect(allowingRule(world([rule('allow')], [rule('allow')]), caller, { ...call, always: true }, 5)).toBeNull()
  })

  it('[R741] of several the strictest counts: off, then asking as urgent, then asking, then allowing', () => {
    const strict = (...of: ToolRule['rule'][]) => {
      const [first, second] = of.map((one) => rule(one))
      return first && strictRuleFor(world([first], second ? [second] : []), caller, tool)?.rule
    }
    expect([strict('allow', 'ask'), strict('ask', 'allow')]).toEqual(['ask', 'ask'])
    expect([strict('urgent', 'ask'), strict('off', 'urgent'), strict('allow', 'off')]).toEqual(['urgent', 'off', 'off'])
    expect(strictRuleFor(world([rule('allow')]), caller, tool)).toBeNull()
    expect(allowingRule(world([rule('allow')], [rule('ask')]), caller, call, 5)).toBeNull()
  })

  it('[R742] allow it until their end, which is reached by the same millisecond', () => {
    const until = world([rule('allow', { endsAt: 10 })])
    expect(allowingRule(until, caller, call, 9)).not.toBeNull()
    expect(allowingRule(until, caller, call, 10)).toBeNull()
    expect(allowingRule(until, caller, call, 11)).toBeNull()
  })

  it('[R742] allow no other definition of the tool than the one that was allowed', () => {
    const other = { ...call, definition: 'd2' }
    expect(allowingRule(world([rule('allow')]), caller, other, 5)).toBeNull()
    expect(outdatedRules(world([rule('allow')], [rule('ask')]), caller, other)).toEqual([
      { owner: { task }, rule: rule('allow') },
    ])
    expect(outdatedRules(world([rule('allow')]), caller, call)).toEqual([])
    // A rule that names no definition allows nothing.
    const { definition: _, ...old } = rule('allow')
    expect(allowingRule(world([old]), caller, call, 5)).toBeNull()
  })

  it('[R742] without an own end use that of the task after that of the agent is over', () => {
    const both = world([rule('allow', { endsAt: 3 })], [rule('allow')])
    expect(allowingRule(both, caller, call, 5)?.owner).toEqual({ agent })
  })

  it('are replaced by the next one for the tool, and taken away when they end', () => {
    const set = (kind: ToolRule['rule'] | null) => ({ ...tool, rule: kind, by })
    const asks = withToolRule([rule('allow'), rule('off', { tool: 'move' })], set('ask'), 7)
    expect(asks.map(({ tool, rule }) => `${tool} ${rule}`)).toEqual(['move off', 'write ask'])
    expect(withToolRule(asks, { ...tool, rule: null, by: null }, 8).map(({ tool }) => tool)).toEqual(['move'])
    expect(withToolRule(undefined, set('off'), 9)).toEqual([rule('off', { at: 9 })])
  })
})

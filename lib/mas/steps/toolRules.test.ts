/** Which rule of a task a tool's call meets, and whether it then runs or asks. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import type { ToolRule } from '../records'
import { allowingRule, isAskedFirst, toolRuleOf } from './toolRules'

const { agent: by } = sampleShapeOf('step.added')
const rule = (change: Partial<ToolRule>): ToolRule => ({
  server: 'files',
  tool: 'read',
  rule: 'allow',
  overAlways: false,
  by,
  at: 1,
  ...change,
})
const read = { server: 'files', tool: 'read' }
const task = (...toolRules: ToolRule[]) => ({ toolRules })

describe('a rule of a task', () => {
  it('is for one tool of one server', () => {
    const allows = rule({})
    expect(toolRuleOf(task(allows), read)).toBe(allows)
    expect(toolRuleOf(task(allows), { ...read, tool: 'write' })).toBeNull()
    expect(toolRuleOf(task(allows), { ...read, server: 'mail' })).toBeNull()
    expect([toolRuleOf({}, read), toolRuleOf(undefined, read)]).toEqual([null, null])
  })

  it('that allows a call lets it run, unless the configuration always asks and the rule is not meant for that', () => {
    const [plain, strong] = [rule({}), rule({ overAlways: true })]
    expect(allowingRule(task(plain), read)).toBe(plain)
    expect(allowingRule(task(plain), { ...read, always: true })).toBeNull()
    expect(allowingRule(task(strong), { ...read, always: true })).toBe(strong)
    expect(allowingRule(task(rule({ rule: 'ask' })), read)).toBeNull()
    expect(allowingRule(task(), read)).toBeNull()
  })

  it('that asks puts each call to people first', () => {
    expect(isAskedFirst(task(rule({ rule: 'ask' })), read)).toBe(true)
    expect(isAskedFirst(task(rule({})), read)).toBe(false)
    expect(isAskedFirst(task(), read)).toBe(false)
  })
})

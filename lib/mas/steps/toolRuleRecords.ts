/** Records of operators' standing rules for tools. */
import type { AgentId } from '../ids'

/**
 * ask     each call needs a confirmation, whatever the configuration says
 * urgent  as ask, and the approval is urgent from the start
 * allow   calls run without confirmation, except where the configuration always requires one
 * off     no call runs
 */
export const TOOL_RULES = ['ask', 'urgent', 'allow', 'off'] as const

/**
 * An operator's standing rule for the calls of one tool: in the task, or by the agent, whose record holds it.
 *
 * endsAt      its end, epoch ms; absent: none
 * definition  of an allowed tool: the digest of its description and schema, as the operator allowed it
 */
export type ToolRule = {
  server: string
  tool: string
  rule: (typeof TOOL_RULES)[number]
  endsAt?: number
  definition?: string
  by: AgentId
  at: number
}

/** A rule that is set; rule null: it ends. by null: the program ended it. */
export type ToolRuled = Pick<ToolRule, 'server' | 'tool' | 'endsAt' | 'definition'> & {
  rule: ToolRule['rule'] | null
  by: AgentId | null
}

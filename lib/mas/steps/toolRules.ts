/** An operator's rules for the calls of a tool in one task. */
import type { HeldCall, TaskRecord, ToolRule } from '../records'

type Ruled = Pick<TaskRecord, 'toolRules'> | undefined
type Tool = Pick<HeldCall, 'server' | 'tool'>

export const toolRuleOf = (task: Ruled, { server, tool }: Tool): ToolRule | null =>
  task?.toolRules?.find((one) => one.server === server && one.tool === tool) ?? null

/** The rule by which this call runs without asking; null: there is none, or the configuration is stronger. */
export function allowingRule(task: Ruled, call: Tool & Pick<HeldCall, 'always'>): ToolRule | null {
  const rule = toolRuleOf(task, call)
  return rule?.rule === 'allow' && (call.always !== true || rule.overAlways) ? rule : null
}

/** Whether each call of this tool needs a confirmation. */
export const isAskedFirst = (task: Ruled, tool: Tool): boolean => toolRuleOf(task, tool)?.rule === 'ask'

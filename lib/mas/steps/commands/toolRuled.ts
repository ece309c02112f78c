/** The events of standing rules for tools, by their owner. */
import type { DecisionContext } from '../../commands/decisionContext'
import type { ToolRuled } from '../../records'
import type { RuleOwner } from '../toolRules'

/** Sets or ends a rule of its owner. */
export const ruled = (context: DecisionContext, owner: RuleOwner, change: ToolRuled): void =>
  'task' in owner
    ? context.emit('task.toolRuled', { task: owner.task, ...change })
    : context.emit('agent.toolRuled', { agent: owner.agent, ...change })

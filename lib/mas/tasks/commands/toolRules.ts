/** An operator says for one task whether a tool asks before its calls. */
import { Fault } from '@/lib/faults'
import { decideConfirmation } from '../../asks/commands/confirm'
import { selectOpenRequests } from '../../asks/requests'
import { mustOperate, optionalReason, reasonOf, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { seenTask } from '../../commands/visible'
import type { AgentId, TaskId } from '../../ids'
import { isTaskOver } from '../../statuses'
import { allowingRule, toolRuleOf } from '../../steps/toolRules'

/** A task holds at most this many rules. */
export const TOOL_RULES_MAX = 100

/** Sets the rule of a tool in a task. Throws NOT_FOUND, NOT_ALLOWED, TASK_OVER, ALREADY_SO, REASON_MISSING, TOO_LARGE. */
export function ruleTool(context: DecisionContext, person: AgentId, command: CommandOf<'ruleTool'>): void {
  const { server, tool, rule, reason } = command
  const task = seenTask(context, person, command.task)
  mustOperate(context, person, 'say how tools are asked about')
  if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
  const overAlways = rule === 'allow' && command.overAlways
  const before = toolRuleOf(task, command)
  if (before?.rule === rule && before.overAlways === overAlways)
    throw new Fault('ALREADY_SO', { what: 'it is ruled so' })
  if (before === null && rule === null) throw new Fault('ALREADY_SO', { what: 'there is no rule for it' })
  if (before === null && (task.toolRules?.length ?? 0) >= TOOL_RULES_MAX)
    throw new Fault('TOO_LARGE', {
      what: 'The list of tools',
      limit: `${TOOL_RULES_MAX}`,
      size: `${TOOL_RULES_MAX + 1}`,
    })
  const why = rule === null ? optionalReason(reason) : reasonOf(reason)
  context.emit('task.toolRuled', { task: task.id, server, tool, rule, overAlways, by: person })
  const words = { who: context.name(person), tool: `${server}.${tool}` }
  recordAct(context, person, [task.id], {
    act: 'ruleTool',
    on: words.tool,
    reason: why,
    says: context.said(rule === 'allow' ? 'actAllowedTool' : rule === 'ask' ? 'actToolAsks' : 'actToolRevoked', words),
  })
  if (rule === 'allow') approveHeld(context, person, task.id)
}

/** Calls awaiting confirmation that no longer need it run in the name of the person who set the rule. */
function approveHeld(context: DecisionContext, person: AgentId, task: TaskId): void {
  for (const request of selectOpenRequests(context.world, task)) {
    const { kind, call } = request
    if (kind !== 'confirm' || call === null || allowingRule(context.world.tasks[task], call) === null) continue
    const approval = { decision: 'approve' as const, text: '', arguments: null, digest: call.digest }
    decideConfirmation(context, person, request, { type: 'answerRequest', request: request.id, ...approval })
  }
}

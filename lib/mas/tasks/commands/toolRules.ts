/** An operator says how the calls of a tool are asked about, in one task or by one agent. */
import { Fault } from '@/lib/faults'
import { decideConfirmation } from '../../asks/commands/confirm'
import { selectOpenRequests } from '../../asks/requests'
import { mustOperate, optionalReason, reasonOf, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { seenTask } from '../../commands/visible'
import type { AgentId, TaskId } from '../../ids'
import type { Decision, HeldCall, RequestRecord } from '../../records'
import type { SentenceKey } from '../../said'
import { isTaskOver } from '../../statuses'
import { ruled } from '../../steps/commands/toolRuled'
import { allowingRule, type RuleOwner, rulesOf, strictRuleFor, toolRuleOf } from '../../steps/toolRules'

/** A task or an agent holds at most this many rules. */
export const TOOL_RULES_MAX = 100

const SAYS = {
  task: {
    allow: 'actAllowedTool',
    ask: 'actToolAsks',
    urgent: 'actToolUrgent',
    off: 'actToolOff',
    end: 'actToolRevoked',
  },
  agent: {
    allow: 'actAllowedToolFor',
    ask: 'actToolAsksFor',
    urgent: 'actToolUrgentFor',
    off: 'actToolOffFor',
    end: 'actToolRevokedFor',
  },
} as const satisfies Record<string, Record<string, SentenceKey>>

/**
 * Sets the rule of a tool, or ends it.
 *
 * faults  NOT_FOUND, NOT_ALLOWED, TASK_OVER, ALREADY_SO, REASON_MISSING, TOO_LARGE, BAD_INPUT (its end is past, or the tool is not known)
 */
export function ruleTool(context: DecisionContext, person: AgentId, command: CommandOf<'ruleTool'>): void {
  const { server, tool, rule, endsAt, definition, about, reason } = command
  const name = mustRule(context, person, about)
  if (endsAt !== null && endsAt <= context.at) throw new Fault('BAD_INPUT', { why: 'Its end is past.' })
  if (rule === 'allow' && definition === null) throw new Fault('BAD_INPUT', { why: 'What the tool does is not known.' })
  const rules = rulesOf(context.world, about)
  const before = toolRuleOf(rules, command)
  // A rule that is set again allows the tool as it is now.
  const ends = {
    ...(endsAt === null ? {} : { endsAt }),
    ...(rule === 'allow' && definition !== null ? { definition } : {}),
  }
  if (before?.rule === rule && before.endsAt === ends.endsAt && before.definition === ends.definition)
    throw new Fault('ALREADY_SO', { what: 'it is ruled so' })
  if (before === null && rule === null) throw new Fault('ALREADY_SO', { what: 'there is no rule for it' })
  if (before === null && rules.length >= TOOL_RULES_MAX)
    throw new Fault('TOO_LARGE', {
      what: 'The list of tools',
      limit: `${TOOL_RULES_MAX}`,
      size: `${TOOL_RULES_MAX + 1}`,
    })
  const why = rule === null ? optionalReason(reason) : reasonOf(reason)
  ruled(context, about, { server, tool, rule, ...(rule === null ? {} : ends), by: person })
  const words = { who: context.name(person), tool: `${server}.${tool}` }
  const key = rule ?? 'end'
  const says =
    'task' in about ? context.said(SAYS.task[key], words) : context.said(SAYS.agent[key], { ...words, agent: name })
  recordAct(context, person, 'task' in about ? [about.task] : [], {
    act: 'ruleTool',
    on: words.tool,
    reason: why,
    says,
  })
  decideHeld(context, person, command, why)
}

/** out: the name of the task or agent. Throws NOT_FOUND, NOT_ALLOWED, TASK_OVER. */
function mustRule(context: DecisionContext, person: AgentId, about: RuleOwner): string {
  const what = 'say how tools are asked about'
  if ('task' in about) {
    const task = seenTask(context, person, about.task)
    mustOperate(context, person, what)
    if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
    return task.name
  }
  mustOperate(context, person, what)
  const agent = context.world.agents[about.agent]
  if (agent === undefined || agent.removed) throw new Fault('NOT_FOUND', { what: 'agent', id: about.agent })
  return agent.name
}

/** Calls awaiting confirmation: those that no longer need it run, and those of a tool that is off are refused, in the name of this person. */
function decideHeld(
  context: DecisionContext,
  person: AgentId,
  { about, rule }: CommandOf<'ruleTool'>,
  why: string,
): void {
  if (rule !== 'allow' && rule !== 'off') return
  const tasks = 'task' in about ? [about.task] : (Object.keys(context.world.requests) as TaskId[])
  for (const request of tasks.flatMap((task) => selectOpenRequests(context.world, task))) {
    const { kind, call, asker } = request
    if (kind !== 'confirm' || call === null || asker === 'system:task') continue
    if ('agent' in about && asker !== about.agent) continue
    const decision = decisionOn(context, { ...request, asker }, call)
    if (decision === null) continue
    const text = decision === 'refuse' ? why : ''
    const answer = { decision, text, arguments: null, digest: call.digest }
    decideConfirmation(context, person, request, { type: 'answerRequest', request: request.id, ...answer })
  }
}

/** null: it waits on */
function decisionOn(
  { world, at }: DecisionContext,
  { task, asker: agent }: RequestRecord & { asker: AgentId },
  call: HeldCall,
): Decision | null {
  if (strictRuleFor(world, { task, agent }, call)?.rule === 'off') return 'refuse'
  return allowingRule(world, { task, agent }, call, at) === null ? null : 'approve'
}

/** The time of a rule has come: it ends. Nothing when it was changed or taken back. */
export function endToolRule(context: DecisionContext, { about, server, tool, endsAt }: CommandOf<'endToolRule'>): void {
  const rule = toolRuleOf(rulesOf(context.world, about), { server, tool })
  if (rule?.endsAt === undefined || rule.endsAt !== endsAt || endsAt > context.at) return
  ruled(context, about, { server, tool, rule: null, by: null })
}

import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import type { Json } from '../../records'
import { saveTemplate } from '../../tasks/commands/templates'
import { ruleTool } from '../../tasks/commands/toolRules'
import { changeSetup } from './changeSetup'

/**
 * A team from a file joins: its agents, templates and rules as if they were made in the page, all of it or nothing.
 *
 * out     how many of each. Throws what changeSetup, saveTemplate and ruleTool throw
 */
export function takeTeam(context: DecisionContext, person: AgentId, input: CommandOf<'takeTeam'>): Json {
  const { agents, templates, rules } = input
  const reason = context.say('teamTaken', { name: input.name })
  if (agents.length > 0) {
    const changes = agents.map(({ id, value }) => ({ kind: 'agent' as const, id, value, seen: null }))
    changeSetup(context, person, { type: 'changeSetup', changes })
  }
  for (const template of templates) saveTemplate(context, person, { type: 'saveTemplate', template: null, ...template })
  for (const { agent, ...rule } of rules)
    ruleTool(context, person, { type: 'ruleTool', about: { agent }, ...rule, reason, endsAt: null, definition: null })
  return { agents: agents.length, templates: templates.length, rules: rules.length }
}

/** Operators' standing rules for the calls of tools: all of them in one list, and setting one of a task or an agent. */
import type { CommandOf } from '@/lib/mas/commands/command'
import type { World } from '@/lib/mas/records'
import { type RuleOwner, selectToolRules } from '@/lib/mas/steps/toolRules'
import { selectName } from '@/lib/mas/team/agents'
import type { CommandHead, PostToolRule, ToolRulesAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { toolDefinition } from '@/server/tools'
import type { ToolPort } from '../../ports'
import { resolveKnownAgent, resolveTaskId } from '../../records/resolve'
import { neededTool } from '../../records/toolArguments'
import type { CommandCall, Routes } from '../../route'

export function addToolRuleRoutes({ add, addCommand, gateway: { tools } }: Routes): void {
  add('GET /api/tool_rules', {
    access: 'operator',
    scope: 'operate',
    summary:
      'How the calls of tools are asked about: the rules of operators, and what the configuration says of each tool.',
    query: schemas.toolRulesQuery,
    answers: schemas.toolRulesAnswer,
    async handle({ person, world, query }) {
      const task = query.task === undefined ? null : resolveTaskId(world, query.task, person)
      return {
        rules: selectToolRules(world, task).map(({ owner, rule: { by, endsAt = null, definition: _, ...rule } }) => ({
          ...rule,
          endsAt,
          by: selectName(world, by),
          owner: ownerIn(world, owner),
        })),
        tools: await configuredTools(tools),
      }
    },
  })

  const ruled = async (
    { person, body }: CommandCall & { body: Omit<PostToolRule, keyof CommandHead> },
    about: RuleOwner,
  ): Promise<CommandOf<'ruleTool'> & { type: 'ruleTool' }> => {
    const { rule, server, tool } = body
    // What is allowed is the tool as it is described now.
    const definition = rule === 'allow' ? toolDefinition(await neededTool(tools, person, { server, tool })) : null
    return { type: 'ruleTool', about, ...body, definition }
  }
  addCommand({
    path: '/api/tasks/{id}/tool_rules',
    scope: 'operate',
    summary: 'Say for a task how the calls of a tool are asked about, or take it back. For operators.',
    body: schemas.postToolRule,
    command: (call) => ruled(call, { task: resolveTaskId(call.world, call.id, call.person).id }),
  })
  addCommand({
    path: '/api/agents/{id}/tool_rules',
    scope: 'operate',
    summary: 'Say for an agent how its calls of a tool are asked about, or take it back. For operators.',
    body: schemas.postToolRule,
    command: (call) => ruled(call, { agent: resolveKnownAgent(call.world, call.id).id }),
  })
}

const ownerIn = (world: World, owner: RuleOwner): ToolRulesAnswer['rules'][number]['owner'] =>
  'task' in owner
    ? { kind: 'task', id: owner.task, name: world.tasks[owner.task]?.name ?? '' }
    : { kind: 'agent', id: owner.agent, name: selectName(world, owner.agent) }

/** Of servers that are connected: a list is no reason to start the others. */
async function configuredTools(tools: ToolPort): Promise<ToolRulesAnswer['tools']> {
  const connected = tools.servers().filter(({ state }) => state === 'connected')
  const described = await Promise.all(connected.map(({ name }) => tools.describe(name)))
  return described.flatMap((one) =>
    one.ok
      ? one.description.tools.map(({ server, name, confirmRule }) => ({ server, tool: name, configured: confirmRule }))
      : [],
  )
}

/** The fields of commands that change the set-up. */
import * as z from 'zod'
import type { AgentId } from '../../ids'
import { TOOL_RULES } from '../../steps/toolRuleRecords'
import { taskCommands } from '../../tasks/commands/schemas'
import { ACCESS_LEVELS } from '../../team/abilities'
import { count, idOf, setupId } from '../schemas/fields'
import { agentSetup, humanSetup } from '../schemas/members'
import { modelSetup } from '../schemas/model'
import { budgetSetup, teamSetup } from '../schemas/team'
import { toolSetup } from '../schemas/toolServer'
import { SETUP_KINDS } from '../setupRecords'

const change = {
  id: setupId,
  seen: count.nullable().describe('seq of the newest change that was seen, 0: none; null: new'),
}

/** Changes of records. in: the values of agents and people, as their sender names these */
export const changesOf = <Agent extends z.ZodType, Human extends z.ZodType>(agent: Agent, human: Human) =>
  z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ ...change, kind: z.literal('agent'), value: agent.nullable() }),
        z.object({ ...change, kind: z.literal('human'), value: human.nullable() }),
        z.object({ ...change, kind: z.literal('model'), value: modelSetup.nullable() }),
        z.object({ ...change, kind: z.literal('tool'), value: toolSetup.nullable() }),
        z.object({ ...change, kind: z.literal('team'), value: teamSetup.nullable() }),
        z.object({ ...change, kind: z.literal('budget'), value: budgetSetup.nullable() }),
      ]),
    )
    .min(1)
    .max(200)

const inWorld = { agent: idOf<AgentId>() }

export const setupCommands = {
  /** All or nothing. seen: seq of the newest change of that record that the operator saw; 0: none; null: new. */
  changeSetup: z.object({
    changes: changesOf(
      agentSetup.extend(inWorld),
      humanSetup.extend({ ...inWorld, access: z.enum([...ACCESS_LEVELS, 'none']) }),
    ),
  }),
  /** A team from a file. Its agents are new; rules are of its agents. */
  takeTeam: z.object({
    name: z.string().max(200),
    agents: z.array(z.object({ id: setupId, value: agentSetup.extend(inWorld) })).max(100),
    templates: z.array(taskCommands.saveTemplate.omit({ template: true })).max(200),
    rules: z.array(z.object({ ...inWorld, server: z.string(), tool: z.string(), rule: z.enum(TOOL_RULES) })).max(500),
  }),
  undoSetup: z.object({ kind: z.enum(SETUP_KINDS), id: setupId, change: count }),
  /** A person leaves the team. handTo: who gets the requests to them alone; null: refused if there are any. */
  leaveTeam: z.object({
    id: setupId,
    seen: count.describe('seq of the newest change of their record that was seen, 0: none'),
    handTo: idOf<AgentId>().nullable().describe('who gets what only they were asked'),
    reason: z.string().max(1000).describe('recorded, and told to the person who gets it'),
  }),
}

/** Agents and people, as the file and the page name them. */
import * as z from 'zod'
import type { AgentId } from '../../ids'
import { ACCESS_LEVELS, type Access, SKILLS } from '../../team/abilities'
import { setupId, setupText, shortText } from './fields'

const memberFields = {
  name: shortText,
  role: setupText.default(''),
  profile: setupText.default(''),
  groups: z.array(setupId).max(50).default([]),
  tools: z.array(z.string().min(1).max(64)).max(100).default([]),
}
const share = z.number().int().min(1).max(10_000)

/** start: false: a template for agent_manager. */
export const agentSetup = z.strictObject({
  ...memberFields,
  model: z.string().min(1).max(64).default('default'),
  skills: z
    .array(z.string().max(64))
    .max(50)
    .default([...SKILLS]),
  manager: z.boolean().default(false),
  mayWait: z.boolean().default(false),
  start: z.boolean().default(true),
  limits: z
    .strictObject({ stepsPerPart: share.optional(), reflectionsPerPart: share.optional() })
    .optional()
    .describe('in place of the team’s'),
})
export type AgentFields = z.infer<typeof agentSetup>
/** agent: its id in the world; its id in the file is the key of its record. */
export type AgentSetup = AgentFields & { agent: AgentId }

/** Passwords and channels are not in it. */
export const humanSetup = z.strictObject({
  ...memberFields,
  access: z.enum(ACCESS_LEVELS).default('participant'),
})
/** agent: their id in the world; their id in the file is the key of their record. access none: of records of the world alone */
export type HumanSetup = Omit<z.infer<typeof humanSetup>, 'access'> & { agent: AgentId; access: Access }

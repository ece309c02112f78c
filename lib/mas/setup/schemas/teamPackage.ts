/** A team as one file: agents, templates, examples and standing rules. It has no keys, people, addresses or commands. */
import * as z from 'zod'
import { SKILLS } from '../../team/abilities'
import { PACKAGE_FORMAT, PACKAGE_RULES, PACKAGE_VERSION } from '../packageForm'
import { setupId, setupText, shortText } from './fields'
import { agentSetup } from './members'

const field = z.strictObject({
  name: z.string().max(40),
  kind: z.enum(['text', 'choice', 'file']),
  choices: z.array(z.string().max(200)).max(50).default([]),
  required: z.boolean().default(true),
})

/** The model of each agent is the team's, and none manages the requests of the team. */
const agent = agentSetup.omit({ model: true, manager: true }).extend({
  id: setupId,
  skills: z
    .array(z.enum(SKILLS))
    .max(50)
    .default([...SKILLS]),
  tools: z
    .array(z.string().min(1).max(64))
    .max(100)
    .default([])
    .describe('names of tool servers; those that the other team lacks are left out'),
})

export const teamPackage = z.strictObject({
  format: z.literal(PACKAGE_FORMAT),
  version: z.literal(PACKAGE_VERSION),
  name: shortText,
  about: setupText.default(''),
  agents: z.array(agent).max(100).default([]),
  templates: z
    .array(
      z.strictObject({
        name: shortText,
        text: z.string().min(1).max(20_000),
        fields: z.array(field).max(20).default([]),
        reviewPlans: z.boolean().default(false),
      }),
    )
    .max(100)
    .default([]),
  examples: z
    .array(z.strictObject({ name: shortText, text: z.string().min(1).max(20_000) }))
    .max(100)
    .default([])
    .describe('requests to try the team with; they become templates without fields'),
  rules: z
    .array(
      z.strictObject({
        agent: setupId.describe('the id of an agent of this file'),
        server: z.string().min(1).max(200),
        tool: z.string().min(1).max(200),
        rule: z.enum(PACKAGE_RULES),
      }),
    )
    .max(500)
    .default([]),
})
export type TeamPackage = z.infer<typeof teamPackage>

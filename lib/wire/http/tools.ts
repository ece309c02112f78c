/** Tool servers: how each is, signing in to one, running a tool by hand. */
import * as z from 'zod'
import { CONFIRM_RULES } from '../../mas/setup/setupFields'
import { stepCommands } from '../../mas/steps/commands/schemas'
import { TOOL_RULES } from '../../mas/steps/toolRuleRecords'
import { taskCommands } from '../../mas/tasks/commands/schemas'
import { anyId, commandFields, json, when } from './common'

const serverState = z.enum(['idle', 'connecting', 'connected', 'failed', 'needs_sign_in'])

/** GET /api/tools. `error` and `signInUrl` are null for all but operators. */
export const toolServersAnswer = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      guide: z.string(),
      state: serverState,
      mayRun: z.boolean().describe('its tools are among those that the caller may run by hand'),
      remote: z.boolean().describe('elsewhere: one that may ask for a sign-in'),
      error: z.string().nullable(),
      signInUrl: z.string().nullable().describe('the page that a person is to open'),
    }),
  ),
})
export type ToolServersAnswer = z.infer<typeof toolServersAnswer>

const toolOffer = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  schema: json.describe('of its arguments'),
  reads: z.boolean().describe('it changes nothing, as its server says'),
  asks: z.boolean().describe('the person who runs it by hand confirms exactly what runs'),
})
export type ToolOffer = z.infer<typeof toolOffer>

/** GET /api/tools/<name>, which connects to the server. error: why its tools are unknown, for operators. */
export const toolServerAnswer = z.object({
  name: z.string(),
  guide: z.string(),
  state: serverState,
  mayRun: z.boolean(),
  error: z.string().nullable(),
  tools: z.array(toolOffer),
  unread: z
    .array(z.string())
    .describe('what of its lists could not be read, a sentence each, in the language of the caller'),
})
export type ToolServerAnswer = z.infer<typeof toolServerAnswer>

const ruleOwner = z.object({ kind: z.enum(['task', 'agent']), id: anyId, name: z.string() })
/** GET /api/tool_rules. configured: what the configuration says of a tool, which no rule loosens if it is `always`. */
export const toolRulesQuery = z.object({ task: anyId.optional() })
export const toolRulesAnswer = z.object({
  rules: z.array(
    z.object({
      server: z.string(),
      tool: z.string(),
      rule: z.enum(TOOL_RULES),
      owner: ruleOwner,
      by: z.string(),
      at: when,
      endsAt: when.nullable(),
    }),
  ),
  tools: z.array(z.object({ server: z.string(), tool: z.string(), configured: z.enum(CONFIRM_RULES) })),
})
export type ToolRulesAnswer = z.infer<typeof toolRulesAnswer>

/** POST /api/tasks/<id>/tool_rules, /api/agents/<id>/tool_rules */
export const postToolRule = z.object({ ...commandFields, ...taskCommands.ruleTool.omit({ about: true }).shape })
export type PostToolRule = z.infer<typeof postToolRule>

/** POST /api/tools/<name>/run; the reply holds the step. */
export const postRunTool = z
  .object({
    ...commandFields,
    task: anyId,
    stage: anyId.nullable().default(null),
    tool: stepCommands.runTool.shape.tool,
    arguments: z.record(z.string(), json).default({}),
    confirmed: z.boolean().default(false).describe('the caller saw exactly this and wants it'),
    reason: z.string().max(1000).default('').describe('of what was confirmed: recorded, and told in the chat'),
  })
  .meta({ id: 'RunTool' })
export type PostRunTool = z.input<typeof postRunTool>

/** POST /api/tools/<name>/sign_in, with {}: the page that the operator is to open; null: nothing is needed. */
export const signInBegun = z.object({ url: z.string().nullable() })
export type SignInBegun = z.infer<typeof signInBegun>

/** GET /api/tools/oauth/callback: what a sign-in page sends back. */
export const signInCallback = z.object({
  state: z.string().max(1000).default(''),
  code: z.string().max(4000).optional(),
  /** The issuer that gave the code (RFC 9207). */
  iss: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
})
export const signInDone = z.object({ server: z.string().optional(), failed: z.string().optional() })
export type SignInDone = z.infer<typeof signInDone>

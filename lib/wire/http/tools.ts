/** Tool servers: how each is, signing in to one, running a tool by hand. */
import * as z from 'zod'
import { stepCommands } from '../../mas/steps/commands/schemas'
import { anyId, commandFields, json } from './common'

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
  error: z.string().max(1000).optional(),
})
export const signInDone = z.object({ server: z.string().optional(), failed: z.string().optional() })
export type SignInDone = z.infer<typeof signInDone>

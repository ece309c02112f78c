/** A tool server: as the file names it, and the part of it that the page shows and changes. */
import * as z from 'zod'
import { CONFIRM_RULES } from '../setupFields'
import { headerName, keylessAddress, keyRef, orNone, setupText, variable, webAddress } from './fields'

const confirmRule = z.enum(CONFIRM_RULES)

const toolName = z.string().min(1).max(200)
const command = z.string().min(1).max(1_000)
const args = z.array(z.string().max(4_000)).max(100).default([])
const rules = {
  guide: setupText.default(''),
  confirm: confirmRule.default('risky'),
}

/** Sign-in settings of a remote server. Without a client id, dynamic registration is used, if the server supports it. */
const oauth = z.strictObject({
  /** authorization_code: a person signs in with a browser. client_credentials: no person is needed. */
  grant: z.enum(['authorization_code', 'client_credentials']).default('authorization_code'),
  clientId: z.string().min(1).optional(),
  clientSecretEnv: variable.optional(),
  /** PEM; in place of the secret: a signed assertion (private_key_jwt). */
  privateKeyEnv: variable.optional(),
  algorithm: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
  /** The address of a client metadata page, in place of a registration, where the server accepts that. */
  clientMetadataUrl: webAddress.optional(),
  /** The one server that may be shown these credentials. */
  issuer: webAddress.optional(),
})

/** `command` starts a child process (stdio), `baseurl` reaches a remote one. */
export const toolServer = z.strictObject({
  command: command.optional(),
  args,
  env: z.record(z.string(), z.string()).default({}),
  baseurl: keylessAddress.optional(),
  /** Sent with every request to a remote server. */
  headers: z.record(headerName, z.string()).default({}),
  oauth: oauth.optional(),
  /** May the server ask the calling agent's model? `ask`: a person is asked first. */
  sampling: z.enum(['ask', 'always', 'never']).default('ask'),
  timeLimitMs: z.number().positive().optional(),
  /** A call that reports progress may take this long in all; 30 minutes by default. */
  longestMs: z.number().positive().optional(),
  ...rules,
  /** Tools that may run again after a crash although their annotations do not say so. */
  repeat: z.array(z.string()).default([]),
  tools: z.record(z.string(), z.strictObject({ confirm: confirmRule.optional() })).default({}),
})
export type ToolServer = z.infer<typeof toolServer>

/** The values of a tool server that the page can change; env, sign-in and limits are from the file only. */
export const toolSetup = z.strictObject({
  /** null: a child process. */
  address: keylessAddress.nullable(),
  /** null: a remote server. */
  command: orNone(command),
  args,
  /** key null: the value is from the file. */
  headers: z
    .array(z.strictObject({ name: headerName, key: keyRef.nullable() }))
    .max(20)
    .default([]),
  ...rules,
  /** Exceptions by tool. */
  rules: z.record(toolName, confirmRule).default({}),
})
export type ToolSetup = z.infer<typeof toolSetup>

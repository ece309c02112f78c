/** The schema of convene.yaml: every key, its type, its default. */

import { z } from 'zod'
import { LANGUAGES } from '@/lib/language'
import { PROTOCOLS } from '@/lib/mas/outsideRecords'
import { PROVIDER_NAMES } from '@/lib/mas/providers'
import { SKILLS } from '@/lib/mas/records'
import { REASONING_EFFORTS } from '@/lib/mas/setupRecords'
import { PERSON_LIMITS } from '../shared/limits'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'an id has letters, digits, "_", "-" and ".", 64 at most')
  .refine((text) => !UUID.test(text), 'an id may not look like a uuid: those are made from it')
const text = z.string().max(65_536)
const shortText = z.string().min(1, 'may not be empty').max(200)
const positive = z.number().int().positive()
const amount = z.number().positive()
const webAddress = z.string().regex(/^https?:\/\/\S+$/, 'must be an address that begins with http:// or https://')
/** The name of an environment variable. A pasted secret is rejected by its form. */
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of an environment variable, not the secret itself')

/** The operator of the team and its device, for cards; a text is the name alone. */
const cardOwner = z.union(
  [
    text.transform((user_name) => ({ user_name })),
    z.strictObject({ user_id: text.optional(), user_name: text.optional(), organization: text.optional() }),
  ],
  { error: 'must be a name, or texts under user_id, user_name, organization' },
)
const cardDevice = z.union(
  [
    text.transform((device_name) => ({ device_name })),
    z.strictObject({
      device_id: text.optional(),
      device_name: text.optional(),
      location: text.optional(),
      platform: text.optional(),
    }),
  ],
  { error: 'must be a name, or texts under device_id, device_name, location, platform' },
)

export const team = z.strictObject({
  name: shortText,
  language: z.enum(LANGUAGES).default('en'),
  domain: z.string().min(1).optional(),
  /** The model of agents without one. */
  model: z.string().default('default'),
  owner: cardOwner.prefault({}),
  device: cardDevice.prefault({}),
  allowed_agents: z.array(z.string()).default([]),
  /** Agents of systems that are not listed under peers may write, too. */
  public: z.boolean().default(false),
  /** false: peers without a configured key may write without one. */
  require_auth: z.boolean().default(true),
  /** Other systems may report and request checkpoints (/map). */
  trajectory: z.boolean().default(true),
  /** A running step without output for this long is shown as stale. */
  stale_after_s: z.number().min(15).default(45),
})

/** Fields that Convene sets itself; `extra` may not contain them. */
export const OWN_FIELDS = ['model', 'messages', 'stream'] as const

export const model = z.strictObject({
  provider: z.enum(PROVIDER_NAMES),
  base_url: webAddress.optional(),
  model: z.string().min(1).optional(),
  key_env: variable.optional(),
  /** In place of key_env: the id of a key that was typed into the page. */
  key_stored: z.string().min(1).max(64).optional(),
  temperature: z.number().min(0).max(2).optional(),
  context_tokens: positive.default(32_768),
  /** Token limit of answers: a number for all, or by skill; `default`: all others. Left out: the server's own. */
  max_tokens: z
    .union([positive, z.partialRecord(z.enum(['default', ...SKILLS]), positive)], {
      error: 'must be a positive number, or such numbers by skill (and default)',
    })
    .optional(),
  /** Request answers as an object whose keys are the tags? auto: until the server refuses it. */
  structured: z.enum(['auto', 'json_schema', 'tags']).default('auto'),
  reasoning_effort: z.enum(REASONING_EFFORTS).optional(),
  /** Additional fields of the request. */
  extra: z.record(z.string(), z.json()).default({}),
  /** Input kinds beside text. */
  accepts: z.array(z.enum(['image', 'audio'])).default([]),
  time_limit_s: amount.default(120),
  /** Until the first text or reasoning of an answer; left out: time_limit_s. */
  first_token_limit_s: amount.optional(),
  connect_limit_s: amount.default(10),
  /** Concurrent calls of all models at one address. */
  parallel: positive.default(4),
  /** US dollars per million tokens; cached left out: as input. */
  price: z
    .strictObject({ input: z.number().min(0), output: z.number().min(0), cached: z.number().min(0).optional() })
    .optional(),
  /** Folders relative to the configuration file: answers are recorded there, or played from there. */
  record: z.string().min(1).optional(),
  play: z.string().min(1).optional(),
})

const memberFields = {
  id,
  name: shortText,
  role: text.default(''),
  profile: text.default(''),
  groups: z.array(id).default([]),
  tools: z.array(z.string()).default([]),
}

export const agent = z.strictObject({
  ...memberFields,
  model: z.string().default('default'),
  skills: z.array(z.enum(['all', ...SKILLS])).default(['all']),
  manager: z.boolean().default(false),
  may_wait: z.boolean().default(false),
  start: z.boolean().default(true),
  /** Replaces the team's limits. */
  limits: z.strictObject({ steps_per_part: positive.optional(), reflections_per_part: positive.optional() }).optional(),
})

/** A webhook's address may be a secret: ${env:NAME} inserts a variable as the whole or a part of it. */
const webhook = z
  .string()
  .regex(/^(https?:\/\/\S+|\$\{env:\w+\})$/, 'must be an address that begins with http:// or https://, or ${env:NAME}')

/** How a person is reached outside the page; people add browsers themselves, in Settings. */
const channels = z.strictObject({
  email: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .optional(),
  webhook: webhook.optional(),
})

export const human = z.strictObject({
  ...memberFields,
  access: z.enum(['participant', 'operator', 'developer']).default('participant'),
  password_env: variable.optional(),
  password_hash: z
    .string()
    .regex(/^\$argon2id\$\S+$/, 'must be an argon2id hash; `npm run hash-password` makes one')
    .optional(),
  channels: channels.prefault({}),
})

const confirm = z.enum(['risky', 'always', 'never'])

/** Sign-in settings of a remote server. Without a client id, dynamic registration is used, if the server supports it. */
const oauth = z.strictObject({
  grant: z.enum(['authorization_code', 'client_credentials']).default('authorization_code'),
  client_id: z.string().min(1).optional(),
  client_secret_env: variable.optional(),
  private_key_env: variable.optional(),
  algorithm: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
  client_metadata_url: webAddress.optional(),
  issuer: webAddress.optional(),
})

export const toolServer = z.strictObject({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  baseurl: webAddress.optional(),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/, 'is not the name of a header'), z.string()).default({}),
  oauth: oauth.optional(),
  sampling: z.enum(['ask', 'always', 'never']).default('ask'),
  time_limit_s: amount.optional(),
  longest_s: amount.optional(),
  guide: text.default(''),
  confirm: confirm.default('risky'),
  repeat: z.array(z.string()).default([]),
  tools: z.record(z.string(), z.strictObject({ confirm: confirm.optional() })).default({}),
})

/** Of the team's work. */
export const teamLimits = z.strictObject({
  steps_per_part: positive.default(60),
  reflections_per_part: positive.default(5),
  talk_in_a_row: positive.default(12),
  tokens_per_task: positive.optional(),
  cost_per_task: amount.optional(),
  cost_per_day: amount.optional(),
  cost_per_agent_per_day: amount.optional(),
  cost_per_person_per_day: amount.optional(),
})

/** Of what one person may have at a time. */
export const personLimits = z.strictObject({
  commands_per_person: positive.default(PERSON_LIMITS.commandsPerPerson),
  reads_per_person: positive.default(PERSON_LIMITS.readsPerPerson),
  sockets_per_person: positive.default(PERSON_LIMITS.socketsPerPerson),
  uploads_per_person: positive.default(PERSON_LIMITS.uploadsPerPerson),
  uploads_per_person_mib: positive.default(PERSON_LIMITS.uploadsPerPersonMib),
  drafts_per_person: positive.default(PERSON_LIMITS.draftsPerPerson),
  drafts_per_person_mib: positive.default(PERSON_LIMITS.draftsPerPersonMib),
})

const limits = teamLimits.extend(personLimits.shape)
export type TeamLimitsSection = z.infer<typeof teamLimits>
export type PersonLimitsSection = z.infer<typeof personLimits>

const server = z.strictObject({
  /** Addresses and ranges of proxies in front of this server. X-Forwarded-For and -Proto count only from these. */
  trusted_proxies: z.array(z.string()).default([]),
  /** May models and tool servers added in the page be in a private network? Default: on this machine, while nobody else has access. */
  allow_private: z.boolean().optional(),
})

/** Delays after an alert has begun. */
export const times = z.strictObject({
  /** Before their own channels are used, while they have a page open and do not react. */
  own_channels_s: z.number().min(0).default(60),
  /** The same without an open page. */
  no_page_s: z.number().min(0).default(5),
  /** Interval of repeats, up to `until_min`. */
  again_min: z.number().min(0.5).default(5),
  until_min: z.number().min(0).max(1_440).default(30),
  /** Alert again when acknowledged but not answered for this long; 0: never. */
  raise_again_min: z.number().min(0).default(15),
  /** Report an Action that is open for this long, then every `open_again_h`; 0: never. */
  open_h: z.number().min(0).default(4),
  open_again_h: amount.default(24),
})

export const notify = z.strictObject({
  smtp_env: variable.optional(),
  mail_from: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$|^[^<>]*<[^\s@<>]+@[^\s@<>]+>$/, 'must be an e-mail address, or Name <address>')
    .optional(),
  /** Default for people without their own. */
  webhook: webhook.optional(),
  webhook_key_env: variable.optional(),
  /** Webhooks and push services may be in a private network. */
  allow_private: z.boolean().default(false),
  times: times.prefault({}),
  /** Role groups whose next member is asked after the given time. */
  escalation: z
    .array(z.union([id, z.strictObject({ group: id, after_s: z.number().min(0).default(120) })]))
    .default([]),
})

export const rehearsal = z.strictObject({
  delay_ms: z.number().int().min(0).max(10_000).default(15),
  /** Faults injected for tests, at the n-th call, counted from 1. */
  faults: z
    .array(
      z.strictObject({ call: positive, kind: z.enum(['malformed', 'slow', 'rate_limited']), agent: id.optional() }),
    )
    .default([]),
  load: z.boolean().default(false),
})

/** Limits on the work that a peer may request. */
export const peerLimits = z.strictObject({
  tasks: positive.default(5),
  tokens_per_day: positive.optional(),
  cost_per_day: amount.optional(),
})

export const peer = z.strictObject({
  uri: z.string().regex(/^agent:\/\/[^\s/]+(\/\S*)?$/, 'must be a URI such as agent://example.org/planner'),
  base_url: webAddress,
  key_env: variable.optional(),
  send_key_env: variable.optional(),
  signing_key_env: variable.optional(),
  may: z.array(z.enum(PROTOCOLS)).default([]),
  actions: z.array(z.string()).default([]),
  agents: z.array(z.string()).default([]),
  allow_private: z.boolean().default(false),
  limits: peerLimits.optional(),
})

/** An action that other systems may call on one of our agents, beside the built-in ones. */
const action = z.strictObject({
  agent: id,
  description: text.default(''),
  /** The question to the agent, with parameters in braces. */
  asks: z.string().min(1, 'may not be empty').max(8_000),
  /** JSON schema of the parameters. */
  parameters: z
    .looseObject({
      type: z.literal('object').default('object'),
      properties: z.record(z.string(), z.json()).default({}),
      required: z.array(z.string()).optional(),
    })
    .prefault({}),
})

export const configFile = z.strictObject({
  team,
  models: z.record(id, model).default({}),
  agents: z.array(agent).min(1, 'the team needs at least one agent'),
  humans: z.array(human).min(1, 'the team needs at least one person'),
  tools: z.record(id, toolServer).default({}),
  /** Commands that tool servers added in the page may use. */
  tools_allowed: z.array(z.string().min(1)).default([]),
  limits: limits.prefault({}),
  server: server.prefault({}),
  /** Absent: everything is kept permanently. */
  archives: z.strictObject({ keep_days: positive.optional() }).prefault({}),
  /** Versions listed for each file of the workspace. */
  files: z.strictObject({ versions: positive.default(20) }).prefault({}),
  notify: notify.prefault({}),
  rehearsal: rehearsal.prefault({}),
  peers: z.array(peer).default([]),
  actions: z.record(z.string().min(1, 'may not be empty').max(100), action).default({}),
})

/** The checked file with defaults; keys as in the file. */
export type ConfigFile = z.infer<typeof configFile>

/** The schema of convene.yaml: every field, its type, its default. fileKeys.ts says how the file writes their names. */

import { z } from 'zod'
import { LANGUAGES } from '@/lib/language'
import { PEER_LIMITS } from '@/lib/mas/outside/peerLimits'
import { SKILLS } from '@/lib/mas/records'
import { orNone, setupId, setupText, shortText, variable, webAddress } from '@/lib/mas/setup/schemas/fields'
import { agentSetup, humanSetup } from '@/lib/mas/setup/schemas/members'
import { model } from '@/lib/mas/setup/schemas/model'
import { agentUri, peerLimits, peer as peerSetup } from '@/lib/mas/setup/schemas/peer'
import { toolServer } from '@/lib/mas/setup/schemas/toolServer'
import { PERSON_LIMITS } from '../shared/limits'
import type { PackageSections } from '../shared/packages'
import { inUnit } from './fileKeys'
import { sectionShapes } from './sections'

const positive = z.number().int().positive()
const amount = z.number().positive()
const notNegative = z.number().min(0)

/** The operator of the team and its device, for cards; a text is the name alone. */
const cardOwner = z.union(
  [
    setupText.transform((user_name) => ({ user_name })),
    z.strictObject({
      user_id: setupText.optional(),
      user_name: setupText.optional(),
      organization: setupText.optional(),
    }),
  ],
  { error: 'must be a name, or texts under user_id, user_name, organization' },
)
const cardDevice = z.union(
  [
    setupText.transform((device_name) => ({ device_name })),
    z.strictObject({
      device_id: setupText.optional(),
      device_name: setupText.optional(),
      location: setupText.optional(),
      platform: setupText.optional(),
    }),
  ],
  { error: 'must be a name, or texts under device_id, device_name, location, platform' },
)

const team = z.strictObject({
  name: shortText,
  language: z.enum(LANGUAGES).default('en'),
  domain: orNone(z.string().min(1)),
  /** The model of agents without one. */
  model: z.string().default('default'),
  owner: cardOwner.prefault({}),
  device: cardDevice.prefault({}),
  allowedAgents: z.array(z.string()).default([]),
  /** Agents of systems that are not listed under peers may write, too. */
  public: z.boolean().default(false),
  /** false: peers without a configured key may write without one. */
  requireAuth: z.boolean().default(true),
  /** Other systems may report and request checkpoints (/map). */
  trajectory: z.boolean().default(true),
  /** Managers begin a stage only when a person has approved its plan. */
  reviewPlans: z.boolean().default(false),
  /** A running step without output for this long is shown as stale. */
  staleAfterMs: z.number().min(15_000).default(45_000),
})

/** keyEnv, keyStored: a variable, or the id of a key that was typed into the page. */
export const fileModel = model.omit({ key: true }).extend({
  baseUrl: model.shape.baseUrl.default(null),
  model: model.shape.model.default(null),
  keyEnv: orNone(variable),
  keyStored: orNone(z.string().min(1).max(64)),
})

/** skills: "all" stands for all of them. */
export const fileAgent = agentSetup.extend({
  id: setupId,
  skills: z
    .array(z.enum(['all', ...SKILLS]))
    .prefault(['all'])
    .transform((said) => SKILLS.filter((skill) => said.includes('all') || said.includes(skill))),
})

/** A webhook's address may be a secret: ${env:NAME} inserts a variable as the whole or a part of it. */
const webhook = z
  .string()
  .regex(/^(https?:\/\/\S+|\$\{env:\w+\})$/, 'must be an address that begins with http:// or https://, or ${env:NAME}')

/** How a person is reached outside the page; people add browsers themselves, in Settings. */
const channels = z.strictObject({
  email: orNone(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')),
  webhook: orNone(webhook),
})

export const fileHuman = humanSetup.extend({
  id: setupId,
  passwordEnv: orNone(variable),
  passwordHash: orNone(
    z.string().regex(/^\$argon2id\$\S+$/, 'must be an argon2id hash; `npm run hash-password` makes one'),
  ),
  channels: channels.prefault({}),
})

/** Of the team's work. */
export const teamLimits = z.strictObject({
  stepsPerPart: positive.default(60),
  reflectionsPerPart: positive.default(5),
  talkInARow: positive.default(12),
  tokensPerTask: orNone(positive),
  costPerTask: orNone(amount),
  costPerDay: orNone(amount),
  costPerAgentPerDay: orNone(amount),
  costPerPersonPerDay: orNone(amount),
})

export type TeamLimitsSection = z.infer<typeof teamLimits>

/** Of what one person may have at a time. */
export const personLimits = z.strictObject({
  commandsPerPerson: positive.default(PERSON_LIMITS.commandsPerPerson),
  readsPerPerson: positive.default(PERSON_LIMITS.readsPerPerson),
  socketsPerPerson: positive.default(PERSON_LIMITS.socketsPerPerson),
  uploadsPerPerson: positive.default(PERSON_LIMITS.uploadsPerPerson),
  uploadsPerPersonMib: positive.default(PERSON_LIMITS.uploadsPerPersonMib),
  draftsPerPerson: positive.default(PERSON_LIMITS.draftsPerPerson),
  draftsPerPersonMib: positive.default(PERSON_LIMITS.draftsPerPersonMib),
})

const server = z.strictObject({
  /** Addresses and ranges of proxies in front of this server. X-Forwarded-For and -Proto count only from these. */
  trustedProxies: z.array(z.string()).default([]),
  /** May models and tool servers added in the page be in a private network? Default: on this machine, while nobody else has access. */
  allowPrivate: z.boolean().optional(),
})

/** Delays after an alert has begun. */
const times = z.strictObject({
  /** Before their own channels are used, while they have a page open and do not react. */
  ownChannelsMs: notNegative.default(60_000),
  /** The same without an open page. */
  noPageMs: notNegative.default(5_000),
  /** Interval of repeats, up to `until_min`. */
  againMs: inUnit('min', z.number().min(30_000).default(300_000)),
  untilMs: inUnit('min', notNegative.max(86_400_000).default(1_800_000)),
  /** Alert again when acknowledged but not answered for this long; 0: never. */
  raiseAgainMs: inUnit('min', notNegative.default(900_000)),
  /** An approval that waits for this long becomes urgent; 0: never. */
  approvalUrgentAfterMs: inUnit('min', notNegative.default(1_800_000)),
  /** Report an Action or an approval that is open for this long, then every `open_again_h`; 0: never. */
  openMs: inUnit('h', notNegative.default(4 * 3_600_000)),
  openAgainMs: inUnit('h', amount.default(24 * 3_600_000)),
})

const escalation = z.strictObject({ group: setupId, afterMs: notNegative.default(120_000) })

const notify = z.strictObject({
  smtpEnv: orNone(variable),
  mailFrom: orNone(
    z.string().regex(/^[^\s@]+@[^\s@]+$|^[^<>]*<[^\s@<>]+@[^\s@<>]+>$/, 'must be an e-mail address, or Name <address>'),
  ),
  /** Default for people without their own. */
  webhook: orNone(webhook),
  webhookKeyEnv: orNone(variable),
  /** Webhooks and push services may be in a private network. */
  allowPrivate: z.boolean().default(false),
  times: times.prefault({}),
  /** Role groups whose next member is asked after the given time. */
  escalation: z.array(z.union([setupId.transform((group) => escalation.parse({ group })), escalation])).default([]),
})

const { tasks, tokensPerDay, costPerDay } = peerLimits.shape
/** Its keys are in variables of any name, and what it may is left out where it is nothing. */
const peer = peerSetup.extend({
  uri: agentUri,
  baseUrl: webAddress,
  may: peerSetup.shape.may.default([]),
  actions: peerSetup.shape.actions.default([]),
  agents: peerSetup.shape.agents.default([]),
  allowPrivate: peerSetup.shape.allowPrivate.default(false),
  limits: orNone(
    z.strictObject({
      tasks: tasks.default(PEER_LIMITS.tasks),
      tokensPerDay: tokensPerDay.default(null),
      costPerDay: costPerDay.default(null),
    }),
  ),
  keyEnv: orNone(variable),
  sendKeyEnv: orNone(variable),
  signingKeyEnv: orNone(variable),
})

/** An action that other systems may call on one of our agents, beside the built-in ones. */
const action = z.strictObject({
  agent: setupId,
  description: setupText.default(''),
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

const coreFile = z.strictObject({
  team,
  models: z.record(setupId, fileModel).default({}),
  agents: z.array(fileAgent).min(1, 'the team needs at least one agent'),
  humans: z.array(fileHuman).min(1, 'the team needs at least one person'),
  tools: z.record(setupId, toolServer).default({}),
  /** Commands that tool servers added in the page may use. */
  toolsAllowed: z.array(z.string().min(1)).default([]),
  limits: teamLimits.extend(personLimits.shape).prefault({}),
  server: server.prefault({}),
  /** Absent: everything is kept permanently. */
  archives: z.strictObject({ keepDays: orNone(positive) }).prefault({}),
  /** Versions listed for each file of the workspace. */
  files: z.strictObject({ versions: positive.default(20) }).prefault({}),
  notify: notify.prefault({}),
  peers: z.array(peer).default([]),
  actions: z.record(z.string().min(1, 'may not be empty').max(100), action).default({}),
})

/** The checked file with defaults. */
export type ConfigFile = z.infer<typeof coreFile> & PackageSections

/** With the sections of the packages that are here. */
export const configFile = (): z.ZodType<ConfigFile> =>
  // Packages declare the types of their sections, which no expression of the core has.
  coreFile.extend(sectionShapes()) as unknown as z.ZodType<ConfigFile>

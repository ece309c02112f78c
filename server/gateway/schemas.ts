/**
 * The bodies of the HTTP interface as schemas: what comes in is checked by them, and the OpenAPI document is made of
 * them.
 *
 * Plain zod: zod-openapi reads it; it never reaches a browser.
 */
import * as z from 'zod'
import type {
  BindHumanAgent,
  CommandHead,
  PostAct,
  PostAnswer,
  PostAskBack,
  PostChannelTest,
  PostClaim,
  PostFinishTask,
  PostHandOver,
  PostManager,
  PostMessage,
  PostParticipants,
  PostReadNow,
  PostReceipts,
  PostRelease,
  PostReminder,
  PostRetryStage,
  PostRunTool,
  PostSettleHandOver,
  PostStages,
  PostTask,
  PostTold,
  PostWork,
  PushSubscription,
  PutDraft,
  PutPassword,
  PutRead,
  Settings,
  UseLink,
} from '@/lib/wire'
import { SEARCH_KINDS } from '@/lib/wire/http'

/** A uuid, a configured id or a prefixed StateID. */
export const anyId = z.string().min(1).max(200)
const text = z.string().max(16 * 1024 * 1024)
const name = z.string()
const when = z.number().describe('epoch milliseconds')
const json = z.unknown().meta({ description: 'any JSON value' })

export const refusalBody = z
  .object({
    error: z.string(),
    message: z.string(),
    status_code: z.number().int(),
    details: json.optional(),
    success: z.literal(false).optional(),
  })
  .meta({ id: 'Refusal' })

// ---- what comes in ----

const head = {
  // No colon: ids with one are the program's own, and some can be computed.
  id: z.string().regex(/^[A-Za-z0-9_.-]{8,100}$/, 'an id of 8 to 100 letters, digits, - _ .'),
  until: z.number().int().nonnegative().describe('epoch milliseconds by the server; past it the command is never done'),
}
export const commandHead = z.object(head).meta({ id: 'CommandHead' })

export const bindHumanAgent = z.object({ human_agent_id: z.string().max(200), password: z.string().max(4096) })
export const useLink = z.object({ token: z.string().min(1).max(200) })
export const putPasswordBody = z.object({ current: z.string().max(4096).nullable(), next: z.string().max(4096) })

export const sendMessageBody = z.object({
  human_agent_id: z.string().max(200),
  task_id: anyId,
  receiver: z.array(anyId).max(1000),
  content: text,
  stage_relative: anyId.default('no_relative'),
  need_reply: z.boolean().default(true),
  waiting: z.boolean().default(false),
  return_waiting_id: anyId.nullish(),
})

const sha = z.string().regex(/^[0-9a-f]{64}$/)
export const postMessage = z.object({
  ...head,
  task: anyId,
  receivers: z.union([z.array(anyId).max(1000), z.literal('all')]),
  text,
  type: z.enum(['fyi', 'action', 'urgent']),
  stage: anyId.nullable(),
  answers: anyId.nullable(),
  replyTo: anyId.nullable(),
  mention: z.boolean(),
  due: z.number().int().nonnegative().nullable().default(null).describe('epoch milliseconds'),
  attachments: z
    .array(z.object({ sha, alt: z.string().max(500).optional().describe('what a picture shows') }))
    .max(10)
    .default([])
    .describe('files that were taken in before'),
})
const mime = z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,100}$/)
const fileName = z.string().min(1).max(200)
export const postAttachment = z.object({
  name: fileName,
  mime,
  // Its form is looked at when it is decoded: the check of a schema takes 0.3 s for 33 MiB.
  base64: z.string(),
  drop: z.string().min(8).max(100).optional().describe('files that carry the same are saved in one folder'),
})
export const attachmentAnswer = z.object({ sha, name: fileName, mime, bytes: z.number().int() })
export const attachmentParams = z.object({
  id: z.string().min(1).max(200),
  at: z.coerce.number().int().min(0).max(99),
})
export const attachmentBody = z.object({ name: fileName, mime, base64: z.string() })
/** As it is kept between taking in and sending. */
export const storedAttachment = z.object({
  name: fileName,
  body: z.object({ sha, bytes: z.number().int(), preview: z.string(), mime }),
  savedAs: z.string().nullable(),
})

export const postAnswer = z.object({
  ...head,
  decision: z.enum(['answer', 'approve', 'approve_edited', 'refuse', 'done', 'cannot']),
  text,
  arguments: text.nullable(),
  digest: z.string().max(200).nullable(),
  reason: z.string().max(1000).nullable().default(null),
})

export const postClaim = z.object({ ...head, reason: z.string().max(1000).nullable().default(null) })
export const postAskBack = z.object({ ...head, text })
export const postRelease = z.object({ ...head, agent: anyId, waiting: anyId, reason: z.string().max(1000) })
export const postHandOver = z.object({
  ...head,
  to: anyId,
  requests: z.union([z.array(anyId).max(500), z.literal('all')]),
  messages: z.array(anyId).max(500).optional(),
  sentence: z.string().max(1000),
  begun: z.record(anyId, text).optional(),
})
export const postSettleHandOver = z.object({ ...head, accept: z.boolean() })
export const postReminder = z.object({
  ...head,
  request: anyId.nullable().default(null),
  message: anyId.nullable().default(null),
  minutes: z.number().int().min(1).max(1440),
})

export const postReceipts = z.object({ ...head, shown: z.array(anyId).min(1).max(500) })

export const postWork = z.object({
  ...head,
  wish: text,
  pasted: text,
  files: z.array(z.object({ name: z.string().max(1000), text })).max(20),
  taken: z.array(z.object({ sha })).max(20).default([]).describe('files that were taken in before'),
})

/** "22:00" */
const clockTime = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/)

const why = { reason: z.string().max(1000).describe('recorded, and told in the chat') }
const stageWish = {
  intention: z
    .string()
    .min(1)
    .max(64 * 1024),
  allocation: z.record(anyId, z.string().max(64 * 1024)).describe('the goal of each agent, by its id'),
}
const goals = z.array(z.object(stageWish)).max(50)
export const postAct = z.object({ ...head, ...why }).meta({ id: 'Act' })
export const postReadNow = z.object({ ...head, ...why, message: anyId })
export const postTask = z.object({
  ...head,
  ...why,
  name: z.string().min(1).max(200),
  intention: z
    .string()
    .min(1)
    .max(64 * 1024),
  manager: anyId,
  members: z.array(anyId).max(1000),
  stages: goals,
})
export const postStages = z.object({ ...head, ...why, stages: goals.min(1) })
export const postRetryStage = z.object({ ...head, ...why, ...stageWish })
export const postFinishTask = z.object({
  ...head,
  ...why,
  state: z.enum(['finished', 'failed']),
  summary: z.string().max(64 * 1024),
})
export const postParticipants = z.object({
  ...head,
  ...why,
  add: z.array(anyId).max(1000),
  remove: z.array(anyId).max(1000),
})
export const postManager = z.object({ ...head, ...why, agent: anyId })

export const settings = z
  .object({
    theme: z.enum(['system', 'light', 'dark']),
    language: z.enum(['en', 'zh']),
    density: z.enum(['comfortable', 'compact']),
    textScale: z.number().min(0.5).max(3),
    hideHints: z.boolean(),
    demoAskedAt: z.number().int().nonnegative(),
    singleKeys: z.boolean(),
    keys: z.record(z.string().max(20), z.string().max(20)).refine((keys) => Object.keys(keys).length <= 60),
    sound: z.boolean(),
    askedDesktop: z.boolean(),
    rest: z.object({
      isOn: z.boolean(),
      until: z.number().int().nonnegative().nullable(),
      daily: z.object({ from: clockTime, to: clockTime, zone: z.string().max(60).optional() }).nullable(),
      urgentBreaksThrough: z.boolean(),
    }),
    levels: z
      .record(z.string().max(100), z.enum(['all', 'mentions', 'urgent']))
      .refine((levels) => Object.keys(levels).length <= 1_000, 'at most 1,000 tasks'),
    groups: z.array(z.object({ name: z.string().min(1).max(40), members: z.array(anyId).min(1).max(200) })).max(50),
  })
  .partial()
  .meta({ id: 'Settings' })

export const pushSubscription = z.object({
  endpoint: z.string().url().max(2_000),
  keys: z.object({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
  name: z.string().min(1).max(100),
})
export const postChannelTest = z.object({
  channel: z.enum(['push', 'webhook', 'email']),
  browser: z.string().min(1).max(100).optional(),
})
export const postTold = z.object({
  ...head,
  items: z.array(anyId).min(1).max(50),
  channel: z.enum(['page', 'desktop']),
})

const BESIDE_LENGTH = 64 * 1024
const beside = z
  .record(z.string().max(40), json)
  .refine((more) => JSON.stringify(more).length <= BESIDE_LENGTH, 'too much beside a draft')
export const written = z.object({ text: z.string().max(256 * 1024), more: beside.optional() })
export const putDraft = written.extend({
  version: z.number().int().nullable(),
  other: written.nullable().optional(),
})

export const statesQuery = z.object({
  type: z.enum(['task', 'stage', 'agent', 'step']),
  task: anyId.optional(),
  after: anyId.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
})
export const stepPageQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export const searchQuery = z.object({
  q: z.string().min(1).max(200),
  kind: z.enum(SEARCH_KINDS).optional(),
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(8),
})
export const searchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  task: z.string().nullable(),
  taskName: z.string(),
  title: z.string(),
  text: z.string(),
  at: when,
})
export const searchAnswer = z.object({
  hits: z.array(searchHit),
  next: z.number().int().nullable(),
  indexedTo: z.number().int(),
  head: z.number().int(),
})
export const waitsQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export const callQuery = z.object({ call: z.string().max(200).optional() })
export const idParams = z.object({ id: z.string().min(1).max(200) })
export const draftParams = z.object({
  key: z
    .string()
    .regex(
      /^((task|direct|request|by_hand):[0-9A-Za-z.-]{1,100}|(tool|act):[0-9A-Za-z_.-]{1,200})$/,
      'task:<id>, direct:<agent>, request:<id>[.<part>], by_hand:<call>, tool:<server>.<tool> or act:<what>.<id>',
    ),
})
export const readParams = z.object({
  place: z.string().regex(/^(notices|(task|direct):[0-9A-Za-z.-]{1,100})$/, 'task:<id>, direct:<agent> or notices'),
})
export const putRead = z.object({ seq: z.number().int().nonnegative(), isBack: z.boolean().optional() })

export const postLoad = z.object({
  agents: z.number().int().min(1).max(1000).default(10),
  tasks: z.number().int().min(1).max(100).default(1),
  stepsPerAgent: z.number().int().min(1).max(10_000).default(10),
  changesPerSecond: z.number().min(0).max(10_000).default(50),
  bytes: z
    .number()
    .int()
    .min(0)
    .max(64 * 1024)
    .default(0),
  seconds: z.number().min(1).max(3600).default(10),
  seed: z.number().int().default(1),
})

// ---- what goes out ----

const access = z.enum(['participant', 'operator', 'developer', 'none'])
const person = z.object({ agent_id: name, id: z.string().nullable(), name, role: name, access })

export const doneAnswer = z.object({ success: z.literal(true), message: name })
export const sentAnswer = z.object({
  success: z.literal(true),
  message: name,
  settled: z.array(z.object({ agent_id: name, request_id: name })),
})
export const bindAnswer = z.object({ success: z.literal(true), human_agent_id: name, message: name })
export const signedIn = z.object({ person, hasPassword: z.boolean() })
export const endedAnswer = z.object({ ended: z.number().int() })
export const meAnswer = z.object({
  person,
  team: z.object({ name, language: z.enum(['en', 'zh']) }),
  settings,
  hasPassword: z.boolean(),
  ladder: z
    .object({ againMs: z.number(), untilMs: z.number(), openMs: z.number(), openAgainMs: z.number() })
    .optional(),
  staleAfterMs: z.number().optional().describe('a running step that says nothing for so long is shown as stale'),
})
export const peopleAnswer = z.object({
  people: z.array(person.extend({ hasPassword: z.boolean(), sessions: z.number().int(), lastSeen: when.nullable() })),
})
export const linkAnswer = z.object({ url: name, expiresAt: when })
export const commandAnswer = z.object({ seq: z.number().int(), reply: json }).meta({ id: 'CommandAnswer' })
export const workAnswer = z.object({ seq: z.number().int(), reply: json, saved: z.array(name) })
export const workspaceEntries = z.object({
  root: name,
  entries: z.array(z.object({ path: name, kind: z.enum(['file', 'folder']), bytes: z.number() })),
  more: z.number().int(),
})
export const draftAnswer = z.object({
  text: name,
  more: z.record(z.string(), json).optional(),
  version: z.number().int().nullable(),
  other: z.string().nullable(),
  otherMore: z.record(z.string(), json).optional(),
  at: when,
})
export const readCursorAnswer = z.object({ seq: z.number().int().nullable() })
export const draftList = z.object({ drafts: z.array(z.object({ key: name, at: when, isWritten: z.boolean() })) })
export const statesAnswer = z.record(z.string(), z.looseObject({}))

const bodyRef = z.object({ sha: name, bytes: z.number().int(), preview: name, mime: name })
const modelCall = z
  .looseObject({
    id: name,
    attempt: z.number().int(),
    model: name,
    answer: bodyRef.nullable(),
    reasoning: bodyRef.optional(),
    outcome: name,
    promptTokens: z.number().int().nullable(),
    cachedTokens: z.number().int().nullish(),
    completionTokens: z.number().int().nullable(),
    reasoningTokens: z.number().int().nullish(),
    costUsd: z.number().nullable(),
    totalMs: z.number(),
    at: when,
  })
  .meta({ id: 'ModelCall' })
const stepRecord = z
  .looseObject({
    id: name,
    task: name,
    stage: z.string().nullable(),
    agent: name,
    intention: name,
    type: z.enum(['skill', 'tool']),
    executor: name,
    state: z.enum(['init', 'pending', 'running', 'finished', 'failed']),
    text: name,
    calls: z.array(modelCall),
  })
  .meta({ id: 'Step' })
const requestRecord = z
  .looseObject({
    id: name,
    task: name,
    number: z.number().int(),
    kind: name,
    asked: z.array(name),
    state: name,
    question: name,
  })
  .meta({ id: 'Request' })

export const stepAnswer = z.object({ step: stepRecord, taskName: name, agentName: name, archived: z.boolean() })
export const stepPage = z.object({ steps: z.array(stepRecord), next: z.string().nullable() })
export const leftTalkQuery = z.object({
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
/** Rows as the socket's view `direct:<agent>` has them. */
export const leftTalkPage = z.object({ rows: z.array(z.looseObject({})), next: z.number().int().nullable() })
export const archivedQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
const archivedTask = z.object({
  task: name,
  name,
  state: z.enum(['init', 'running', 'finished', 'failed']),
  summary: name.nullable(),
  endedAt: z.number().nullable(),
  archivedAt: z.number(),
  asker: name.nullable(),
  members: z.number().int(),
})
export const archivedPage = z.object({ tasks: z.array(archivedTask), next: z.string().nullable() })
export const promptAnswer = z.object({
  call: modelCall,
  sections: z.array(
    z.object({ name, role: z.enum(['system', 'user', 'assistant']), text: name, bytes: z.number().int() }),
  ),
})
export const responseAnswer = z.object({ call: modelCall, text: name, reasoning: z.string().nullable() })
export const resultAnswer = z.object({ kind: name, text: name, json })
export const emptyAnswer = z.object({}).meta({ id: 'Nothing' })
const serverState = z.enum(['idle', 'connecting', 'connected', 'failed', 'needs_sign_in'])
export const toolServersAnswer = z.object({
  servers: z.array(
    z.object({
      name,
      guide: z.string(),
      state: serverState,
      mayRun: z.boolean().describe('its tools are among those that the caller may run by hand'),
      remote: z.boolean().describe('elsewhere: one that may ask for a sign-in'),
      error: z.string().nullable(),
      signInUrl: z.string().nullable().describe('the page that a person is to open'),
    }),
  ),
})
export const toolServerAnswer = z.object({
  name,
  guide: z.string(),
  state: serverState,
  mayRun: z.boolean(),
  error: z.string().nullable(),
  tools: z.array(
    z.object({
      name,
      title: z.string().nullable(),
      description: z.string(),
      schema: json.describe('of its arguments'),
      reads: z.boolean().describe('it changes nothing, as its server says'),
      asks: z.boolean().describe('whoever runs it by hand confirms exactly what runs'),
    }),
  ),
})
export const postRunTool = z
  .object({
    ...head,
    task: anyId,
    stage: anyId.nullable().default(null),
    tool: z.string().min(1).max(200),
    arguments: z.record(z.string(), json).default({}),
    confirmed: z.boolean().default(false).describe('the caller saw exactly this and wants it'),
    reason: z.string().max(1000).default('').describe('of what was confirmed: recorded, and told in the chat'),
  })
  .meta({ id: 'RunTool' })
export const signInBegun = z.object({ url: z.string().nullable() })
export const signInAnswer = z.object({
  state: z.string().max(1000).default(''),
  code: z.string().max(4000).optional(),
  error: z.string().max(1000).optional(),
  error_description: z.string().max(4000).optional(),
})
export const signInDone = z.object({ server: z.string().optional(), failed: z.string().optional() })

export const toolAnswer = z.object({
  server: name,
  name: z.string().nullable(),
  arguments: json,
  approvedBy: z.object({ name, edited: z.boolean() }).nullable(),
  result: json,
  isError: z.boolean().nullable(),
  cut: z.boolean(),
})
export const requestAnswer = z.object({
  request: requestRecord,
  taskName: name,
  askerName: name,
  changes: z.array(name).describe('what changed since it was asked'),
  archived: z.boolean().describe('it has left the live world'),
})
const waitRow = z
  .looseObject({
    id: name,
    kind: z.literal('wait'),
    task: name,
    taskName: name,
    since: when,
    due: when.nullable(),
    what: name,
    request: z.string().nullable(),
    state: z.enum(['waiting', 'circle', 'deadEnd', 'gone']),
    isBlocked: z.boolean(),
    why: z.string().nullable(),
    circle: z.string().nullable(),
  })
  .meta({ id: 'Wait' })
export const waitsAnswer = z.object({
  waits: z.array(waitRow),
  total: z.number().int(),
  blocked: z.number().int(),
  next: z.string().nullable(),
})
export const argumentsAnswer = z.object({ json, text: name, digest: name, schema: json })
export const byHandAnswer = z.object({
  calls: z.array(
    z.object({
      id: name,
      model: name,
      agent: name,
      skill: name,
      step: name.nullable(),
      task: z.object({ id: name, name }).nullable(),
      since: z.number().int(),
      parts: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), name, text: name })),
    }),
  ),
})
export const byHandParams = z.object({ call: z.string().min(1).max(200) })
export const postByHand = z.union([
  z.strictObject({ answer: z.string().max(1_000_000) }),
  z.strictObject({ refuse: z.string().trim().min(1).max(1000) }),
])
export const taken = z.object({ taken: z.literal(true) })
export const triable = z.object({ models: z.array(name), tools: z.array(name) })
export const postTry = z.object({ kind: z.enum(['model', 'tool']), name: z.string().min(1).max(200) })
const configuredChannel = z.object({ state: z.enum(['none', 'notReady', 'ready']), to: z.string().nullable() })
export const myChannels = z
  .object({
    pushKey: name,
    browsers: z.array(z.object({ id: name, name, at: when, endpoint: name })),
    email: configuredChannel,
    webhook: configuredChannel,
    times: z.looseObject({
      ownMs: z.number(),
      noPageMs: z.number(),
      againMs: z.number(),
      untilMs: z.number(),
      raiseAgainMs: z.number(),
    }),
  })
  .meta({ id: 'MyChannels' })
export const made = z.object({ id: name })
export const triedAnswer = z.object({ ok: z.boolean(), words: name, hint: name.nullable() })
export const health = z.object({
  status: z.enum(['starting', 'ok', 'stopping', 'broken']),
  node: name,
  journal: name,
  seq: z.number().int(),
  version: name,
  rehearsal: z.boolean(),
})
export const ready = z.object({
  ready: z.boolean(),
  reasons: z.array(z.enum(['starting', 'draining', 'disk', 'store'])),
})
export const systemInfo = z.object({
  version: name,
  models: z.array(name),
  rehearsal: z.boolean(),
  limits: z.array(z.object({ name, value: z.number().nullable() })),
})
export const anyJson = z.looseObject({})
export const loadBegun = z.object({ id: name })
export const loadProgress = z.object({
  id: name,
  state: z.enum(['running', 'finished', 'failed']),
  entries: z.number().int(),
  seconds: z.number(),
  reason: z.string().nullable(),
})

/** What the console sends must be something that the schema takes: a drift stops the build here. */
type Accepts<Sent, Schema extends z.ZodType> = Sent extends z.input<Schema> ? true : never
export const consoleBodiesAreAccepted: [
  Accepts<CommandHead, typeof commandHead>,
  Accepts<BindHumanAgent, typeof bindHumanAgent>,
  Accepts<UseLink, typeof useLink>,
  Accepts<PutPassword, typeof putPasswordBody>,
  Accepts<PostMessage, typeof postMessage>,
  Accepts<PostAnswer, typeof postAnswer>,
  Accepts<PostReceipts, typeof postReceipts>,
  Accepts<PostWork, typeof postWork>,
  Accepts<Settings, typeof settings>,
  Accepts<PutDraft, typeof putDraft>,
  Accepts<PutRead, typeof putRead>,
  Accepts<PostClaim, typeof postClaim>,
  Accepts<PostAskBack, typeof postAskBack>,
  Accepts<PostRelease, typeof postRelease>,
  Accepts<PostHandOver, typeof postHandOver>,
  Accepts<PostSettleHandOver, typeof postSettleHandOver>,
  Accepts<PostReminder, typeof postReminder>,
  Accepts<PushSubscription, typeof pushSubscription>,
  Accepts<PostChannelTest, typeof postChannelTest>,
  Accepts<PostTold, typeof postTold>,
  Accepts<PostAct, typeof postAct>,
  Accepts<PostReadNow, typeof postReadNow>,
  Accepts<PostTask, typeof postTask>,
  Accepts<PostStages, typeof postStages>,
  Accepts<PostRetryStage, typeof postRetryStage>,
  Accepts<PostFinishTask, typeof postFinishTask>,
  Accepts<PostParticipants, typeof postParticipants>,
  Accepts<PostManager, typeof postManager>,
  Accepts<PostRunTool, typeof postRunTool>,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
]

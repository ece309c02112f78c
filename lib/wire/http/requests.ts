/** Requests to people: reading, claiming, answering, transferring one; the waits behind them. */
import * as z from 'zod'
import { requestCommands } from '../../mas/asks/commands/schemas'
import { REQUEST_KINDS } from '../../mas/asks/records'
import type { Change } from '../../mas/asks/requests'
import type { RequestRecord } from '../../mas/records'
import { goal, MOST_STAGES, stageSpec } from '../../mas/tasks/commands/schemas'
import { INBOX_GROUPS, type RequestRow, type WaitRow } from '../rows'
import { anyId, commandFields, count, json, longText, typed, when } from './common'

const planStage = z.strictObject({
  name: z.string().max(200).optional(),
  intention: stageSpec.shape.intention.describe('the goal of the stage'),
  allocation: z.record(anyId, goal).describe('the goal of each agent'),
  needs: z.record(anyId, z.array(anyId)).optional().describe('whose results each part needs first'),
})

const requestRecord = typed<RequestRecord>()(
  z
    .looseObject({
      id: z.string(),
      task: z.string(),
      number: count.nullable(),
      kind: z.string(),
      asked: z.array(z.string()),
      state: z.string(),
      question: z.string(),
    })
    .meta({ id: 'Request' }),
)

/**
 * GET /api/requests?state=&for=&task=&kind=&asker=&after=&limit=
 *
 * state   over: answered, released, expired or replaced
 * for     `me` or a person: requests to them; absent: all that the caller may read
 * asker   an agent, or `system:task` for what a task asks by itself
 */
export const requestsQuery = z.object({
  state: z.enum(['open', 'over', 'all']).default('open'),
  for: anyId.optional(),
  task: anyId.optional(),
  kind: z.enum(REQUEST_KINDS).optional(),
  asker: anyId.optional(),
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export const requestRow = typed<RequestRow>()(
  z
    .looseObject({
      id: z.string(),
      kind: z.literal('request'),
      group: z.enum([...INBOX_GROUPS, 'done']),
      request: requestRecord,
      taskName: z.string(),
      changed: z.boolean().describe('what it was about is not what it was when it was asked'),
    })
    .meta({ id: 'RequestRow' }),
)
/** Oldest first. next: `after` of the next page, null: there is none. */
export const requestsAnswer = z.object({ requests: z.array(requestRow), total: count, next: count.nullable() })

/** GET /api/requests/<id> */
export const requestAnswer = z.object({
  request: requestRecord,
  taskName: z.string(),
  askerName: z.string(),
  changes: z.array(typed<Change>()(z.string())).describe('what changed since it was asked'),
  archived: z.boolean().describe('it has left the live world'),
  opened: z.literal(true).optional().describe('its task was opened from a file'),
})
export type RequestAnswerBody = z.infer<typeof requestAnswer>

/** GET /api/requests/<id>/arguments: exactly the call that would run; ran: the call that ran instead, if it was approved with changes. */
export const argumentsAnswer = z.object({
  json,
  text: z.string(),
  digest: z.string(),
  schema: json,
  ran: z.object({ json, text: z.string() }).nullable(),
})
export type ArgumentsAnswer = z.infer<typeof argumentsAnswer>

/** The body of a command about a request: all but the request. */
const aboutRequest = { request: true } as const
/** `arguments` of a plan, as JSON text: its stages. An agent may be named by any form of its id. */
export const postedPlan = z.object({ stages: z.array(planStage).min(1).max(MOST_STAGES) })

/** POST /api/requests/<id>/answer. arguments: edited ones as JSON text. */
export const postAnswer = z.object({
  ...commandFields,
  ...requestCommands.answerRequest.omit(aboutRequest).shape,
  arguments: longText.nullable(),
})
/** POST /api/requests/<id>/claim */
export const postUrge = z.object(commandFields)
export const postClaim = z.object({ ...commandFields, ...requestCommands.claimRequest.omit(aboutRequest).shape })
/** POST /api/requests/<id>/ask_back */
export const postAskBack = z.object({ ...commandFields, ...requestCommands.askBack.omit(aboutRequest).shape })

/** POST /api/hand_overs */
export const postHandOver = z.object({ ...commandFields, ...requestCommands.handOver.shape, to: anyId })
export type PostHandOver = z.input<typeof postHandOver>
/** POST /api/hand_overs/<id> */
export const postSettleHandOver = z.object({
  ...commandFields,
  ...requestCommands.settleHandOver.omit({ handOver: true }).shape,
})

const { about, minutes } = requestCommands.remindMe.shape
const [ofRequest, ofMessage] = about.options
/** POST /api/reminders: of a request or of a message, one of the two. */
export const postReminder = z.object({
  ...commandFields,
  request: ofRequest.shape.request.nullable().default(null),
  message: ofMessage.shape.message.nullable().default(null),
  minutes,
})

/** POST /api/waits/release */
export const postRelease = z.object({ ...commandFields, ...requestCommands.releaseWait.shape, agent: anyId })

/** GET /api/waits?after=<cursor>&limit= */
export const waitsQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
const waitRow = typed<WaitRow>()(
  z
    .looseObject({
      id: z.string(),
      kind: z.literal('wait'),
      task: z.string(),
      taskName: z.string(),
      since: when,
      due: when.nullable(),
      what: z.string(),
      request: z.string().nullable(),
      state: z.enum(['waiting', 'circle', 'deadEnd', 'gone']),
      isBlocked: z.boolean(),
      why: z.string().nullable(),
      circle: z.string().nullable(),
    })
    .meta({ id: 'Wait' }),
)
export const waitsAnswer = z.object({
  waits: z.array(waitRow),
  total: count,
  blocked: count,
  next: z.string().nullable(),
})

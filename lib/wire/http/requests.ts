/** Requests to people: reading, claiming, answering, transferring one; the waits behind them. */
import * as z from 'zod'
import type { MessageId, RequestId, WaitingId } from '../../mas/ids'
import type { RequestKind, RequestRecord } from '../../mas/records'
import type { Change } from '../../mas/selectors/requests/requests'
import { INBOX_GROUPS, type RequestRow, type WaitRow } from '../rows'
import { anyId, commandFields, count, idOf, json, longText, optionalReason, typed, when } from './common'

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

const REQUEST_KINDS = ['answer', 'part', 'confirm', 'limit', 'judge', 'tool'] as const satisfies RequestKind[]

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
const requestRow = typed<RequestRow>()(
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

/** POST /api/requests/<id>/answer. arguments: edited ones as JSON text; reason: needed from an operator who was not asked. */
export const postAnswer = z.object({
  ...commandFields,
  decision: z.enum(['answer', 'approve', 'approve_edited', 'refuse', 'done', 'cannot']),
  text: longText,
  arguments: longText.nullable(),
  digest: z.string().max(200).nullable(),
  reason: optionalReason,
})

/** POST /api/requests/<id>/claim. reason: why it is taken over from the person who has claimed it. */
export const postClaim = z.object({ ...commandFields, reason: optionalReason })

/** POST /api/requests/<id>/ask_back */
export const postAskBack = z.object({ ...commandFields, text: longText })

/**
 * POST /api/hand_overs
 *
 * requests   'all': all requests to me except parts of stages
 * messages   absent: with 'all', all unsettled messages of people to me; else none
 * begun      my drafts of answers, by request
 */
export const postHandOver = z.object({
  ...commandFields,
  to: anyId,
  requests: z.union([z.array(idOf<RequestId>()).max(500), z.literal('all')]),
  messages: z.array(idOf<MessageId>()).max(500).optional(),
  sentence: z.string().max(1000),
  begun: z.record(idOf<RequestId>(), longText).optional(),
})
export type PostHandOver = z.input<typeof postHandOver>

/** POST /api/hand_overs/<id> */
export const postSettleHandOver = z.object({ ...commandFields, accept: z.boolean() })

/** POST /api/reminders: of a request or of a message, one of the two. minutes: 0 ends a reminder: it is due now. */
export const postReminder = z.object({
  ...commandFields,
  request: idOf<RequestId>().nullable().default(null),
  message: idOf<MessageId>().nullable().default(null),
  minutes: z.number().int().min(0).max(1440),
})

/** POST /api/waits/release */
export const postRelease = z.object({
  ...commandFields,
  agent: anyId,
  waiting: idOf<WaitingId>(),
  reason: z.string().max(1000),
})

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

/** Messages and deliveries, drafts, how far a person has read, conversations that left the live world. */

import * as z from 'zod'
import { messageCommands } from '../../mas/commands/schemas'
import type { RequestId } from '../../mas/ids'
import type { RecordRow } from '../records'
import { anyId, anyValue, commandFields, count, idOf, longText, sha, typed, when } from './common'
import { fileName } from './files'

/** POST /api/send_message, as the documents fix it. */
export const sendMessageBody = z.object({
  human_agent_id: z.string().max(200),
  task_id: anyId,
  receiver: z.array(anyId).max(1000),
  content: longText,
  stage_relative: anyId.default('no_relative'),
  need_reply: z.boolean().default(true),
  waiting: z.boolean().default(false),
  return_waiting_id: anyId.nullish(),
})

/** settled: the requests that the message answered, by who had asked. */
export const sentAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  settled: z.array(z.object({ agent_id: z.string(), request_id: z.string() })),
})

const { kind, ...messageFields } = messageCommands.sendMessage.shape
/** POST /api/messages. One message per receiver under one dispatch. receivers 'all': everyone in the task but me. */
export const postMessage = z.object({
  ...commandFields,
  ...messageFields,
  type: kind,
  task: anyId,
  receivers: z.union([z.array(anyId).max(1000), z.literal('all')]),
  stage: anyId.nullable(),
  answers: idOf<RequestId>().nullable(),
  attachments: z
    .array(
      z.object({
        sha,
        name: fileName.optional().describe('where it is another than that of its upload'),
        alt: z.string().max(500).optional().describe('what a picture shows'),
      }),
    )
    .max(10)
    .default([])
    .describe('files that were taken in before'),
})
export type PostMessage = z.input<typeof postMessage>

/** POST /api/receipts */
export const postReceipts = z.object({ ...commandFields, shown: messageCommands.markShown.shape.messages })

const ATTACHED_LENGTH = 64 * 1024
const attachedDraft = z
  .record(z.string().max(40), anyValue)
  .refine((more) => JSON.stringify(more).length <= ATTACHED_LENGTH, 'too much beside a draft')
const writtenText = z.object({ text: z.string().max(256 * 1024), more: attachedDraft.optional() })

/** Of /api/drafts/<key>. */
export const draftParams = z.object({
  key: z
    .string()
    .regex(
      /^((task|direct|request|by_hand):[0-9A-Za-z.-]{1,100}|(tool|act):[0-9A-Za-z_.-]{1,200})$/,
      'task:<id>, direct:<agent>, request:<id>[.<part>], by_hand:<call>, tool:<server>.<tool> or act:<what>.<id>',
    ),
})

/** PUT /api/drafts/<key>. more: what was chosen beside the text; other: set aside; null: nothing; absent: the server's. */
export const putDraft = writtenText.extend({ version: count.nullable(), other: writtenText.nullable().optional() })
export type PutDraft = z.input<typeof putDraft>

/** GET and PUT /api/drafts/<key>. version null: none yet. other: a text written on another device meanwhile. */
export const draftAnswer = z.object({
  text: z.string(),
  more: z.record(z.string(), anyValue).optional(),
  version: count.nullable(),
  other: z.string().nullable(),
  otherMore: z.record(z.string(), anyValue).optional(),
  at: when,
})
export type DraftAnswer = z.infer<typeof draftAnswer>

/** GET /api/drafts. isWritten: a text, files or a form, more than receivers alone. */
export const draftList = z.object({
  drafts: z.array(z.object({ key: z.string(), at: when, isWritten: z.boolean() })),
})
export type DraftList = z.infer<typeof draftList>

/** Of /api/read/<place>. */
export const readParams = z.object({
  place: z.string().regex(/^(notices|task:[0-9A-Za-z.-]{1,100})$/, 'task:<id> or notices'),
})

/** PUT /api/read/<place>. isBack: entries after seq become unread again. */
export const putRead = z.object({ seq: z.number().int().nonnegative(), isBack: z.boolean().optional() })
export type PutRead = z.input<typeof putRead>

/** GET and PUT /api/read/<place>. seq null: never there. */
export const readCursor = z.object({ seq: count.nullable() })
export type ReadCursor = z.infer<typeof readCursor>

/** GET /api/direct/<agent>/left: records as in the socket's view `task:<talk>`. next: `before` of the next page. */
export const pastMessagesQuery = z.object({
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export const pastMessagesPage = z.object({
  rows: z.array(typed<RecordRow>()(z.looseObject({}))),
  next: count.nullable(),
})
export type PastMessagesPage = z.infer<typeof pastMessagesPage>

/** GET /api/me/data: what the system holds about its caller, as one file. Times are epoch ms. */
import * as z from 'zod'
import { mySession, myToken, settings } from './account'
import { myChannels } from './channels'
import { access, count, when } from './common'
import { draftAnswer } from './messages'

const account = z.object({
  agent_id: z.string(),
  id: z.string().nullable(),
  name: z.string(),
  role: z.string(),
  profile: z.string(),
  access,
  groups: z.array(z.string()),
  createdAt: when,
  hasPassword: z.boolean(),
})

/** Of a file its name and size; savedAs: its path in the workspace. */
const namedFile = z.object({ name: z.string(), savedAs: z.string().nullable(), mime: z.string(), bytes: count })
const named = z.object({ id: z.string(), name: z.string() })
/** seq: of the entry in the journal. */
const fact = { seq: count, at: when, id: z.string(), task: named }

/** passed: it was for somebody else, who handed it over or could not be reached. */
const message = z.object({
  ...fact,
  what: z.literal('message'),
  from: named,
  to: z.array(named),
  text: z.string(),
  replyTo: z.string().nullable(),
  attachments: z.array(namedFile),
  passed: z.boolean(),
})
const request = z.object({
  ...fact,
  what: z.literal('request'),
  kind: z.string(),
  from: named,
  question: z.string(),
  choices: z.array(z.string()),
  call: z.object({ server: z.string(), tool: z.string(), changes: z.string() }).nullable(),
  passed: z.boolean(),
})
/** An answer of theirs, or one that an operator gave for them. id: of the request */
const answer = z.object({
  ...fact,
  what: z.literal('answer'),
  from: named,
  for: named.nullable(),
  decision: z.string(),
  text: z.string(),
  arguments: z.string().nullable().describe('of a changed call, its first characters'),
})
/** A message or request offered by them, or to them. id: of it; begun: the answer that had been started */
const offer = z.object({
  ...fact,
  what: z.literal('offer'),
  from: named,
  to: named,
  text: z.string(),
  begun: z.string().nullable(),
})
const myDataItem = z.discriminatedUnion('what', [message, request, answer, offer])
export type MyDataItem = z.infer<typeof myDataItem>

/** history: in the order of the journal. */
export const myData = z
  .object({
    account,
    settings,
    sessions: z.array(mySession),
    tokens: z.array(myToken).describe('personal access tokens, without their secrets'),
    providers: z
      .array(z.object({ provider: z.string(), issuer: z.string(), subject: z.string() }))
      .describe('by which they sign in; subject: as that provider knows them'),
    endedSessions: z
      .array(
        mySession
          .pick({ id: true, browser: true, address: true, since: true })
          .extend({ token: z.string().nullable(), endedAt: when }),
      )
      .describe('for 90 days; token: the name of a personal access token'),
    channels: myChannels
      .omit({ pushKey: true, times: true })
      .extend({ browsers: z.array(z.object({ name: z.string(), service: z.string(), at: when })) })
      .nullable()
      .describe('without keys and addresses that are secrets'),
    read: z.array(z.object({ place: z.string(), seq: count.nullable(), at: when })),
    uploads: z.array(namedFile.extend({ at: when })),
    schedules: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        text: z.string(),
        cron: z.string(),
        timeZone: z.string(),
        attachments: z.array(namedFile),
        createdAt: when,
      }),
    ),
    drafts: z.array(draftAnswer.extend({ key: z.string() })),
    history: z.array(myDataItem),
  })
  .meta({ id: 'MyData' })
export type MyData = z.infer<typeof myData>

/** Signing in and out, my settings, my password, the accounts that operators look after. */
import * as z from 'zod'
import { isTimeZone } from '../../format/timeZones'
import type { AgentId } from '../../mas/ids'
import { INBOX_KINDS, MOST_VIEWS, VIEW_NAME_LENGTH } from '../inboxFilter'
import { LEVELS } from '../levels'
import { SCOPES } from '../scopes'
import { access, anyId, count, language, typed, when } from './common'

/** POST /api/bind_human_agent */
export const bindHumanAgent = z.object({ human_agent_id: z.string().max(200), password: z.string().max(4096) })
export const bindAnswer = z.object({
  success: z.literal(true),
  human_agent_id: typed<AgentId>()(z.string()),
  message: z.string(),
})
export type BindAnswer = z.infer<typeof bindAnswer>

/** POST /api/sessions/link: the token of a sign-in link (`/login#link=<token>`); it works once. */
export const useLink = z.object({ token: z.string().min(1).max(200) })

const person = z.object({
  agent_id: typed<AgentId>()(z.string()),
  id: z.string().nullable(),
  name: z.string(),
  role: z.string(),
  access,
})
export const signedIn = z.object({ person, hasPassword: z.boolean() })
export type SignedIn = z.infer<typeof signedIn>

/** POST /api/sessions/confirm: the caller's password, typed again. until: how long that counts. */
export const postConfirm = z.object({ password: z.string().max(4096) })
export const confirmed = z.object({ until: when })
export type Confirmed = z.infer<typeof confirmed>

/** GET /api/me/sessions. browser: as it names itself; address: where the sign-in came from; null: not known. */
export const mySession = z.object({
  id: z.string(),
  browser: z.string().nullable(),
  address: z.string().nullable(),
  since: when,
  lastSeen: when,
  expiresAt: when,
  isThis: z.boolean(),
})
export type MySession = z.infer<typeof mySession>
export const mySessions = z.object({ sessions: z.array(mySession) })
export type MySessions = z.infer<typeof mySessions>

/** GET /api/me/tokens. lastUsed: null: never */
const scopes = z.array(z.enum(SCOPES))
export const myToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes,
  since: when,
  lastUsed: when.nullable(),
  expiresAt: when,
})
export type MyToken = z.infer<typeof myToken>
export const myTokens = z.object({ tokens: z.array(myToken) })
export type MyTokens = z.infer<typeof myTokens>

/** POST /api/me/tokens. days: until it expires */
const TOKEN_NAME_LENGTH = 60
const MOST_TOKEN_DAYS = 366
export const postToken = z.object({
  name: z.string().trim().min(1).max(TOKEN_NAME_LENGTH),
  scopes: scopes.min(1),
  days: z.number().int().min(1).max(MOST_TOKEN_DAYS),
})
export type PostToken = z.infer<typeof postToken>
export const madeToken = z.object({ token: z.string().describe('shown only here') })
export type MadeToken = z.infer<typeof madeToken>

/** GET /api/sign-in. passwords: false: nobody signs in by a password */
const provider = z.object({ id: z.string(), name: z.string() })
export const waysToSignIn = z.object({ passwords: z.boolean(), providers: z.array(provider) })
export type WaysToSignIn = z.infer<typeof waysToSignIn>

/** GET /api/sign-in/<id>. again: 1: the provider asks the person again who they are, though they are signed in there */
export const signInQuery = z.object({ back: z.string().max(2_000).optional(), again: z.literal('1').optional() })
/** to: where the browser is sent, as in `Location` */
export const sentTo = z.object({ to: z.string() })

/** POST /api/sessions/end and POST /api/people/<id>/sign-out. */
export const sessionsEnded = z.object({
  ended: count,
  next: z.string().optional().describe('where the browser signs out of the provider of its session too'),
})
export type SessionsEnded = z.infer<typeof sessionsEnded>

/** PUT /api/me/password. `current` is needed when there is a password. */
export const putPassword = z.object({ current: z.string().max(4096).nullable(), next: z.string().max(4096) })

/** "22:00" */
const clockTime = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/)

/**
 * Do not disturb.
 *
 * isOn       switched on by hand; until: epoch ms at which that ends, null: until it is switched off
 * daily      from and to as "22:00" in the member's own time, over midnight too. zone: that time's IANA name, for when
 *            none of their pages is open
 */
const dndSettings = z.object({
  isOn: z.boolean(),
  until: z.number().int().nonnegative().nullable(),
  daily: z.object({ from: clockTime, to: clockTime, zone: z.string().max(60).optional() }).nullable(),
  urgentBreaksThrough: z.boolean(),
})
export type DndSettings = z.infer<typeof dndSettings>

const inboxView = z.object({
  name: z.string().trim().min(1).max(VIEW_NAME_LENGTH),
  filter: z
    .object({ task: anyId, from: anyId, kind: z.enum(INBOX_KINDS), snoozed: z.literal(true) })
    .partial()
    .strict(),
})
export type InboxView = z.infer<typeof inboxView>

/**
 * PUT /api/me/settings: every field is optional.
 *
 * timeZone        the IANA name of the member's time zone; null: that of their browser
 * keys            single keys by the action of the page that they do; '' switches one off
 * sound           false: no sounds
 * askedDesktop    the member was asked whether they want desktop notices, and answered
 * levels          which messages of a task alert the member, by task id; absent: mentions
 * senders         the same by the id of who asks, in every task; it counts before the task's
 * groups          members that are addressed together
 * views           filters of the inbox under a name, in the order in which they were saved
 */
export const settings = z
  .object({
    theme: z.enum(['system', 'light', 'dark']),
    language,
    density: z.enum(['comfortable', 'compact']),
    textScale: z.number().min(0.5).max(3),
    timeZone: z.string().max(60).refine(isTimeZone, 'no such time zone').nullable(),
    hideHints: z.boolean(),
    singleKeys: z.boolean(),
    keys: z.record(z.string().max(20), z.string().max(20)).refine((keys) => Object.keys(keys).length <= 60),
    sound: z.boolean(),
    askedDesktop: z.boolean(),
    rest: dndSettings,
    levels: z
      .record(z.string().max(100), z.enum(LEVELS))
      .refine((levels) => Object.keys(levels).length <= 1_000, 'at most 1,000 tasks'),
    senders: z
      .record(z.string().max(100), z.enum(LEVELS))
      .refine((senders) => Object.keys(senders).length <= 1_000, 'at most 1,000 members'),
    groups: z.array(z.object({ name: z.string().min(1).max(40), members: z.array(anyId).min(1).max(200) })).max(50),
    views: z.array(inboxView).max(MOST_VIEWS),
  })
  .partial()
  .meta({ id: 'Settings' })
export type Settings = z.infer<typeof settings>

/** GET /api/me. ladder: repeats of alerts, ms. Absent fields: the page's own defaults. */
export const meAnswer = z.object({
  person,
  team: z.object({ name: z.string(), language }),
  settings,
  hasPassword: z.boolean(),
  passwords: z.boolean().describe('false: nobody signs in by a password'),
  provider: provider.nullable().describe('by which this session was begun'),
  ladder: z
    .object({ againMs: z.number(), untilMs: z.number(), openMs: z.number(), openAgainMs: z.number() })
    .optional(),
  staleAfterMs: z.number().optional().describe('a running step that says nothing for so long is shown as stale'),
})
export type Me = z.infer<typeof meAnswer>

/** GET /api/people (operators). */
const personInfo = person.extend({
  hasPassword: z.boolean(),
  sessions: count,
  tokens: count.describe('personal access tokens that are not over'),
  lastSeen: when.nullable(),
  drafts: count.describe('unsent drafts with words in them'),
  providers: z.array(z.string()).describe('by which the person signs in, by name'),
})
export type PersonInfo = z.infer<typeof personInfo>
export const peopleAnswer = z.object({ people: z.array(personInfo) })
export type PeopleAnswer = z.infer<typeof peopleAnswer>

/** POST /api/people/<id>/link and /reset: signs that person in, once: within 15 minutes, or 7 days where there is no password. */
export const linkAnswer = z.object({
  url: z.string(),
  expiresAt: when,
  onlyHere: z.boolean().describe('the address leads nowhere on another machine'),
})
export type LinkAnswer = z.infer<typeof linkAnswer>

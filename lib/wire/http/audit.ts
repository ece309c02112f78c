/** What people did, for operators. */
import * as z from 'zod'
import { LANGUAGES } from '../../language'
import { ACT_KINDS } from '../acts'

const time = z.coerce.number().int().nonnegative()
export const auditQuery = z.object({
  from: time.optional().describe('epoch ms, included'),
  to: time.optional().describe('epoch ms, not included'),
  who: z.string().max(200).optional().describe('a person'),
  act: z.enum(ACT_KINDS).optional(),
  task: z.string().max(200).optional(),
  after: time.optional().describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  language: z.enum(LANGUAGES).default('en').describe('of the words'),
  format: z.enum(['csv', 'json']).optional().describe('all rows as a file, instead of a page'),
})

const auditRow = z.object({
  seq: z.number().describe('of the entry in the journal'),
  at: z.number().describe('epoch ms'),
  who: z.object({ id: z.string(), name: z.string() }),
  kind: z.enum(ACT_KINDS),
  what: z.string(),
  task: z.object({ id: z.string(), name: z.string() }).nullable(),
  session: z
    .object({
      id: z.string(),
      address: z.string().nullable(),
      browser: z.string().nullable(),
      token: z.string().nullable().describe('the name of a personal access token; null: done in a browser'),
    })
    .nullable()
    .describe('null: in none, or not recorded. address, browser: null: not known, or over for 90 days'),
})
export type AuditRow = z.infer<typeof auditRow>
export const auditPage = z.object({
  rows: z.array(auditRow).describe('the newest first; a decision is never cut, so there may be more than `limit`'),
  next: z.number().nullable().describe('a page may be short; null: it was the last one'),
})
export type AuditPage = z.infer<typeof auditPage>

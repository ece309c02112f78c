/** What several sections of the HTTP interface share: ids, times, the head of a command, refusals. */
import * as z from 'zod'
import { LANGUAGES } from '@/lib/language'
import { anyValue, count, json } from '../../mas/setup/schemas/fields'
import { ACCESS_LEVELS } from '../../mas/team/abilities'

export { anyId, anyValue, count, idOf, json, longText, sha, typed } from '../../mas/setup/schemas/fields'

export const when = z.number().describe('epoch milliseconds')
export const language = z.enum(LANGUAGES)
export const access = z.enum([...ACCESS_LEVELS, 'none'])
export const promptRole = z.enum(['system', 'user', 'assistant', 'tool'])
export const executionState = z.enum(['init', 'running', 'finished', 'failed'])

export const refusalBody = z
  .object({
    error: z.string(),
    message: z.string(),
    status_code: count,
    details: anyValue.optional(),
    success: z.literal(false).optional(),
  })
  .meta({ id: 'Refusal' })

/** Every command carries an id made by the page, and `until`: server time from the last beat plus 30 s. */
export const commandFields = {
  // No colon: ids with one are the program's own, and some can be computed.
  id: z.string().regex(/^[A-Za-z0-9_.-]{8,100}$/, 'an id of 8 to 100 letters, digits, - _ .'),
  until: z.number().int().nonnegative().describe('epoch milliseconds by the server; past it the command is never done'),
}
export const commandHead = z.object(commandFields).meta({ id: 'CommandHead' })
export type CommandHead = z.input<typeof commandHead>

export const commandAnswer = z.object({ seq: count, reply: json }).meta({ id: 'CommandAnswer' })
export type CommandAnswer = z.infer<typeof commandAnswer>

export const idParams = z.object({ id: z.string().min(1).max(200) })
export const madeAnswer = z.object({ id: z.string() })
export type MadeAnswer = z.infer<typeof madeAnswer>
export const emptyBody = z.object({}).meta({ id: 'Nothing' })
export const anyObject = z.looseObject({})

/** What several sections of the HTTP interface share: ids, times, the head of a command, refusals. */
import * as z from 'zod'
import { LANGUAGES } from '@/lib/language'
import type { Json } from '../../mas/records'

/**
 * Give a schema a narrower type than the one zod infers: a branded id, or a whole record of which the document names
 * only the fields that other programs may rely on.
 *
 * out     the same schema
 */
export const typed =
  <T>() =>
  <S extends z.ZodType>(schema: S & (T extends z.output<S> ? unknown : never)): z.ZodType<T, T> => {
    const wide: z.ZodType = schema
    return wide as z.ZodType<T, T>
  }

/** A uuid, a configured id or a prefixed StateID: what a caller may name a record by. */
export const anyId = z.string().min(1).max(200)
/** One of a record that is looked for as it is. */
export const idOf = <Id extends string>(): z.ZodType<Id, Id> => {
  const wide: z.ZodType = anyId
  return wide as z.ZodType<Id, Id>
}
export const longText = z.string().max(16 * 1024 * 1024)
export const when = z.number().describe('epoch milliseconds')
export const count = z.number().int()
export const anyValue = z.unknown().meta({ description: 'any JSON value' })
export const json = typed<Json>()(anyValue)
export const sha = z.string().regex(/^[0-9a-f]{64}$/)
export const language = z.enum(LANGUAGES)
export const access = z.enum(['participant', 'operator', 'developer', 'none'])
export const promptRole = z.enum(['system', 'user', 'assistant'])
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

/** A reason that is optional in the body and null when absent. */
export const optionalReason = z.string().max(1000).nullable().default(null)

export const idParams = z.object({ id: z.string().min(1).max(200) })
export const madeAnswer = z.object({ id: z.string() })
export type MadeAnswer = z.infer<typeof madeAnswer>
export const emptyBody = z.object({}).meta({ id: 'Nothing' })
export const anyObject = z.looseObject({})

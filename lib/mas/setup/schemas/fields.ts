/** Fields that the schemas of the set-up and of commands share. Only the server runs these schemas; others import their types. */
import * as z from 'zod'
import type { Json } from '../../records/values'
import { ADDRESS_LENGTH, HEADER_NAME, isHttpAddress, isKeylessAddress, isWebAddress, SETUP_ID } from '../setupFields'

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
export const count = z.number().int()
export const anyValue = z.unknown().meta({ description: 'any JSON value' })
export const json = typed<Json>()(anyValue)
export const sha = z.string().regex(/^[0-9a-f]{64}$/)

/** A uuid is made from an id; one that looks like a uuid could be taken for another's. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Of an agent, a person, a model, a tool server, a group. */
export const setupId = z
  .string()
  .regex(SETUP_ID, 'an id has letters, digits, "_", "-" and ".", 64 at most')
  .refine((text) => !UUID.test(text), 'an id may not look like a uuid: those are made from it')
export const shortText = z.string().trim().min(1, 'may not be empty').max(200)
export const setupText = z.string().max(65_536)

/** The name of an environment variable. A pasted secret is rejected by its form. */
export const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of an environment variable, not the secret itself')
/** env: the name of an environment variable. stored: the id of a key entered in the page; the key itself is in the accounts. */
export const keyRef = z.union([
  z.strictObject({ env: variable }),
  z.strictObject({ stored: z.string().min(1).max(64) }),
])
export type KeyRef = z.infer<typeof keyRef>

/** Of an HTTP header. */
export const headerName = z.string().regex(HEADER_NAME, 'is not the name of a header')
const httpAddress = z
  .string()
  .max(ADDRESS_LENGTH)
  .refine(isHttpAddress, { error: 'must be an address that begins with http:// or https://', abort: true })
export const webAddress = httpAddress.refine(isWebAddress, 'holds a name or password')
/** Of a model or a tool server. It is shown in the console and in errors. */
export const keylessAddress = httpAddress.refine(isKeylessAddress, {
  error: 'holds a secret',
  params: { hint: 'A key has a field of its own: key_env of a model, headers of a tool server.' },
})

/** null: left out. */
export const orNone = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)

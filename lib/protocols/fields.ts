/** Fields that several protocols have. */
import * as z from 'zod/mini'
import { fieldsIn } from '@/lib/json'

/** Longest id or name. */
export const NAME_MAX = 512
export const Name = z.string().check(z.minLength(1), z.maxLength(NAME_MAX))

/** The id or name in a field of any value; null: there is none. */
export function nameIn(value: unknown, key: string): string | null {
  const found = fieldsIn(value)[key]
  return typeof found === 'string' && found !== '' && found.length <= NAME_MAX ? found : null
}

/** ISO 8601 with a date and a time; without an offset it is local. */
export const Timestamp = z.string().check(
  z.maxLength(64),
  z.refine((text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && Number.isFinite(Date.parse(text)), {
    error: 'not an ISO 8601 date and time',
  }),
)

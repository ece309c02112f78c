import * as z from 'zod/mini'

/** ISO 8601 with a date and a time; without an offset it is local. */
export const Timestamp = z.string().check(
  z.maxLength(64),
  z.refine((text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && Number.isFinite(Date.parse(text)), {
    error: 'not an ISO 8601 date and time',
  }),
)

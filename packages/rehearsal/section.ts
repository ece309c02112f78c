/** The section `rehearsal` of the configuration file. */
import { z } from 'zod'
import { orNone, setupId } from '@/lib/mas/setup/schemas/fields'
import { inUnit } from '@/server/config/fileKeys'

export const rehearsalSection = z
  .strictObject({
    /** Before each chunk of text. */
    delayMs: inUnit('ms', z.number().int().min(0).max(10_000).default(15)),
    /** Faults injected for tests, at the n-th call, counted from 1. */
    faults: z
      .array(
        z.strictObject({
          call: z.number().int().positive(),
          kind: z.enum(['malformed', 'slow', 'rate_limited']),
          agent: orNone(setupId),
        }),
      )
      .default([]),
    load: z.boolean().default(false),
  })
  .prefault({})

declare module '@/server/shared/packages' {
  interface PackageSections {
    rehearsal: z.infer<typeof rehearsalSection>
  }
}

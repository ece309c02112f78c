/** Why an envelope did not arrive: a code and its values, shown in the reader's language. */
import * as z from 'zod'

/** says: the message of the peer or network. */
export const unsentReason = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['noAddress', 'notConnected', 'noWay', 'toBeFetched']) }),
  z.object({ code: z.literal('answered'), status: z.number().int(), says: z.string() }),
  z.object({ code: z.literal('private'), host: z.string() }),
  z.object({ code: z.literal('late'), seconds: z.number() }),
  z.object({ code: z.literal('network'), says: z.string() }),
])

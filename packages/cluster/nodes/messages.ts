/** What nodes say to each other: one line of JSON each. Both ends have the same key and are versions of the same program. */
import * as z from 'zod'
import type { Command, Envelope } from '@/lib/mas/commands/command'
import type { ForwardedAnswer, NodeNote } from '@/server/nodes'

const object = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null)
const body = z
  .object({ sha: z.string(), mime: z.string(), base64: z.string() })
  .transform(({ sha, mime, base64 }) => ({ sha, mime, bytes: Buffer.from(base64, 'base64') }))

export const toDecider = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('command'),
    n: z.number(),
    id: z.string(),
    by: z.string(),
    session: z.string().optional(),
    until: z.number().optional(),
    command: object<Command>(),
    bodies: z.array(body).optional(),
  }),
  z.object({ is: z.literal('note'), note: object<NodeNote>() }),
])

export const toFollower = z.discriminatedUnion('is', [
  z.object({ is: z.literal('answer'), n: z.number(), answer: object<NonNullable<ForwardedAnswer>>().nullable() }),
  z.object({ is: z.literal('note'), from: z.string(), note: object<NodeNote>() }),
  /** Another node came: tell again what it should know. */
  z.object({ is: z.literal('joined') }),
  z.object({ is: z.literal('left'), node: z.string() }),
])

type Kinds<Message> = {
  options: readonly { shape: { is: { value: string } } }[]
  parse(value: unknown): Message
}

/** null: of a kind that only newer versions know. faults: ZodError, SyntaxError */
export function messageIn<Message>(schema: Kinds<Message>, line: string): Message | null {
  const message: unknown = JSON.parse(line)
  const kind = z.object({ is: z.string() }).parse(message).is
  const isKnown = schema.options.some(({ shape }) => shape.is.value === kind)
  return isKnown ? schema.parse(message) : null
}

/** Bytes go as base64 only: as JSON they are more than ten times as long. */
export function commandMessage(
  n: number,
  { id, by, session, until, command, bodies }: Envelope,
): z.input<typeof toDecider> {
  const sent = bodies?.map(({ sha, mime, bytes }) => ({ sha, mime, base64: Buffer.from(bytes).toString('base64') }))
  return { is: 'command', n, id, by, session, until, command, bodies: sent }
}

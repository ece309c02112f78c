/** What nodes say to each other: one line of JSON each. Both ends have the same key and are versions of the same program. */
import * as z from 'zod'
import type { Command, Envelope } from '@/lib/mas/commands/command'
import type { AgentId, ConversationId, PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Json } from '@/lib/mas/records'
import type { Ephemeral, Quiet, SignedOut } from '@/lib/wire/views'
import type { PersonAnswer, PersonCall } from '@/server/shared/personCall'

/** A socket of a peer, with the URIs of its agents that have spoken on it, or the stream of a conversation. */
export type PeerWay = { protocol: Protocol; peer: PeerId; agents: string[] } | { conversation: ConversationId }

/** What pages and memories of other nodes need to know. Lost where a node is away; nothing of it is in the journal. */
export type NodeNote =
  | { is: 'ephemeral'; note: Ephemeral }
  /** What the pages of one node say of a person together; null: they have none there. */
  | { is: 'present'; person: AgentId; said: { isActive: boolean; quiet: Quiet | null } | null }
  | { is: 'signedOut'; person: AgentId; session: string | null; reason: Exclude<SignedOut['reason'], 'expired'> }
  /** Rows of a person that are kept in memory changed: settings, browsers for notices. */
  | { is: 'person'; person: AgentId }
  /**
   * This node runs steps: the attempts that it has in hand. process: names it among all that had the node's name. isLeaving: it
   * stops, and takes no more. lacksFiles: it has no workspace
   */
  | { is: 'runs'; process: string; inHand: string[]; isLeaving?: boolean; lacksFiles?: boolean }
  /** Keys or sign-ins at tool servers in the accounts changed. */
  | { is: 'secrets' }
  /** All calls of models that wait for a person at this node. */
  | { is: 'personCalls'; calls: PersonCall[] }
  | { is: 'settleCall'; to: string; question: string; call: string; answer: PersonAnswer }
  /** isTaken: false: the call waited no longer */
  | { is: 'callSettled'; question: string; isTaken: boolean }
  /** All streams and sockets of peers that this node holds. */
  | { is: 'peerWays'; ways: PeerWay[] }
  /** Refusals of unknown senders at this node since its start. */
  | { is: 'refusedSenders'; counts: { protocol: Protocol; code: string; count: number }[] }
  /** A broadcast of a peer, for its sockets at other nodes. */
  | { is: 'peerBroadcast'; peer: PeerId; text: string }

/** What the node that decides says of a command. seq: where its world was then. null: it does not decide (any more). */
export type ForwardedAnswer =
  | { ok: true; seq: number; reply: Json }
  | { ok: false; seq: number; fault: { code: string; data: Json; message: string } }
  | null

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

/** The receive pipeline of every protocol. The signature is checked before the form, so that a forged call learns nothing else. */
import type { CommandOf } from '@/lib/mas/commands/command'
import type { PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { TaskReader } from '@/server/otherSystems'
import { sha256 } from '@/server/shared/sha256'
import type { MampPart } from '../protocols/mamp/message'
import type { AdapterContext } from './adapter'
import { keepEnvelope } from './exchange'
import { type TakenReply, takeOnce } from './idempotency'
import { type PictureAt, readParts } from './mamp/content'
import { Refusal, type RefusalTable, refusalAs, refusalOf } from './refusal'

export type Caller = { kind: 'peer'; peer: PeerId } | ({ kind: 'person' } & TaskReader)

/** theirs: the sender's id of it, if it could be read. */
export type Decoded<Value> = { theirs: string | null } & ({ value: Value } | { refused: Refusal })

/** How a protocol decodes calls and names refusals. decode: must not throw. */
export type Codec<Value, Reading extends Decoded<Value> = Decoded<Value>> = {
  protocol: Protocol
  refusals: RefusalTable
  decode(bytes: Buffer): Reading | Promise<Reading>
  /** What is stored of a refused call; left out: its bytes. */
  kept?(bytes: Buffer): Buffer | number
}

/** A call of an authenticated peer with access to the protocol. */
export type PeerCall = { peer: PeerRecord; bytes: Buffer }

/** A protocol's handling of decoded calls. All of them throw a Refusal. */
export type Rules<Value, Outcome> = {
  /** The peer of a call without a key; left out: none. */
  peerOf?(value: Value): PeerId | null
  /** Handles a call that needs no known peer; null: this one needs it. */
  open?(value: Value): Outcome | null
  decide(value: Value, call: PeerCall): Promise<Outcome>
  /** Left out: people cannot use the protocol. */
  decideForPerson?(value: Value, person: TaskReader): Promise<Outcome>
}

/** signature: null: none came. isRead: the call changes nothing; its refusal is not stored. */
export type IncomingCall = { caller: Caller | null; bytes: Buffer; signature: string | null; isRead?: boolean }

type Reception<Reading, Outcome> = { reading: Reading } & ({ outcome: Outcome } | { refused: Refusal })

/** A fault of the call gives a refusal, already recorded; our own fault rejects. */
export async function receive<Value, Reading extends Decoded<Value>, Outcome>(
  context: AdapterContext,
  codec: Codec<Value, Reading>,
  rules: Rules<Value, Outcome>,
  call: IncomingCall,
): Promise<Reception<Reading, Outcome>> {
  const decoding = codec.decode(call.bytes)
  // No unneeded await: of two texts in one packet the second must find the session that the first has opened.
  const reading = decoding instanceof Promise ? await decoding : decoding
  const caller = call.caller ?? callerIn(reading, rules)
  try {
    return { reading, outcome: await admit(context, codec, rules, { ...call, caller }, reading) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const envelope = codec.kept?.(call.bytes) ?? call.bytes
    await keepRefusal(context, codec.protocol, { ...call, caller, theirs: reading.theirs, envelope }, error)
    return { reading, refused: error }
  }
}

function callerIn<Value, Outcome>(reading: Decoded<Value>, rules: Rules<Value, Outcome>): Caller | null {
  const peer = 'value' in reading ? (rules.peerOf?.(reading.value) ?? null) : null
  return peer === null ? null : { kind: 'peer', peer }
}

async function admit<Value, Outcome>(
  { engine, exchange, keys }: AdapterContext,
  { protocol, refusals }: Pick<Codec<Value>, 'protocol' | 'refusals'>,
  rules: Rules<Value, Outcome>,
  { caller, bytes, signature }: IncomingCall,
  reading: Decoded<Value>,
): Promise<Outcome> {
  const open = 'value' in reading ? (rules.open?.(reading.value) ?? null) : null
  if (open !== null) return open
  const notAllowed = refusalAs(refusals, 'notAllowed', `This peer may not use ${protocol}.`)
  if (caller === null) throw 'refused' in reading ? reading.refused : refusalAs(refusals, 'nobody', 'Show a key.')
  const seconds = await (caller.kind === 'peer' ? exchange.tooMany(caller.peer) : exchange.tooManyReads(caller.person))
  if (seconds > 0) throw refusalAs(refusals, 'tooMany', `Too many calls. Try again in ${seconds} s.`, seconds)
  const problem = caller.kind === 'peer' ? keys.signatureProblem(caller.peer, bytes, signature) : null
  if (problem !== null) throw refusalAs(refusals, 'badSignature', problem)
  if ('refused' in reading) throw reading.refused
  if (caller.kind === 'person') {
    if (rules.decideForPerson === undefined) throw notAllowed
    return rules.decideForPerson(reading.value, caller)
  }
  const peer = engine.world().peers[caller.peer]
  if (!peer || peer.removed || !peer.may.includes(protocol)) throw notAllowed
  return rules.decide(reading.value, { peer, bytes })
}

/** envelope: its bytes, or the announced size. */
type RefusedCall = Pick<IncomingCall, 'caller' | 'isRead'> & { theirs: string | null; envelope: Buffer | number }

/** In the peer's log; refusals of unknown senders and of rate limits are only counted, since a flood would displace the log. */
export async function keepRefusal(
  { exchange }: Pick<AdapterContext, 'exchange'>,
  protocol: Protocol,
  { caller, isRead = false, theirs, envelope }: RefusedCall,
  { code, status, message, isRate }: Refusal,
): Promise<void> {
  const verdict = String(code)
  if (caller === null || (caller.kind === 'peer' && isRate)) exchange.countRefused(protocol, verdict)
  else if (caller.kind === 'peer' && !isRead)
    await exchange.note({ peer: caller.peer, protocol, theirs, verdict, status, why: message, envelope })
}

type Taking = Omit<CommandOf<'takeFromOutside'>, 'type' | 'peer' | 'protocol' | 'bytes' | 'sha' | 'body'>
/** The content of a message as parts; pictureAt: fetches pictures by address. */
type Parts = { parts: readonly MampPart[]; pictureAt?: PictureAt }

/** A decoded message with its envelope, as a command. */
export async function takeCommand(
  { bodies }: Pick<AdapterContext, 'bodies'>,
  protocol: Protocol,
  { peer, bytes }: PeerCall,
  taking: Taking,
): Promise<CommandOf<'takeFromOutside'>> {
  const envelope = { bytes: bytes.length, sha: sha256(bytes), body: await keepEnvelope(bodies, bytes) }
  return { ...taking, ...envelope, type: 'takeFromOutside', peer: peer.id, protocol }
}

/** A repeat of an id has no effect; nothing of a refused message is fetched or stored. Throws a Refusal. */
export async function takeMessage(
  context: AdapterContext,
  { protocol, refusals }: Pick<Codec<unknown>, 'protocol' | 'refusals'>,
  call: PeerCall,
  { parts, pictureAt, ...taking }: Omit<Taking, 'text' | 'attachments'> & Parts,
): Promise<TakenReply> {
  const { text, attachments, keep } = await readParts(parts)
  const command = await takeCommand(context, protocol, call, { ...taking, text, attachments })
  const answer = await takeOnce(context, command, () => keep(context.bodies, pictureAt))
  if (!answer.ok) throw refusalOf(refusals, answer.fault)
  const { theirs, status } = taking
  const line = { peer: call.peer.id, protocol, theirs, status, verdict: 'repeat', envelope: call.bytes }
  if (answer.isRepeat) await context.exchange.note(line)
  return answer.taken
}

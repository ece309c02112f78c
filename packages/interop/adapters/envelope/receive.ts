/** Receives an envelope: by HTTP, on a web socket, or as the answer to our own call. */
import type { PeerId } from '@/lib/mas/ids'
import { type AnswerEnvelope, errorEnvelope, type WireEnvelope } from '../../protocols/envelope/envelope'
import { type PeerCall, receive } from '../receive'
import type { Refusal } from '../refusal'
import { uriOfSender } from './callers'
import { envelopeCodec, envelopeRefusal } from './codec'
import { type EnvelopeContext, handleEnvelope, stampOf } from './handle'

/** answer: null for answers and events, which get none. envelope: null when it could not be read. */
export type EnvelopeAnswer = {
  answer: AnswerEnvelope | null
  refused: Refusal | null
  envelope: WireEnvelope | null
}

/** signature: null: none was sent. */
type ReceiveOptions = { peer: PeerId; bytes: Buffer; signature: string | null }

/** Receive one envelope. Its faults are answered; our own faults reject. */
export async function receiveEnvelope(
  context: EnvelopeContext,
  { peer, bytes, signature }: ReceiveOptions,
): Promise<EnvelopeAnswer> {
  const rules = {
    decide(envelope: WireEnvelope, call: PeerCall) {
      const from = uriOfSender(call.peer, envelope.sender_id)
      if (from === null) throw envelopeRefusal('forbidden', `This key does not speak for ${envelope.sender_id}.`)
      return handleEnvelope({ ...call, context, from }, envelope)
    },
  }
  const caller = { kind: 'peer' as const, peer }
  const reception = await receive(context, envelopeCodec, rules, { caller, bytes, signature })
  const { reading } = reception
  const envelope = 'value' in reading ? reading.value : null
  const refused = 'refused' in reception ? reception.refused : null
  const answer =
    'outcome' in reception
      ? reception.outcome
      : reading.isAnswerable
        ? refusalEnvelope(context, reception.refused, { messageId: reading.theirs, senderId: reading.senderId })
        : null
  // The answer is sent without waiting for the journal.
  if (answer !== null && refused?.isRate !== true) void keepAnswer(context, peer, answer, refused)
  return { answer, refused, envelope }
}

/** A refusal as an envelope. to: what it answers, as far as known. */
export function refusalEnvelope(
  context: EnvelopeContext,
  { code, message, details, retryAfterS }: Refusal,
  to: { messageId: string | null; senderId: string | null } = { messageId: null, senderId: null },
): AnswerEnvelope {
  // A socket has no header for the delay, so it is in the details.
  const told = { ...details, ...(retryAfterS === null ? {} : { retry_after_s: retryAfterS }) }
  const said = { code: String(code), message, ...(Object.keys(told).length === 0 ? {} : { details: told }) }
  return errorEnvelope(to, stampOf(context, context.ourselves().domain), said)
}

const keepAnswer = (
  { exchange }: EnvelopeContext,
  peer: PeerId,
  answer: AnswerEnvelope,
  refused: Refusal | null,
): Promise<void> =>
  exchange.note({
    peer,
    protocol: envelopeCodec.protocol,
    direction: 'out',
    theirs: answer.message_id,
    verdict: String(refused?.code ?? 'answered'),
    envelope: Buffer.from(JSON.stringify(answer)),
  })

/** One web socket of a peer. One that signs receives only answers until it has sent a signed text or a signed handshake. */
import * as z from 'zod/mini'
import { type MampMessage, MampReceipt } from '../../protocols/mamp/message'
import type { AdapterContext } from '../adapter'
import type { PeerConnections } from '../connections'
import { parseJson } from '../http'
import { type Codec, type PeerCall, type Rules, receive } from '../receive'
import type { PeerSocket, SignedText } from '../socket'
import { watchState } from './messageState'
import { decodeMamp, MAMP, type TakenMessage } from './receive'

/** A peer's refusal of our message. */
const MampRefusal = z.object({
  error: z.string(),
  message: z.optional(z.string()),
  status_code: z.number(),
  message_id: z.string(),
})
/** An answer to our message on a socket. */
export type MampAnswer = MampReceipt | z.infer<typeof MampRefusal>
const AnswerFrame = z.union([MampReceipt, MampRefusal])

type Frame = { message: MampMessage } | { answer: MampAnswer }
const FRAMES: Codec<Frame> = {
  ...MAMP,
  decode(bytes) {
    const value = parseJson(bytes)
    const isMessage = typeof value === 'object' && value !== null && 'protocol' in value
    const answer = isMessage ? null : AnswerFrame.safeParse(value)
    if (answer?.success) return { theirs: answer.data.message_id, value: { answer: answer.data } }
    const reading = decodeMamp(value)
    return 'refused' in reading ? reading : { theirs: reading.theirs, value: { message: reading.value } }
  },
}

type Parts = {
  context: AdapterContext
  rules: Rules<MampMessage, TakenMessage>
  connections: PeerConnections<MampAnswer>
}

/** Per socket. Beyond that, the oldest get no more updates. */
const MOST_WATCHED = 100

/** Serve it until it ends. */
export function serveMampSocket({ context, rules, connections }: Parts, socket: PeerSocket) {
  const { peer } = socket
  // The key alone does not authorise to receive messages for the peer.
  let leave = socket.isSigned ? connections.open(socket) : null
  const watching = new Set<() => void>()

  const frameRules: Rules<Frame, TakenMessage | null> = {
    async decide(frame, call: PeerCall) {
      if ('message' in frame) {
        const taken = await rules.decide(frame.message, call)
        connections.name(socket, frame.message.from)
        return taken
      }
      connections.answered(peer, frame.answer.message_id, frame.answer)
      return null
    },
  }

  async function take({ text, signature }: SignedText): Promise<void> {
    const bytes = Buffer.from(text)
    const reception = await receive(context, FRAMES, frameRules, { caller: { kind: 'peer', peer }, bytes, signature })
    const refused = 'refused' in reception ? reception.refused : null
    const isAccepted = refused?.code !== 'bad_signature' && refused?.code !== 'too_many'
    if (isAccepted && socket.isOpen()) leave ??= connections.open(socket)
    if (refused !== null) {
      const { theirs } = reception.reading
      const { code, message, status } = refused
      const named = theirs === null ? {} : { message_id: theirs }
      socket.send(JSON.stringify({ error: code, message, status_code: status, ...named }))
    } else if ('outcome' in reception && reception.outcome !== null) receipt(reception.outcome)
  }

  function receipt(taken: TakenMessage): void {
    const { shared: conversation_id, messageId: message_id } = taken
    socket.send(JSON.stringify({ conversation_id, message_id, status: 'received' } satisfies MampReceipt))
    // An unsigned socket gets no updates.
    if (leave === null) return
    const stop = watchState(context, taken, (status) =>
      socket.send(JSON.stringify({ event: 'status', conversation_id, message_id, status })),
    )
    watching.add(stop)
    for (const oldest of [...watching].slice(0, -MOST_WATCHED)) {
      oldest()
      watching.delete(oldest)
    }
  }

  return {
    take,
    onClose() {
      leave?.()
      for (const stop of watching) stop()
    },
  }
}

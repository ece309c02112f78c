/** Streams held open by peers: messages of a conversation are written there instead of being sent by a call. */
import type { ConversationId } from '@/lib/mas/ids'
import type { Ways } from './ways'

/**
 * A piece of an answer while it is written. The complete message later replaces all pieces.
 *
 * from   the URI of the writing agent
 * at     characters before this piece; 0: the answer begins, or starts over
 */
export type AnswerDelta = { conversation_id: string; from: string; at: number; text: string }

/** message: out: was it written? false once the stream has closed */
type StreamListener = { message(envelope: string): boolean; delta(delta: AnswerDelta): void }

/** out: an empty registry of streams; ways: where they are told */
export function openStreams(ways: Pick<Ways, 'open'>) {
  const listening = new Map<ConversationId, Set<StreamListener>>()
  return {
    /** out: stops listening */
    listen(conversation: ConversationId, listener: StreamListener): () => void {
      const listeners = listening.get(conversation) ?? new Set()
      listening.set(conversation, listeners.add(listener))
      const way = ways.open(() => ({ conversation }))
      return () => {
        way.close()
        listeners.delete(listener)
        if (listeners.size === 0 && listening.get(conversation) === listeners) listening.delete(conversation)
      }
    },
    /** Write to every open stream of the conversation. out: did one accept it? */
    offer(conversation: ConversationId, envelope: string): boolean {
      // It is written to all; one success is enough.
      return [...(listening.get(conversation) ?? [])].filter((listener) => listener.message(envelope)).length > 0
    },
    /** The same for a piece. out: is anybody listening? */
    tell(conversation: ConversationId, delta: AnswerDelta): boolean {
      const listeners = listening.get(conversation)
      for (const listener of listeners ?? []) listener.delta(delta)
      return listeners !== undefined
    },
  }
}

export type Streams = ReturnType<typeof openStreams>

/** Streams that peers hold open: a message of the conversation is written there before it is sent by a call. */
import type { ConversationId } from '@/lib/mas/ids'

/**
 * A piece of an answer while it is written. The message itself, when it is there, takes the place of all of them.
 *
 * from   the URI of the agent that writes
 * at     characters of the answer before this piece; 0: it begins, or begins anew
 */
export type AnswerDelta = { conversation_id: string; from: string; at: number; text: string }

/** message: out: whether it was written; false once the stream has closed */
type StreamListener = { message(envelope: string): boolean; delta(delta: AnswerDelta): void }

export interface Streams {
  /** Listen. out: stop it */
  listen(conversation: ConversationId, listener: StreamListener): () => void
  /** Write to every open stream of the conversation. out: whether one took it */
  offer(conversation: ConversationId, envelope: string): boolean
  /** The same for a piece of an answer. out: whether somebody listens */
  tell(conversation: ConversationId, delta: AnswerDelta): boolean
}

/** out: who listens to which conversation, and a way to offer them an envelope */
export function openStreams(): Streams {
  const listening = new Map<ConversationId, Set<StreamListener>>()
  return {
    listen(conversation, listener) {
      const listeners = listening.get(conversation) ?? new Set()
      listening.set(conversation, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && listening.get(conversation) === listeners) listening.delete(conversation)
      }
    },
    offer(conversation, envelope) {
      // It is written to all; one success is enough.
      return [...(listening.get(conversation) ?? [])].filter((listener) => listener.message(envelope)).length > 0
    },
    tell(conversation, delta) {
      const listeners = listening.get(conversation)
      for (const listener of listeners ?? []) listener.delta(delta)
      return listeners !== undefined
    },
  }
}

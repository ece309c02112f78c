/** Streams that peers hold open: a message of the conversation is written there before it is sent by a call. */
import type { ConversationId } from '@/lib/mas/ids'

/** out: whether it was written; false once the stream has closed */
type StreamWriter = (envelope: string) => boolean

export interface Streams {
  /** Listen. out: stop it */
  listen(conversation: ConversationId, writer: StreamWriter): () => void
  /** Write to every open stream of the conversation. out: whether one took it */
  offer(conversation: ConversationId, envelope: string): boolean
}

/** out: who listens to which conversation, and a way to offer them an envelope */
export function openStreams(): Streams {
  const listening = new Map<ConversationId, Set<StreamWriter>>()
  return {
    listen(conversation, writer) {
      const writers = listening.get(conversation) ?? new Set()
      listening.set(conversation, writers.add(writer))
      return () => {
        writers.delete(writer)
        if (writers.size === 0 && listening.get(conversation) === writers) listening.delete(conversation)
      }
    },
    offer(conversation, envelope) {
      // It is written to all; one success is enough.
      return [...(listening.get(conversation) ?? [])].filter((writer) => writer(envelope)).length > 0
    },
  }
}

/** Answers that a peer waits for on an open connection: what is said in the conversation goes there first. */
import type { ConversationId } from '@/lib/mas/ids'

/** out: whether it was written; a stream that is gone takes nothing. */
export type StreamWriter = (envelope: string) => boolean

export interface Streams {
  /** Listen. out: stop it */
  listen(conversation: ConversationId, writer: StreamWriter): () => void
  /** Hand it to whoever listens. out: whether somebody took it */
  offer(conversation: ConversationId, envelope: string): boolean
}

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
      // All who listen hear it; one of them is enough.
      return [...(listening.get(conversation) ?? [])].filter((writer) => writer(envelope)).length > 0
    },
  }
}

/**
 * What a screen reader is told, and when: one sentence for each finished message, never more often than people can
 * bear.
 *
 * Pure but for its parts.
 */

export type AnnouncementParts = {
  say: (text: string, politeness: 'polite' | 'assertive') => void
  /** Words for several that came together. */
  sumUp: (count: number, forMe: number) => string
  now: () => number
  later: (run: () => void, ms: number) => void
}

export type Announcements = {
  /** A message is finished. `sentence`: it is to me; null: it is counted only where several are told of. */
  message: (id: string, sentence: string | null) => void
  /** At once, over whatever is being said: an Urgent, a message that could not be sent, a sign-out. Each id once. */
  urgent: (id: string, sentence: string) => void
  /** Somebody begins to write, or has finished: never what they write. Only the last word of each counts. */
  writing: (who: string, sentence: string) => void
}

/** Polite sentences are at least this far apart. */
export const APART_MS = 3_000
/** Ids that are known to have been said. */
const KEPT = 500

export function createAnnouncements(parts: AnnouncementParts): Announcements {
  const known = new Set<string>()
  let messages: (string | null)[] = []
  const writers = new Map<string, string>()
  let saidAt: number | null = null
  let isWaiting = false

  const isNew = (id: string): boolean => {
    if (known.has(id)) return false
    known.add(id)
    for (const old of known) {
      if (known.size <= KEPT) break
      known.delete(old)
    }
    return true
  }

  /** What there is to say now; null: nothing. */
  function next(): string | null {
    const mine = messages.filter((sentence) => sentence !== null)
    if (mine.length > 0) {
      const [first] = mine
      const count = messages.length
      messages = []
      return count === 1 && first !== undefined ? first : parts.sumUp(count, mine.length)
    }
    // What is not to me alone is no reason to speak.
    messages = []
    const [writer] = writers
    if (writer === undefined) return null
    writers.delete(writer[0])
    return writer[1]
  }

  function speak(): void {
    if (isWaiting) return
    const left = saidAt === null ? 0 : saidAt + APART_MS - parts.now()
    if (left > 0) {
      isWaiting = true
      parts.later(() => {
        isWaiting = false
        speak()
      }, left)
      return
    }
    const text = next()
    if (text === null) return
    saidAt = parts.now()
    parts.say(text, 'polite')
    if (writers.size > 0) speak()
  }

  return {
    message: (id, sentence) => {
      if (!isNew(id)) return
      messages.push(sentence)
      if (sentence !== null) speak()
    },
    urgent: (id, sentence) => {
      if (isNew(id)) parts.say(sentence, 'assertive')
    },
    writing: (who, sentence) => {
      writers.set(who, sentence)
      speak()
    },
  }
}

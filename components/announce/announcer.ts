/** Rate-limited announcements for screen readers: one sentence for each finished message, or one for several. */
import { announce } from '@/components/ui/announce'

/** Between two polite sentences. */
const MIN_GAP_MS = 3_000
/** Announced ids that are remembered. */
const MOST_IDS = 500

export function createAnnouncements(say: (text: string, politeness: 'polite' | 'assertive') => void) {
  let summarise = (count: number, _forMe: number): string => String(count)
  const announced = new Set<string>()
  let messages: (string | null)[] = []
  const writers = new Map<string, string>()
  let spokenAt: number | null = null
  let isWaiting = false

  const isNew = (id: string): boolean => {
    if (announced.has(id)) return false
    announced.add(id)
    for (const old of announced) {
      if (announced.size <= MOST_IDS) break
      announced.delete(old)
    }
    return true
  }

  function next(): string | null {
    const mine = messages.filter((sentence) => sentence !== null)
    if (mine.length > 0) {
      const [first] = mine
      const count = messages.length
      messages = []
      return count === 1 && first !== undefined ? first : summarise(count, mine.length)
    }
    // Messages to others alone are not announced.
    messages = []
    const [writer] = writers
    if (writer === undefined) return null
    writers.delete(writer[0])
    return writer[1]
  }

  function speak(): void {
    if (isWaiting) return
    const left = spokenAt === null ? 0 : spokenAt + MIN_GAP_MS - Date.now()
    if (left > 0) {
      isWaiting = true
      setTimeout(() => {
        isWaiting = false
        speak()
      }, left)
      return
    }
    const text = next()
    if (text === null) return
    spokenAt = Date.now()
    say(text, 'polite')
    if (writers.size > 0) speak()
  }

  return {
    /** The words for several messages at once, in the reader's language. */
    summarizeBy: (words: typeof summarise): void => {
      summarise = words
    },
    /** A message is finished. sentence: when it is addressed to me; null: it is only counted. */
    message: (id: string, sentence: string | null): void => {
      if (!isNew(id)) return
      messages.push(sentence)
      if (sentence !== null) speak()
    },
    /** Announced at once, interrupting: an Urgent, a failed message, a sign-out. Each id once. */
    urgent: (id: string, sentence: string): void => {
      if (isNew(id)) say(sentence, 'assertive')
    },
    /** Somebody started or finished writing; only the last sentence of each person is announced. */
    writing: (who: string, sentence: string): void => {
      writers.set(who, sentence)
      speak()
    },
  }
}

/** Only the visible tab speaks. */
export const announcer = createAnnouncements((text, politeness) => {
  if (document.visibilityState === 'visible') announce(text, politeness)
})

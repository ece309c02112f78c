/** The one announcer of this page, for whoever has something to say to a screen reader at a bearable rhythm. */
import { type Announcements, createAnnouncements } from '@/client/announcements'
import { announce } from '@/components/ui/announce'

let sumUp = (count: number, _forMe: number): string => String(count)

/** The words for several, in the reader's language. */
export const summarizeBy = (words: (count: number, forMe: number) => string): void => {
  sumUp = words
}

export const announcer: Announcements = createAnnouncements({
  // Of several tabs the one that is seen speaks.
  say: (text, politeness) => {
    if (document.visibilityState === 'visible') announce(text, politeness)
  },
  summarise: (count, forMe) => sumUp(count, forMe),
  now: () => Date.now(),
  later: (run, ms) => setTimeout(run, ms),
})

import { type Announcements, createAnnouncements } from '@/client/announcements'
import { announce } from '@/components/ui/announce'

let summary = (count: number, _forMe: number): string => String(count)

export const summarizeBy = (words: (count: number, forMe: number) => string): void => {
  summary = words
}

export const announcer: Announcements = createAnnouncements({
  // Only the visible tab speaks.
  say: (text, politeness) => {
    if (document.visibilityState === 'visible') announce(text, politeness)
  },
  summarise: (count, forMe) => summary(count, forMe),
})

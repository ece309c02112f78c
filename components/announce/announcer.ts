/** The announcer of this page, which limits how often a screen reader speaks. */
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
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
  now: () => Date.now(),
  later: (run, ms) => setTimeout(run, ms),
})

export function useAnnounceWriting(who: string, isWriting: boolean): void {
  const t = useTranslations('announce')
  const was = useRef(false)
  useEffect(() => {
    // Joins the announcer to a text that streams.
    if (was.current === isWriting) return
    was.current = isWriting
    announcer.writing(who, t(isWriting ? 'writing' : 'finished', { who }))
  }, [who, isWriting, t])
}

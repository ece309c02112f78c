/** Announces that somebody begins and finishes writing, never what they write. */
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { announcer } from './announcer'

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

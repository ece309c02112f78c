/** Moves the read cursor while this person reads; the unread line stays until the conversation is left. */
import { useEffect, useRef, useState } from 'react'
import { isPageActive } from '@/client/connection/activity'
import { useMoment } from '@/client/moment'
import { sendRead, sendUnread, useReadCursor } from '@/client/readCursors'

const LOOK_EVERY_MS = 1_000

export function useReading(
  place: string,
  { lastSeq, isAtEnd }: { lastSeq: number; isAtEnd: boolean },
): {
  /** The cursor when the conversation was opened, or as it was set back since; null: no unread line. */
  lineAfter: number | null
  unreadFrom: (cursor: number) => void
} {
  const cursor = useReadCursor(place)
  const isThen = useMoment() !== null
  const [lineAfter, setLineAfter] = useState<number | null | undefined>(undefined)
  // Set back by hand: reading does not move it until the conversation is opened again.
  const isHeld = useRef(false)
  if (lineAfter === undefined && cursor !== undefined) setLineAfter(cursor)
  const seen = useRef({ lastSeq, isAtEnd })
  seen.current = { lastSeq, isAtEnd }
  const isKnown = cursor !== undefined
  useEffect(() => {
    // Joins the screen: only somebody who looks at the end has read so far.
    if (!isKnown) return
    const look = (): void => {
      if (!isThen && !isHeld.current && seen.current.isAtEnd && seen.current.lastSeq > 0 && isPageActive())
        sendRead(place, seen.current.lastSeq)
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [place, isKnown, isThen])
  return {
    lineAfter: lineAfter ?? null,
    unreadFrom: (at) => {
      if (isThen) return
      isHeld.current = true
      setLineAfter(at)
      sendUnread(place, at)
    },
  }
}

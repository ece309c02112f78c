/** How far this person reads in a conversation while it is open: the line stays where it was until it is left. */
import { useEffect, useRef, useState } from 'react'
import { isPageActive } from '@/client/activity'
import { sendRead, sendUnread, useReadCursor } from '@/client/readCursors'

const LOOK_EVERY_MS = 1_000

export function useReading(
  place: string,
  { lastSeq, isAtEnd }: { lastSeq: number; isAtEnd: boolean },
): {
  /** The cursor as it was when the conversation was opened, or put back since; null: no line. */
  lineAfter: number | null
  unreadFrom: (cursor: number) => void
} {
  const cursor = useReadCursor(place)
  const [lineAfter, setLineAfter] = useState<number | null | undefined>(undefined)
  // It was put back by hand: reading on begins when the conversation is opened next.
  const isHeld = useRef(false)
  if (lineAfter === undefined && cursor !== undefined) setLineAfter(cursor)
  const seen = useRef({ lastSeq, isAtEnd })
  seen.current = { lastSeq, isAtEnd }
  const isKnown = cursor !== undefined
  useEffect(() => {
    // Joins the screen: only somebody who looks at the end has read so far.
    if (!isKnown) return
    const look = (): void => {
      if (!isHeld.current && seen.current.isAtEnd && seen.current.lastSeq > 0 && isPageActive())
        sendRead(place, seen.current.lastSeq)
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [place, isKnown])
  return {
    lineAfter: lineAfter ?? null,
    unreadFrom: (at) => {
      isHeld.current = true
      setLineAfter(at)
      sendUnread(place, at)
    },
  }
}

/** The window on a conversation: its virtual list, where it opens, and whether it follows the end. */
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { asksMe } from './ConversationLine'
import { type ChatEntry, type ChatLine, indexOfMessage, type Run, runOfMessage } from './fns/lines'
import type { TaskWorld } from './useTaskWorld'

const FLASH_MS = 1_500
const AT_END_PX = 80
const DRAWN_MS = 150
/** The share of the browser window that is assumed for the first render, before the list's own height is known. */
const SHARE_OF_WINDOW = 0.6

type ConversationWindow = {
  scroller: RefObject<HTMLDivElement | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  /** Tell which row has the focus: it stays mounted when it scrolls away, or its text box would lose the focus. */
  focusRow: (index: number | null) => void
}

export function useConversationWindow(lines: readonly ChatLine[], opensAtEnd: boolean): ConversationWindow {
  const scroller = useRef<HTMLDivElement>(null)
  const focused = useRef<number | null>(null)
  const [firstRect] = useState(() => ({ width: window.innerWidth, height: window.innerHeight * SHARE_OF_WINDOW }))
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === 'bubble' ? 84 : 32),
    getItemKey: (at) => lines[at]?.key ?? at,
    overscan: 6,
    gap: 6,
    paddingStart: 12,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END_PX,
    initialOffset: opensAtEnd ? Number.MAX_SAFE_INTEGER : 0,
    // Without a first height nothing would be drawn, and then all of it once more.
    initialRect: firstRect,
    rangeExtractor: useCallback((range: Range) => {
      const at = focused.current
      const indexes = defaultRangeExtractor(range)
      return at === null || indexes.includes(at) || at >= range.count ? indexes : [...indexes, at].sort((a, b) => a - b)
    }, []),
  })
  const focusRow = useCallback((index: number | null) => {
    focused.current = index
  }, [])
  return { scroller, virtual, focusRow }
}

/**
 * Once per address: scrolls to the end, or to the message that the address names.
 *
 * in      openRun: unfolds a run by its key
 * out     the message to flash for a moment, and the one that the address names and that is gone
 */
export function useArrival(
  { virtual }: ConversationWindow,
  lines: readonly ChatLine[],
  {
    goTo,
    runs,
    taskOf,
    openRun,
  }: {
    goTo: string | null
    runs: readonly (ChatEntry | Run)[]
    taskOf: (line: ChatEntry | Run) => TaskWorld
    openRun: (key: string) => void
  },
): { flashed: string | null; gone: string | null } {
  const [flashed, setFlashed] = useState<string | null>(null)
  const [gone, setGone] = useState<string | null>(null)
  const arrived = useRef<string | null>(null)
  const showHead = useCallback(
    (at: number): void =>
      // Heights are known once the row is drawn.
      void setTimeout(() => {
        const height = virtual.measurementsCache[at]?.size ?? 0
        // A card that is higher than the window is read from its question on.
        if (height > (virtual.scrollRect?.height ?? height)) virtual.scrollToIndex(at, { align: 'start' })
      }, DRAWN_MS),
    [virtual],
  )
  const hasLines = lines.length > 0
  useEffect(() => {
    // Joins the scroll position, which only the drawn list has.
    if (!hasLines) return
    const goal = goTo ?? 'end'
    if (arrived.current === goal) return
    if (goTo === null) {
      const isFirst = arrived.current === null
      arrived.current = goal
      if (isFirst) virtual.scrollToEnd()
      const last = lines.at(-1)
      if (isFirst && last && last.kind !== 'day' && asksMe(last, taskOf(last))) showHead(lines.length - 1)
      return
    }
    const at = indexOfMessage(lines, goTo)
    if (at >= 0) {
      arrived.current = goal
      virtual.scrollToIndex(at, { align: 'center' })
      showHead(at)
      setFlashed(goTo)
      return
    }
    const run = runOfMessage(runs, goTo)
    if (run) openRun(run.key)
    else {
      arrived.current = goal
      setGone(goTo)
      virtual.scrollToEnd()
    }
  }, [goTo, hasLines, lines, runs, virtual, taskOf, showHead, openRun])
  useEffect(() => {
    // Joins the clock: a message is flashed once.
    if (flashed === null) return
    const timer = setTimeout(() => setFlashed(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [flashed])
  return { flashed, gone }
}

/**
 * Follows the end while the reader is there.
 *
 * in      lastSeq: of the newest entry; unreadAt: index of the first unread line, -1: none; pendingCount: of messages being sent
 *         setLeftAt: called with the newest entry when the reader leaves the end, with null when they return
 * out     isUnreadAbove: the first unread line is above the window
 */
export function useFollowEnd(
  { scroller, virtual }: ConversationWindow,
  {
    count,
    lastSeq,
    unreadAt,
    pendingCount,
    setLeftAt,
  }: {
    count: number
    lastSeq: number
    unreadAt: number
    pendingCount: number
    setLeftAt: (next: (old: number | null) => number | null) => void
  },
): { isUnreadAbove: boolean; onScroll: () => void } {
  const [isUnreadAbove, setUnreadAbove] = useState(false)
  /** The very end was visible at the last height of the window. */
  const sawEnd = useRef(true)
  const wasPending = useRef(0)
  useEffect(() => {
    // Joins the scroll position: what I just sent is shown.
    if (pendingCount > wasPending.current) virtual.scrollToEnd()
    wasPending.current = pendingCount
    if (pendingCount > 0) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [pendingCount, scroller, virtual])
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let height = box.clientHeight
    // Joins the height: a bar above the list or a phone's keyboard must not hide the end from its reader.
    const observer = new ResizeObserver(() => {
      if (box.clientHeight === height) return
      height = box.clientHeight
      if (sawEnd.current) box.scrollTop = box.scrollHeight
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller])
  const onScroll = (): void => {
    const box = scroller.current
    if (!box) return
    // With the head of the last line visible there is nothing to jump to.
    const last = box.querySelector<HTMLElement>(`[data-index="${count - 1}"]`)?.getBoundingClientRect().top
    const isLastSeen = last !== undefined && last < box.getBoundingClientRect().bottom - AT_END_PX
    sawEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX
    const isAtEnd = isLastSeen || sawEnd.current
    setLeftAt((old) => (isAtEnd ? null : (old ?? lastSeq)))
    const first = virtual.getVirtualItemForOffset(box.scrollTop)?.index ?? 0
    setUnreadAbove(unreadAt >= 0 && unreadAt < first)
  }
  const total = virtual.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height may put the end out of view.
  useEffect(() => {
    // Joins the scroll position: opened runs move the end away without a scroll event.
    const frame = requestAnimationFrame(onScroll)
    return () => cancelAnimationFrame(frame)
  }, [total, unreadAt])
  return { isUnreadAbove, onScroll }
}

/** What is in view: reports messages as shown to the server, and finds the card of an item. */

import { type RefObject, useEffect } from 'react'
import { isPageActive } from '@/client/connection/activity'
import { useFixtures } from '@/client/fixtures'
import { useMoment } from '@/client/moment'
import type { MessageId } from '@/lib/mas/ids'
import { sendShown } from './commands'

const SHOWN_AFTER_MS = 1_000
const BATCH_MS = 2_000
const SHARE = 0.6

type Box = { top: number; bottom: number; height: number }

/** Whether a share of its height is in view, or its last line. */
function isInView(box: Box, view: Box): boolean {
  const seen = Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top)
  if (seen <= 0 || box.height <= 0) return false
  return seen / box.height >= SHARE || (box.bottom <= view.bottom + 1 && box.bottom > view.top)
}

let waiting: MessageId[] = []
let timer: ReturnType<typeof setTimeout> | null = null

function flush(): void {
  timer = null
  const batch = waiting
  waiting = []
  if (batch.length === 0) return
  void sendShown(batch).then((came) => {
    if (!came.ok && came.fault.error === 'NO_ANSWER') for (const id of batch) queue(id)
  })
}

function queue(message: MessageId): void {
  if (!waiting.includes(message)) waiting.push(message)
  if (timer === null) timer = setTimeout(flush, BATCH_MS)
}

/** Reports these messages once, after the element was in view for SHOWN_AFTER_MS of a focused window. */
export function useReportShown(element: RefObject<HTMLElement | null>, messages: readonly MessageId[]): void {
  // Fixtures are never reported, nor what is shown as it was.
  const isThen = useMoment() !== null
  const key = useFixtures() === null && !isThen ? messages.join(' ') : ''
  useEffect(() => {
    // Joins the screen: only the browser knows what is in view.
    const target = element.current
    if (key === '' || target === null) return
    let since: number | null = null
    const look = (): void => {
      const scroller = target.closest('[data-scroll]')?.getBoundingClientRect()
      const top = Math.max(0, scroller?.top ?? 0)
      const bottom = Math.min(window.innerHeight, scroller?.bottom ?? window.innerHeight)
      const view = { top, bottom, height: bottom - top }
      const isSeen = isPageActive() && isInView(target.getBoundingClientRect(), view)
      since = isSeen ? (since ?? Date.now()) : null
      if (since === null || Date.now() - since < SHOWN_AFTER_MS) return
      clearInterval(watch)
      for (const id of key.split(' ')) queue(id as MessageId)
    }
    const watch = setInterval(look, 250)
    return () => clearInterval(watch)
  }, [element, key])
}

/**
 * The card of a request or message in the page itself (not in a dialog), while any of it is in view; a line that can be opened is none.
 * In a task's page the strip stands for a card that is out of view.
 */
export function cardOnScreen(item: string): HTMLElement | null {
  const all = document.querySelectorAll<HTMLElement>(
    `[data-pane=main] [data-id="${CSS.escape(item)}"]:not(:has([data-fold=closed]))`,
  )
  const seen = [...all].filter((one) => {
    const { top, bottom, height } = one.getBoundingClientRect()
    return height > 0 && bottom > 0 && top < window.innerHeight
  })
  return seen.find(({ dataset }) => dataset.kind !== 'strip') ?? seen[0] ?? null
}

/** Whether a card that is on screen is read there: half of it, or of the window, is in view; a strip only names it. */
export function isOpenCard(card: { dataset: DOMStringMap; getBoundingClientRect: () => Box }): boolean {
  const { top, bottom, height } = card.getBoundingClientRect()
  const seen = Math.min(bottom, window.innerHeight) - Math.max(top, 0)
  return card.dataset.kind !== 'strip' && seen >= Math.min(height, window.innerHeight) / 2
}

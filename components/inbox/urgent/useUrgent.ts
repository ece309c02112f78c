/** Which unacknowledged Urgent is up as a dialog, and whether the folded bar is; the page is looked at several times a second. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRows } from '@/client'
import { pageClock } from '@/client/clock'
import { lastActiveAt } from '@/client/connection/activity'
import { useDnd } from '@/client/notify/useDnd'
import { tabStorage } from '@/client/storage'
import { cardOnScreen, usePinnedCards } from '@/components/request'
import type { AgentId } from '@/lib/mas/ids'
import { isAlertingRow, itemOf, type OpenRow, ringOf, rowSince, snoozedUntil } from '../rows'

const LOOK_EVERY_MS = 300
const kept = tabStorage('convene.urgent.folded')

function readFolded(): ReadonlySet<string> {
  const read = kept.read()
  return new Set(Array.isArray(read) ? read.filter((id) => typeof id === 'string') : [])
}

export function useUrgent(me: AgentId) {
  const alerting = useRows('me').filter(isAlertingRow)
  const [folded, setFolded] = useState<ReadonlySet<string>>(readFolded)
  const [choice, setChoice] = useState<UrgentChoice>({ dialog: null, hasBar: false })
  /** Snoozes of this page, by ring: the view brings them later than the next look. */
  const snoozes = useRef(new Map<string, number>())
  const lookAt = useCardLooks()
  const lookAtUse = usePageUse()
  // During do not disturb only the bar shows, unless the member lets Urgents break through.
  const { isResting, settings } = useDnd()
  const isMuted = isResting && !settings.urgentBreaksThrough

  const look = useEffectEvent((): void => {
    const now = Date.now()
    const serverNow = pageClock.now()
    // From then on the view counts: its reader may have ended the snooze.
    for (const row of alerting) if (snoozedUntil(row, me) > 0) snoozes.current.delete(ringOf(row))
    const isSnoozed = (row: OpenRow): boolean =>
      Math.max(snoozedUntil(row, me), snoozes.current.get(ringOf(row)) ?? 0) > serverNow
    const items = lookAt(alerting, now)
    const use = lookAtUse(now)
    const away = new Set([...folded, ...alerting.filter((row) => isMuted || isSnoozed(row)).map(ringOf)])
    setChoice((old) => {
      const next = chooseUrgent(items, away, old.dialog, use, now)
      return next.dialog === old.dialog && next.hasBar === old.hasBar ? old : next
    })
  })
  const key = alerting.map(ringOf).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of alerting or folded items is looked at at once.
  useEffect(() => {
    // Joins the clock and the screen: what is in view and in use changes without a render.
    look()
    if (key === '') return
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [key, folded, isMuted])

  const keepFolded = (next: ReadonlySet<string>): void => {
    setFolded(next)
    kept.write([...next])
  }
  return {
    alerting,
    open: alerting.find((row) => ringOf(row) === choice.dialog),
    hasBar: choice.hasBar,
    /** Puts the dialog away; what alerts now is in the bar only. */
    fold: (): void => {
      keepFolded(new Set([...folded, ...alerting.map(ringOf)]))
      setChoice({ dialog: null, hasBar: true })
    },
    unfold: (row: OpenRow): void => {
      keepFolded(new Set())
      setChoice({ dialog: ringOf(row), hasBar: false })
    },
    /** A reminder was accepted: the row has no dialog until then. */
    snoozed: (row: OpenRow, minutes: number): void => {
      snoozes.current.set(ringOf(row), pageClock.now() + minutes * 60_000)
      setChoice({ dialog: null, hasBar: true })
    },
  }
}

/** out: is asked at each look, for the text fields outside of this dialog, and for menus and the lists of selects. */
function usePageUse(): (now: number) => PageUse {
  const use = useRef<PageUse>({ lastInputAt: 0, lastMenuAt: 0 })
  useEffect(() => {
    // Joins every text field of the page: nobody is interrupted while typing.
    const onInput = (event: Event): void => {
      if (!(event.target instanceof Element) || !event.target.closest('[role=alertdialog]'))
        use.current.lastInputAt = Date.now()
    }
    window.addEventListener('input', onInput, true)
    return () => window.removeEventListener('input', onInput, true)
  }, [])
  return (now) => {
    if (document.querySelector('[role=menu], [role=listbox]') !== null) use.current.lastMenuAt = now
    return use.current
  }
}

/** The last scrolled element, by any means, and when (epoch ms): reading a card scrolls its pane. */
function useLastScroll(): { readonly current: { pane: Node | null; at: number } } {
  const last = useRef<{ pane: Node | null; at: number }>({ pane: null, at: 0 })
  useEffect(() => {
    // Joins every pane of the page.
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Node) last.current = { pane: target, at: Date.now() }
    }
    window.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', onScroll, true)
  }, [])
  return last
}

/** Remembers since when each row's card is on screen or off it, and when it was last looked at. */
function useCardLooks(): (rows: readonly OpenRow[], now: number) => AlertingItem[] {
  const pinned = usePinnedCards()
  const seen = useRef(new Map<string, { seenAt: number; onScreenSince: number | null; offScreenSince: number }>())
  const scrolled = useLastScroll()
  return (rows, now) => {
    const isBeingDrawn = document.querySelector('[data-pane=main] [aria-busy=true]') !== null
    return rows.map((row) => {
      const id = ringOf(row)
      const item = itemOf(row)
      const card = cardOnScreen(item)
      const before = seen.current.get(id) ?? { seenAt: now, onScreenSince: null, offScreenSince: now }
      const next = {
        seenAt: before.seenAt,
        onScreenSince: card ? (before.onScreenSince ?? now) : null,
        offScreenSince: card || isBeingDrawn ? now : before.offScreenSince,
      }
      seen.current.set(id, next)
      const { seenAt, onScreenSince, offScreenSince } = next
      const readAt = card !== null && scrolled.current.pane?.contains(card) ? scrolled.current.at : 0
      const lookedAt = onScreenSince === null ? null : Math.max(onScreenSince, lastActiveAt(), readAt)
      const isBeingAnswered = card !== null && (pinned[item] !== undefined || card.contains(document.activeElement))
      return { id, since: rowSince(row), seenAt, offScreenSince, lookedAt, isBeingAnswered }
    })
  }
}

/** An unacknowledged Urgent, and how it is looked at. */
export type AlertingItem = {
  id: string
  since: number
  /** When somebody last looked at its card: it came into view, or is in view and they moved in the page; null: not in view. */
  lookedAt: number | null
  /** Since when its card is certainly not in view, epoch ms; now, while the page is being drawn. */
  offScreenSince: number
  /** Its card has the focus, or an unsent text. */
  isBeingAnswered: boolean
  /** When this page first saw it, epoch ms. */
  seenAt: number
}

type UrgentChoice = {
  dialog: string | null
  hasBar: boolean
}

/** The page is in use for so long after input in a text field or an open menu, which delays the dialog for at most MAX_DELAY_MS. */
export const IN_USE_MS = 3_000
const MAX_DELAY_MS = 15_000
/** Time for a new page to draw its card. */
const SETTLE_MS = 600
/** A card in view brings the dialog when nobody acknowledged it or moved in the page for so long. */
const UNNOTICED_MS = 20_000

/** The current input in the page. lastInputAt: of a text field; lastMenuAt: when a menu or a list of choices was last open; epoch ms. */
export type PageUse = { lastInputAt: number; lastMenuAt: number }

/**
 * in      alerting: all items; folded: ids that were folded; open: the item of the open dialog
 *         now: epoch ms
 */
export function chooseUrgent(
  alerting: readonly AlertingItem[],
  folded: ReadonlySet<string>,
  open: string | null,
  use: PageUse,
  now: number,
): UrgentChoice {
  const oldestFirst = [...alerting].sort((a, b) => a.since - b.since)
  const isFolded = oldestFirst.some(({ id }) => folded.has(id))
  // An open dialog stays until it is settled or folded.
  if (open !== null && !folded.has(open) && oldestFirst.some(({ id }) => id === open)) {
    return { dialog: open, hasBar: false }
  }
  const isElsewhere = ({ offScreenSince, seenAt }: AlertingItem): boolean =>
    now - offScreenSince >= SETTLE_MS || now - seenAt >= MAX_DELAY_MS
  const due = oldestFirst.filter(
    (one) =>
      !folded.has(one.id) &&
      !one.isBeingAnswered &&
      (one.lookedAt === null ? isElsewhere(one) : now - one.lookedAt >= UNNOTICED_MS),
  )
  const first = due[0]
  if (first === undefined) return { dialog: null, hasBar: isFolded }
  const isInUse = now - Math.max(use.lastInputAt, use.lastMenuAt) < IN_USE_MS
  if (isInUse && now - first.seenAt < MAX_DELAY_MS) return { dialog: null, hasBar: true }
  return { dialog: first.id, hasBar: false }
}

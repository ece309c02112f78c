/** The Urgent dialog and the red bar of this page, which is looked at several times a second (`urgentChoice.ts` decides). */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRows } from '@/client'
import { pageClock } from '@/client/clock'
import { lastActiveAt } from '@/client/connection/activity'
import { useDnd } from '@/client/notify/useDnd'
import { tabStorage } from '@/client/storage'
import { cardOnScreen, isOpenCard, usePinnedCards } from '@/components/request'
import type { AgentId } from '@/lib/mas/ids'
import { isAlertingRow, itemOf, type OpenRow, ringOf, rowSince, snoozedUntil } from '../rows'
import { type AlertingItem, chooseUrgent, NO_URGENT, type PageUse, type UrgentChoice } from './urgentChoice'

const LOOK_EVERY_MS = 300
const kept = tabStorage('convene.urgent.folded')

function readFolded(): ReadonlySet<string> {
  const read = kept.read()
  return new Set(Array.isArray(read) ? read.filter((id) => typeof id === 'string') : [])
}

export function useUrgent(me: AgentId) {
  const alerting = useRows('me').filter(isAlertingRow)
  const [folded, setFolded] = useState<ReadonlySet<string>>(readFolded)
  const [choice, setChoice] = useState<UrgentChoice>(NO_URGENT)
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
    const use = lookAtUse(now)
    const items = lookAt(alerting, now).map(({ row, ...look }) => ({
      ...look,
      isFolded: folded.has(ringOf(row)),
      isQuiet: isMuted || isSnoozed(row),
    }))
    setChoice((old) => {
      const next = chooseUrgent(items, old, use, now)
      return next.dialog === old.dialog && next.isPressed === old.isPressed && next.hasBar === old.hasBar ? old : next
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
    open: alerting.find((row) => itemOf(row) === choice.dialog),
    hasBar: choice.hasBar,
    /** Puts the dialog away; what alerts now is in the bar only. */
    fold: (): void => {
      keepFolded(new Set([...folded, ...alerting.map(ringOf)]))
      setChoice({ ...NO_URGENT, hasBar: true })
    },
    /** Shows it whatever kept it away. */
    unfold: (row: OpenRow): void => {
      keepFolded(new Set())
      setChoice({ dialog: itemOf(row), isPressed: true, hasBar: false })
    },
    /** A reminder was accepted: the row has no dialog until then. */
    snoozed: (row: OpenRow, minutes: number): void => {
      snoozes.current.set(ringOf(row), pageClock.now() + minutes * 60_000)
      setChoice({ ...NO_URGENT, hasBar: true })
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

type CardLook = Omit<AlertingItem, 'isFolded' | 'isQuiet'> & { row: OpenRow }

/** Remembers since when each row's card is on screen or off it, and when it was last looked at. */
function useCardLooks(): (rows: readonly OpenRow[], now: number) => CardLook[] {
  const pinned = usePinnedCards()
  const seen = useRef(new Map<string, { seenAt: number; onScreenSince: number | null; offScreenSince: number }>())
  const scrolled = useLastScroll()
  return (rows, now) => {
    const isBeingDrawn = document.querySelector('[data-pane=main] [aria-busy=true]') !== null
    return rows.map((row) => {
      const ring = ringOf(row)
      const item = itemOf(row)
      const card = cardOnScreen(item)
      const before = seen.current.get(ring) ?? { seenAt: now, onScreenSince: null, offScreenSince: now }
      const next = {
        seenAt: before.seenAt,
        onScreenSince: card ? (before.onScreenSince ?? now) : null,
        offScreenSince: card || isBeingDrawn ? now : before.offScreenSince,
      }
      seen.current.set(ring, next)
      const { seenAt, onScreenSince, offScreenSince } = next
      const readAt = card !== null && scrolled.current.pane?.contains(card) ? scrolled.current.at : 0
      const lookedAt = onScreenSince === null ? null : Math.max(onScreenSince, lastActiveAt(), readAt)
      const isBeingRead =
        card !== null && (isOpenCard(card) || pinned[item] !== undefined || card.contains(document.activeElement))
      return { row, id: item, since: rowSince(row), seenAt, offScreenSince, lookedAt, isBeingRead }
    })
  }
}

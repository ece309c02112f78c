/** The Urgent dialog and the red bar of this page, which is looked at several times a second (`urgentChoice.ts` decides). */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRows } from '@/client'
import { pageClock } from '@/client/clock'
import { lastActiveAt } from '@/client/connection/activity'
import { useDnd } from '@/client/notify/useDnd'
import { pageScreen } from '@/client/onScreen'
import { isBeingDrawn, listenToInput, pageUse } from '@/client/pageUse'
import { tabStorage } from '@/client/storage'
import { usePinnedCards } from '@/components/request'
import type { AgentId } from '@/lib/mas/ids'
import { isAlertingRow, itemOf, type OpenRow, ringOf, rowSince, snoozedUntil } from '../rows'
import { type AlertingItem, chooseUrgent, NO_URGENT, type UrgentChoice } from './urgentChoice'

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
  useEffect(listenToInput, [])
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
    const items = lookAt(alerting, now).map(({ row, ...look }) => ({
      ...look,
      isFolded: folded.has(ringOf(row)),
      isQuiet: isMuted || isSnoozed(row),
    }))
    setChoice((old) => {
      const next = chooseUrgent(items, old, pageUse(), now)
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

type CardLook = Omit<AlertingItem, 'isFolded' | 'isQuiet'> & { row: OpenRow }

/** Remembers since when each row's card is on screen or off it, and when it was last looked at. */
function useCardLooks(): (rows: readonly OpenRow[], now: number) => CardLook[] {
  const pinned = usePinnedCards()
  const seen = useRef(new Map<string, { seenAt: number; offScreenSince: number }>())
  return (rows, now) =>
    rows.map((row) => {
      const ring = ringOf(row)
      const item = itemOf(row)
      const sight = pageScreen.sightOf(item)
      const isPending = pageScreen.isPending(item)
      const before = seen.current.get(ring)
      const seenAt = before?.seenAt ?? now
      const offScreenSince = sight || isPending || isBeingDrawn() ? now : (before?.offScreenSince ?? now)
      seen.current.set(ring, { seenAt, offScreenSince })
      const use = sight && pageScreen.usageOf(sight)
      const lookedAt = sight && Math.max(sight.since, lastActiveAt(), use?.scrolledAt ?? 0)
      const isOpen = sight?.kind === 'card' && sight.isHalf
      const isBeingRead =
        isPending || (sight !== null && (isOpen || pinned[item] !== undefined || use?.hasFocus === true))
      return { row, id: item, since: rowSince(row), seenAt, offScreenSince, lookedAt, isBeingRead }
    })
}

/** Runs the page's attention: reads what the reducer needs, keeps its memory, and hands on what it gives. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useRows, useViewStatus } from '@/client'
import { useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import { isPageActive, lastActiveAt } from '@/client/connection/activity'
import {
  type AttentionMemory,
  type DrawnEffect,
  firstAttention,
  nextAttention,
  type Press,
  type ShownAlerts,
} from '@/client/notify/attention'
import { readEscalationMemory } from '@/client/notify/escalation'
import { reportAlerts } from '@/client/notify/push'
import { canSound, createPendingSound, type PendingSound, playSound, soundState } from '@/client/notify/sound'
import { openTabs, type TabCoordinator } from '@/client/notify/tabs'
import { useDnd } from '@/client/notify/useDnd'
import { pageScreen, sightOnPage } from '@/client/onScreen'
import { onTyped, pageUse } from '@/client/pageUse'
import { browserStorage, namespacedStorage, tabStorage } from '@/client/storage'
import type { OpenRow } from '@/components/inbox/rows'
import { usePinnedCards } from '@/components/request'
import { isToastThere } from '@/components/ui/overlays/toast'
import { useStable } from '@/components/ui/useStable'
import type { AgentId } from '@/lib/mas/ids'
import { waitingItems } from './waiting'

/** The clock alone changes what is due: more finely while an Urgent may get its dialog. */
const STEP_MS = 1_000
const URGENT_STEP_MS = 300

const folded = tabStorage('convene.urgent.folded')
function readFolded(): string[] {
  const read = folded.read()
  return Array.isArray(read) ? read.filter((id) => typeof id === 'string') : []
}

/** The tabs of this member, and what this one remembers. */
type Session = { tabs: TabCoordinator; sound: PendingSound; memory: AttentionMemory }

/** in: isSettled: the first picture is drawn; draw: what happens once */
export function useAttention(
  member: AgentId,
  isSettled: boolean,
  draw: (effect: DrawnEffect, row: OpenRow | null) => void,
) {
  const me = useMe()
  const rows = useRows('me')
  const isReady = useViewStatus('me').status === 'open' && isSettled
  const { isResting, settings: dnd } = useDnd()
  const pinned = usePinnedCards()
  const items = useMemo(() => waitingItems(rows, me?.settings ?? {}, member), [rows, me?.settings, member])
  const openedAt = useRef(pageClock.now())
  const storage = useMemo(() => namespacedStorage(browserStorage(), 'notify', member), [member])
  const [session, setSession] = useState<Session | null>(null)
  const [shown, setShown] = useState<ShownAlerts | null>(null)
  const rowOf = (id: string | null | undefined): OpenRow | null =>
    items.find(({ waiting }) => waiting.id === id)?.row ?? null

  const step = useStable((press: Press | null = null): void => {
    if (session === null) return
    const { tabs, sound, memory } = session
    const wantsSound = me?.settings.sound !== false
    const onScreen = items.flatMap(({ waiting }) => (sightOnPage(waiting.id) ? [waiting.id] : []))
    const here = { isActive: isPageActive(), onScreen }
    const tellTabs = (): void => tabs.announce(here, { canSound: wantsSound && canSound(), played: sound.played() })
    tellTabs()
    const isLeader = tabs.isLeader()
    const next = nextAttention(
      memory,
      {
        now: pageClock.now(),
        pageNow: Date.now(),
        items: items.map(({ waiting }) => waiting),
        isReady,
        sightOf: pageScreen.sightOf,
        isPinned: (item) => pinned[item] !== undefined,
        page: {
          ...pageUse(),
          lastActiveAt: lastActiveAt(),
          openedAt: openedAt.current,
          isToastThere: isToastThere(),
        },
        tabs: { isLeader, here, all: tabs.states() },
        dnd: { isResting, lets: dnd.urgentBreaksThrough },
        times: me?.ladder,
      },
      press,
    )
    session.memory = next.memory
    const { alerts, urgents } = next.memory
    if (isLeader && JSON.stringify(alerts) !== JSON.stringify(memory.alerts)) storage.write('told', alerts)
    if (urgents.folded !== memory.urgents.folded) folded.write([...urgents.folded])
    setShown((old) => (JSON.stringify(old) === JSON.stringify(next.shown) ? old : next.shown))
    if (isLeader) reportAlerts(next.effects, wantsSound || tabs.states().some(({ isActive }) => isActive))
    for (const effect of next.effects) {
      if (!('soundIds' in effect)) draw(effect, 'id' in effect ? rowOf(effect.id) : null)
      else if (wantsSound) sound.request(effect.kind, effect.soundIds)
    }
    const played = sound.played()
    sound.playDue((item) => next.mayRing.has(item))
    if (sound.played() !== played) tellTabs()
  })
  useEffect(() => {
    // Joins the other tabs of this member.
    const tabs = openTabs(member)
    const memory = firstAttention(readFolded(), readEscalationMemory(storage.read('told')))
    setSession({ tabs, sound: createPendingSound({ tabs, play: playSound }), memory })
    return () => tabs.close()
  }, [member, storage])
  const isAlerting = items.some(({ waiting }) => waiting.isAlerting)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, or another state of them, are looked at at once.
  useEffect(() => {
    // Joins the clock, the screen, and the browser's permission to play sound, which comes with the first press.
    step()
    const timer = setInterval(step, isAlerting ? URGENT_STEP_MS : STEP_MS)
    const leave = [pageScreen.changes.subscribe(() => step()), soundState.subscribe(() => step())]
    return () => {
      clearInterval(timer)
      for (const end of leave) end()
    }
  }, [items, session, isReady, isResting, dnd, isAlerting])
  useEffect(() => {
    // Joins every text field of the page: nobody is interrupted while typing.
    window.addEventListener('input', onTyped, true)
    return () => window.removeEventListener('input', onTyped, true)
  }, [])
  return { shown, rowOf, alerting: items.flatMap(({ row, waiting }) => (waiting.isAlerting ? [row] : [])), press: step }
}

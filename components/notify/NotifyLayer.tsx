/**
 * The notification ladder of this page: it looks once a second at what waits, and tells the member as loudly as it
 * must.
 *
 * Draws nothing but the question whether desktop notices are wanted (DesktopPrompt.tsx).
 */
import { firstWords } from '@/lib/format/plainText'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { newId, useRows, useTotals } from '@/client'
import { beforeSignOut, useMe } from '@/client/account/session'
import { isPageActive } from '@/client/activity'
import { pageClock } from '@/client/clock'
import { navigate, pathTo, setTitleMark } from '@/client/nav'
import { closeDesktop, desktopPermission, setAppBadge, showDesktop } from '@/client/notify/desktop'
import {
  type Attention,
  type Effect,
  type EscalationMemory,
  NO_ALERTS_GIVEN,
  nextEscalation,
  readEscalationMemory,
  titleMarkOf,
} from '@/client/notify/escalation'
import { createPendingSound, type PendingSound } from '@/client/notify/pendingSound'
import { followNotices, reportAlerted, turnOffPush } from '@/client/notify/push'
import { allowSound, canSound, playSound, soundState } from '@/client/notify/sound'
import { createTabs, type TabCoordinator } from '@/client/notify/tabs'
import { useDnd } from '@/client/notify/useDnd'
import { setWindowIcon } from '@/client/notify/windowIcon'
import { browserStorage, namespacedStorage } from '@/client/storage'
import { getDisplay } from '@/client/theme'
import { itemOf, type OpenRow } from '@/components/inbox/rows'
import { cardOnScreen } from '@/components/request'
import type { EverywhereProps } from '@/components/shell/screens'
import { closeToast, isToastThere, showToast } from '@/components/ui/toast'
import { DesktopPrompt } from './DesktopPrompt'
import { waitingItems } from './waiting'

const LOOK_EVERY_MS = 1_000
const TITLE_TURN_MS = 2_000
/** What was already open when the page came is shown by the page itself; only an Urgent rings for it. */
const OLD_MS = 10_000
/** What was done is said at the latest so long after its item left. */
const UNTIL_SAID_MS = 2_000
/** More than these at one look are one toast. */
const MOST_TOASTS = 3

export default function NotifyLayer({ person }: EverywhereProps) {
  const t = useTranslations()
  const me = useMe()
  const rows = useRows('me')
  const totals = useTotals('me')
  const { isResting } = useDnd()
  const levels = me?.settings.levels
  const items = useMemo(() => waitingItems(rows, levels), [rows, levels])
  const keep = useMemo(() => namespacedStorage(browserStorage(), 'notify', person.agent_id), [person.agent_id])
  const memory = useRef<EscalationMemory>(NO_ALERTS_GIVEN)
  const [joined, setJoined] = useState<{ tabs: TabCoordinator; sound: PendingSound } | null>(null)
  const openedAt = useRef(pageClock.now())
  const toasted = useRef(new Set<string>())
  const wantsSound = me?.settings.sound !== false
  const [wasHandled, setHandled] = useState(false)
  const asked = useRef<readonly string[]>([])
  const handledAt = useRef<number | null>(null)

  useEffect(() => allowSound(), [])
  useEffect(() => followNotices(), [])
  // What is meant for this member is not shown to whoever signs in here next.
  useEffect(() => beforeSignOut(turnOffPush), [])
  useEffect(() => {
    // Joins the other tabs of this member.
    memory.current = readEscalationMemory(keep.read('told'))
    const tabs = openTabs(person.agent_id)
    setJoined({ tabs, sound: createPendingSound({ tabs, play: playSound, now: () => pageClock.now() }) })
    return () => tabs.close()
  }, [person.agent_id, keep])

  const wordsOf = (row: OpenRow): { title: string; text: string; href: string } => {
    const sender = row.kind === 'request' ? row.asker : row.sender
    const who = sender.kind === 'system' ? t('request.theTask') : sender.name
    const isUrgent = row.kind === 'request' ? row.request.urgent : row.group === 'urgent'
    return {
      title: isUrgent ? t('inbox.urgentFrom', { who }) : t('notify.sender', { who, task: row.taskName }),
      text: firstWords(row.kind === 'request' ? row.request.question : row.message.text, 120),
      href:
        row.kind === 'request'
          ? pathTo('request', { requestId: row.request.id })
          : pathTo('message', { taskId: row.message.task, messageId: row.message.id }),
    }
  }

  const act = (effect: Effect, isLeader: boolean): void => {
    const row = 'id' in effect ? items.find(({ waiting }) => waiting.id === effect.id)?.row : undefined
    switch (effect.kind) {
      case 'chime':
      case 'alarm':
        if (wantsSound) joined?.sound.request(effect.kind, effect.soundIds)
        return
      case 'toast': {
        // Shown where the member looks; the leading tab may be another.
        if (!row || !isPageActive()) return
        const { title, text, href } = wordsOf(row)
        const replyAt = replyHref(row)
        toasted.current.add(itemOf(row))
        showToast('info', `${title} · ${text}`, {
          id: `item-${itemOf(row)}`,
          actions: [
            { label: t('notify.open'), onPress: () => navigate(href) },
            ...(replyAt === null ? [] : [{ label: t('inbox.reply'), onPress: () => navigate(replyAt) }]),
          ],
        })
        return
      }
      case 'desktop': {
        if (!isLeader || !row) return
        const { title, text, href } = wordsOf(row)
        showDesktop(effect.id, { title, text, isUrgent: effect.isUrgent, onClick: () => navigate(href) })
        return
      }
      case 'remind':
        if (!isLeader) return
        showDesktop('remind', {
          title: t('notify.remind', { count: effect.count }),
          text: t('notify.remindWhy'),
          isUrgent: false,
          onClick: () => navigate('/inbox'),
        })
        return
      case 'close':
        closeDesktop(effect.id)
    }
  }

  /** Of the first that rings, who waits. */
  const whoRings = (): string | null => {
    const row = items.find(({ waiting }) => waiting.isAlerting)?.row
    if (row === undefined) return null
    const sender = row.kind === 'request' ? row.asker : row.sender
    return t('notify.waitsForYou', { who: sender.kind === 'system' ? t('request.theTask') : sender.name })
  }

  const look = (): void => {
    if (joined === null) return
    const { tabs, sound } = joined
    const onScreen = items.map(({ waiting }) => waiting.id).filter((id) => cardOnScreen(id) !== null)
    const say = (): void =>
      tabs.announce(
        { isActive: isPageActive(), onScreen },
        { canSound: wantsSound && canSound(), played: sound.played() },
      )
    say()
    // What a toast told of is dealt with, or stands before the member: then it only covers the page.
    for (const id of toasted.current) {
      if (!onScreen.includes(id) && items.some(({ waiting }) => waiting.id === id)) continue
      closeToast(`item-${id}`)
      toasted.current.delete(id)
    }
    const looks = tabs.states().filter(({ isActive }) => isActive)
    const lookingAt = (id: string): Attention =>
      looks.length === 0 ? 'away' : looks.some((one) => one.onScreen.includes(id)) ? 'atIt' : 'elsewhere'
    const isLeader = tabs.isLeader()
    const fresh = items.map(({ waiting }) => waiting)
    const known = hush(memory.current, fresh, openedAt.current)
    const step = nextEscalation(known, fresh, lookingAt, isResting, pageClock.now(), me?.ladder)
    if (JSON.stringify(step.memory) !== JSON.stringify(memory.current) && isLeader) keep.write('told', step.memory)
    if (isLeader) sayTold(known, step, looks.length > 0 || wantsSound)
    memory.current = step.memory
    const toasts = step.effects.filter(({ kind }) => kind === 'toast')
    // After a time without a line many things come at once: they are told of as one.
    const isCrowd = toasts.length > MOST_TOASTS
    if (isCrowd && isPageActive())
      showToast('info', t('notify.upToDate', { count: toasts.length }), {
        id: 'notify-crowd',
        actions: [{ label: t('notify.open'), onPress: () => navigate('/inbox') }],
      })
    for (const effect of step.effects) if (!isCrowd || effect.kind !== 'toast') act(effect, isLeader)
    const played = sound.played()
    const calls = fresh.filter(({ id, level, isAlerting }) =>
      level === 'urgent' ? isAlerting : level === 'call' && lookingAt(id) !== 'atIt',
    )
    sound.playDue((id) => !isResting && calls.some((one) => one.id === id))
    if (sound.played() !== played) say()
    // The question comes after the first Urgent or Action was dealt with, whatever else waits.
    const nowAsked = fresh.flatMap(({ id, level }) => (level === 'quiet' ? [] : [id]))
    if (asked.current.some((id) => !nowAsked.includes(id))) handledAt.current ??= Date.now()
    asked.current = nowAsked
    // A phone says above it what was just done, and how to undo it: the question waits until that is over.
    const isOver = handledAt.current !== null && Date.now() - handledAt.current > UNTIL_SAID_MS && !isToastThere()
    if (isOver && desktopPermission() === 'default') setHandled(true)
    const mark = titleMarkOf(fresh, looks.length === 0)
    setTitleMark(mark.title, isTitlesTurn() ? whoRings() : null)
    setWindowIcon(mark.icon)
  }
  const latest = useRef(look)
  latest.current = look
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of rows is looked at anew at once.
  useEffect(() => {
    // Joins the clock and the screen: where the member looks changes without a render.
    latest.current()
    const timer = setInterval(() => latest.current(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [items, joined])
  // Joins the browser's leave to be heard, which comes with the first press.
  useEffect(() => soundState.subscribe(() => latest.current()), [])
  useEffect(
    () => () => {
      setTitleMark('')
      setWindowIcon('plain')
    },
    [],
  )
  const needsMe = totals?.needsMe ?? 0
  // Joins the icon of the installed app; the number is the server's.
  useEffect(() => setAppBadge(needsMe), [needsMe])

  return wasHandled && me?.settings.askedDesktop !== true ? <DesktopPrompt /> : null
}

/** Where an answer to it is begun; null: it came with no message that one could reply to. */
function replyHref(row: OpenRow): string | null {
  const [task, message] =
    row.kind === 'request' ? [row.request.task, row.request.message] : [row.message.task, row.message.id]
  if (message === null || (row.kind === 'request' && row.request.kind !== 'answer')) return null
  return `${pathTo('task', { taskId: task })}?reply=${encodeURIComponent(message)}`
}

/** The title says by turns what is open and who rings; where things are to keep still it does not. */
function isTitlesTurn(): boolean {
  const isStill = getDisplay().motion === 'reduced' || window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return !isStill && Math.floor(pageClock.now() / TITLE_TURN_MS) % 2 === 1
}

/** The server writes down how its member was told of what rings: for whoever asked, a line beside the receipt. */
function sayTold(
  before: EscalationMemory,
  { memory, effects }: { memory: EscalationMemory; effects: Effect[] },
  isHeard: boolean,
): void {
  const knocked = Object.entries(memory.told).filter(([id, { alerts }]) => alerts > (before.told[id]?.alerts ?? 0))
  if (isHeard && knocked.length > 0 && effects.some(({ kind }) => kind === 'alarm'))
    void reportAlerted(
      'page',
      knocked.map(([id]) => id),
    )
  const shown = effects.flatMap((effect) => (effect.kind === 'desktop' && effect.isUrgent ? [effect.id] : []))
  if (shown.length > 0 && desktopPermission() === 'granted') void reportAlerted('desktop', shown)
}

/** Calls that were open before this page count as told. */
function hush(
  memory: EscalationMemory,
  fresh: readonly { id: string; level: string; since: number }[],
  openedAt: number,
): EscalationMemory {
  const old = fresh.filter(({ id, level, since }) => level === 'call' && since < openedAt - OLD_MS && !memory.told[id])
  if (old.length === 0) return memory
  const silent = { at: openedAt, alerts: 0, isOnDesktop: false }
  return { ...memory, told: { ...memory.told, ...Object.fromEntries(old.map(({ id }) => [id, silent])) } }
}

function openTabs(member: string): TabCoordinator {
  const name = `convene.tabs.${member}`
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return createTabs({
    tab: newId(),
    now: () => Date.now(),
    channel: channel && {
      post: (message) => channel.postMessage(message),
      onMessage: (receive) => {
        channel.onmessage = ({ data }) => receive(data)
      },
      close: () => channel.close(),
    },
    requestLock:
      'locks' in navigator ? (held) => void navigator.locks.request(name, held).catch(() => undefined) : null,
  })
}

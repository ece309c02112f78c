/** Once a second, alerts the member to what waits. Draws only the question whether desktop notices are wanted. */
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals } from '@/client'
import { beforeSignOut, saveSettings, useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import { isPageActive } from '@/client/connection/activity'
import { setTitleMark } from '@/client/nav'
import { desktopPermission, requestDesktopPermission, setAppBadge } from '@/client/notify/desktop'
import {
  type Attention,
  type EscalationMemory,
  NO_ALERTS_GIVEN,
  nextEscalation,
  readEscalationMemory,
  titleMarkOf,
  type WaitingItem,
  withOldCalls,
} from '@/client/notify/escalation'
import { followNotices, reportAlerts, turnOffPush } from '@/client/notify/push'
import {
  allowSound,
  canSound,
  createPendingSound,
  type PendingSound,
  playSound,
  soundState,
} from '@/client/notify/sound'
import { openTabs, type TabCoordinator } from '@/client/notify/tabs'
import { useDnd } from '@/client/notify/useDnd'
import { pageScreen } from '@/client/onScreen'
import { browserStorage, namespacedStorage } from '@/client/storage'
import { getDisplay } from '@/client/theme'
import { rowSender } from '@/components/inbox/rows'
import { useSenderName } from '@/components/request'
import { NoticeBar } from '@/components/shell/NoticeBar'
import type { EverywhereProps } from '@/components/shell/screenTypes'
import { Button } from '@/components/ui/Button'
import { isToastThere } from '@/components/ui/overlays/toast'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import type { AgentId } from '@/lib/mas/ids'
import { useAlerts } from './useAlerts'
import { waitingItems } from './waiting'

const LOOK_EVERY_MS = 1_000
const TITLE_TURN_MS = 2_000
/** The toast that confirms an act is expected within this time. */
const TOAST_WITHIN_MS = 2_000

export default function NotifyLayer({ person }: EverywhereProps) {
  const me = useMe()
  const wasHandled = useEscalation(person.agent_id)
  const needsMe = useTotals('me')?.needsMe ?? 0
  useEffect(() => allowSound(), [])
  useEffect(() => followNotices(), [])
  // The next person who signs in here gets no push that is meant for this one.
  useEffect(() => beforeSignOut(turnOffPush), [])
  useEffect(
    () => () => {
      setTitleMark('')
      setWindowIcon('plain')
    },
    [],
  )
  // Joins the icon of the installed app.
  useEffect(() => setAppBadge(needsMe), [needsMe])
  // A phone has no desktop, and its top bar only room for the name of the page; Settings offer it pushes.
  const isPhone = useIsNarrow()
  return wasHandled && !isPhone && me?.settings.askedDesktop !== true ? <DesktopPrompt /> : null
}

type Joined = { tabs: TabCoordinator; sound: PendingSound }

/** The other tabs of this member, and what this browser remembers for them. null: not joined yet. */
function useTabs(member: AgentId) {
  const storage = useMemo(() => namespacedStorage(browserStorage(), 'notify', member), [member])
  const memory = useRef<EscalationMemory>(NO_ALERTS_GIVEN)
  const [joined, setJoined] = useState<Joined | null>(null)
  useEffect(() => {
    // Joins the other tabs of this member.
    memory.current = readEscalationMemory(storage.read('told'))
    const tabs = openTabs(member)
    setJoined({ tabs, sound: createPendingSound({ tabs, play: playSound }) })
    return () => tabs.close()
  }, [member, storage])
  const remember = (next: EscalationMemory, isLeader: boolean): void => {
    if (isLeader && JSON.stringify(next) !== JSON.stringify(memory.current)) storage.write('told', next)
    memory.current = next
  }
  return { joined, memory, remember }
}

/** out: the first Urgent or Action of this page was dealt with, and the browser was never asked for desktop notices */
function useEscalation(member: AgentId): boolean {
  const me = useMe()
  const rows = useRows('me')
  const { isResting } = useDnd()
  const settings = me?.settings
  const wantsSound = me?.settings.sound !== false
  const items = useMemo(() => waitingItems(rows, settings), [rows, settings])
  const openedAt = useRef(pageClock.now())
  const { joined, memory, remember } = useTabs(member)
  const { perform, closeSettled } = useAlerts((id) => items.find(({ waiting }) => waiting.id === id)?.row)
  const setMark = useTitleMark()
  const [wasHandled, noticeHandled] = useFirstHandled()

  const look = useEffectEvent((): void => {
    if (joined === null) return
    const { tabs, sound } = joined
    const waiting = items.map((item) => item.waiting)
    const onScreen = waiting.map(({ id }) => id).filter((id) => pageScreen.sightOf(id) !== null)
    const tellTabs = (): void =>
      tabs.announce(
        { isActive: isPageActive(), onScreen },
        { canSound: wantsSound && canSound(), played: sound.played() },
      )
    tellTabs()
    closeSettled(onScreen)
    const looks = tabs.states().filter(({ isActive }) => isActive)
    const attentionTo = (id: string): Attention =>
      looks.length === 0 ? 'away' : looks.some((one) => one.onScreen.includes(id)) ? 'atIt' : 'elsewhere'
    const isLeader = tabs.isLeader()
    const before = withOldCalls(memory.current, waiting, openedAt.current)
    const step = nextEscalation(before, waiting, attentionTo, isResting, pageClock.now(), me?.ladder)
    if (isLeader) reportAlerts(step.effects, looks.length > 0 || wantsSound)
    remember(step.memory, isLeader)
    perform(step.effects, { isLeader, sound: wantsSound ? sound : null })
    const played = sound.played()
    const calls = waiting.filter(({ id, level, isAlerting }) =>
      level === 'urgent' ? isAlerting : level === 'call' && attentionTo(id) !== 'atIt',
    )
    sound.playDue((id) => !isResting && calls.some((one) => one.id === id))
    if (sound.played() !== played) tellTabs()
    noticeHandled(waiting)
    setMark(items, looks.length === 0)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of rows is looked at at once.
  useEffect(() => {
    // Joins the clock and the screen: where the member looks changes without a render.
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [items, joined])
  // Joins the browser's permission to play sound, which comes with the first press.
  useEffect(() => soundState.subscribe(look), [])
  return wasHandled
}

/** Whether an Urgent or Action left the list since the page opened. It waits for the toast that confirms the act and can undo it. */
function useFirstHandled(): [boolean, (waiting: readonly WaitingItem[]) => void] {
  const [wasHandled, setHandled] = useState(false)
  const asking: RefObject<readonly string[]> = useRef([])
  const handledAt = useRef<number | null>(null)
  const notice = (waiting: readonly WaitingItem[]): void => {
    const now = waiting.flatMap(({ id, level }) => (level === 'quiet' ? [] : [id]))
    if (asking.current.some((id) => !now.includes(id))) handledAt.current ??= Date.now()
    asking.current = now
    const isOver = handledAt.current !== null && Date.now() - handledAt.current > TOAST_WITHIN_MS && !isToastThere()
    if (isOver && desktopPermission() === 'default') setHandled(true)
  }
  return [wasHandled, notice]
}

/** Sets the mark of the window's title and icon; while an item alerts, the title names its sender by turns. */
function useTitleMark(): (items: ReturnType<typeof waitingItems>, isAway: boolean) => void {
  const t = useTranslations('notify')
  const senderName = useSenderName()
  return (items, isAway) => {
    const { title, icon } = titleMarkOf(
      items.map(({ waiting }) => waiting),
      isAway,
    )
    const first = items.find(({ waiting }) => waiting.isAlerting)?.row
    setTitleMark(title, first && isSendersTurn() ? t('waitsForYou', { who: senderName(rowSender(first)) }) : null)
    setWindowIcon(icon)
  }
}

/** Never with reduced motion. */
function isSendersTurn(): boolean {
  const isStill = getDisplay().motion === 'reduced' || window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return !isStill && Math.floor(pageClock.now() / TITLE_TURN_MS) % 2 === 1
}

function DesktopPrompt() {
  const t = useTranslations('notify')
  const settle = (): void => void saveSettings({ askedDesktop: true })
  return (
    <NoticeBar
      rank="desktop"
      label={t('askDesktop')}
      action={
        <>
          <Button
            onClick={() => {
              settle()
              void requestDesktopPermission()
            }}
          >
            {t('allow')}
          </Button>
          <Button look="quiet" onClick={settle}>
            {t('notNow')}
          </Button>
        </>
      }
    >
      <b className="font-medium">{t('askDesktop')}</b> <span className="text-t2">{t('askDesktopWhy')}</span>
    </NoticeBar>
  )
}

type WindowIcon = 'plain' | 'dot' | 'urgent'

const SIGN =
  '<rect x="2" y="9" width="14" height="14" rx="4" fill="#0b6166"/><path d="M17 16h4" stroke="#b0761d" stroke-width="2.5" stroke-dasharray="2.4 1.4"/><circle cx="25" cy="16" r="6" fill="#864a2c"/>'
const MARKS: Record<WindowIcon, string> = {
  plain: SIGN,
  dot: `${SIGN}<circle cx="26" cy="6" r="6" fill="#b0761d"/>`,
  urgent:
    '<rect width="32" height="32" rx="7" fill="#b3261e"/><path d="M16 6v13" stroke="#fff" stroke-width="4"/><circle cx="16" cy="25.5" r="2.6" fill="#fff"/>',
}

let shown: WindowIcon = 'plain'

function setWindowIcon(icon: WindowIcon): void {
  if (icon === shown) return
  shown = icon
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARKS[icon]}</svg>`
  for (const old of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"][data-mark]')) old.remove()
  if (icon === 'plain') return
  const link = document.createElement('link')
  link.rel = 'icon'
  link.type = 'image/svg+xml'
  link.dataset.mark = icon
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`
  document.head.append(link)
}

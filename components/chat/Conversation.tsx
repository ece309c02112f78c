/** What was said, in a window that stays at the end unless the reader left it. */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { pageClock } from '@/client/clock'
import { Link, pathTo } from '@/client/nav'
import { useDisplay } from '@/client/theme'
import { announcer } from '@/components/announce/announcer'
import { useCardKeys } from '@/components/request/useCardKeys'
import { useKey } from '@/components/shell/keyboard'
import { selectionBar } from '@/components/shell/lazyParts'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { useCopyLink } from '@/components/ui/useCopyLink'
import { useLazyPart } from '@/components/ui/useLazyPart'
import { formatDay, formatFull } from '@/lib/format'
import type { AgentId, MessageId, SenderId } from '@/lib/mas/ids'
import { asksMe, ConversationLine } from './ConversationLine'
import { type ConversationActions, ConversationActionsProvider } from './conversationActions'
import {
  type Bubble,
  type ChatEntry,
  type ChatLine,
  foldRuns,
  type IsPerson,
  indexOfMessage,
  openRuns,
  type Run,
  runOfMessage,
  withDays,
} from './fns/lines'
import { cursorBefore, firstUnread } from './fns/unread'
import { DayRow, UnreadRow } from './Lines'
import { useReading } from './useReading'
import type { TaskWorld } from './useTaskWorld'

const FLASH_MS = 1_500
const AT_END_PX = 80
const DRAWN_MS = 150
/** About so much of the window is the conversation's, before it is drawn and its own height known. */
const SHARE_OF_WINDOW = 0.6

export type ConversationProps = {
  /** Of the log, for those who hear it. */
  name: string
  /** Where the cursor of what was read is kept. */
  place: string
  me: AgentId
  entries: readonly ChatEntry[]
  /** Only these are shown, agent talk too; null: all. */
  fitting: readonly ChatEntry[] | null
  isPerson: IsPerson
  nameOf: (id: SenderId) => string
  taskOf: (line: ChatEntry | Run) => TaskWorld
  /** It goes over several tasks: each message says which. */
  isTaskNamed?: boolean
  /** All of it has come: what is not here is nowhere. */
  isOpen: boolean
  /** A message to go to. */
  goTo: string | null
  /** The address of all of it, for whoever came for a message that is gone. */
  whole?: string
  onReply: (task: TaskWorld, message: MessageId) => void
  /** Mine that are on their way. */
  pending: readonly ReactNode[]
  /** Above the first line. */
  before?: ReactNode
  /** What stands there while nothing was said. */
  empty: ReactNode
  isTalkShown?: boolean
  /** Picking messages is asked for by a menu outside. */
  selected: ReadonlySet<string> | null
  onSelect: (selected: ReadonlySet<string> | null) => void
}

export function Conversation({
  name,
  place,
  me,
  entries,
  fitting,
  isPerson,
  nameOf,
  taskOf,
  isTaskNamed = false,
  isOpen,
  goTo,
  whole,
  onReply,
  pending,
  before,
  empty,
  isTalkShown: isTalkWanted = false,
  selected,
  onSelect,
}: ConversationProps) {
  const isTalkShown = isTalkWanted || fitting !== null
  const t = useTranslations('chat')
  const tCommon = useTranslations('common')
  const locale = useLocale()
  const timeStyle = useDisplay((display) => display.time)
  const copyLink = useCopyLink()
  const SelectionBar = useLazyPart(selectionBar, selected !== null)
  const scroller = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [flashed, setFlashed] = useState<string | null>(null)
  /** A message that the address names and that is nowhere. */
  const [gone, setGone] = useState<string | null>(null)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const [isLineAbove, setLineAbove] = useState(false)
  const lastSeq = entries.at(-1)?.seq ?? 0
  const { lineAfter, unreadFrom } = useReading(place, { lastSeq, isAtEnd: leftAt === null })

  const runs = useMemo(() => foldRuns(fitting ?? entries, isPerson), [entries, fitting, isPerson])
  const unread = useMemo(() => firstUnread(runs, lineAfter, me), [runs, lineAfter, me])
  const lines = useMemo(() => {
    const words = { today: t('today'), yesterday: t('yesterday') }
    const dayOf = (at: number): string => formatDay(at, { locale, style: timeStyle, now: pageClock.now() }, words)
    return withDays(
      openRuns(runs, (key) => isTalkShown || opened.has(key)),
      dayOf,
    ).map((line) => (line.kind === 'day' ? { ...line, words: dayOf(line.at) } : line))
  }, [runs, isTalkShown, opened, locale, timeStyle, t])

  const focused = useRef<number | null>(null)
  const [firstRect] = useState(() => ({ width: window.innerWidth, height: window.innerHeight * SHARE_OF_WINDOW }))
  const virtual = useVirtualizer({
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
    initialOffset: goTo === null ? Number.MAX_SAFE_INTEGER : 0,
    // With no height at first it would draw nothing, and all of it once more.
    initialRect: firstRect,
    // What has the focus stays mounted when it scrolls away, or a text box would vanish under the fingers.
    rangeExtractor: useCallback((range: Range) => {
      const at = focused.current
      const indexes = defaultRangeExtractor(range)
      return at === null || indexes.includes(at) || at >= range.count ? indexes : [...indexes, at].sort((a, b) => a - b)
    }, []),
  })

  const bubbleOf = (id: string): Bubble | null => {
    const line = lines[indexOfMessage(lines, id)]
    return line?.kind === 'bubble' ? line : null
  }
  const reply = useCallback((task: TaskWorld, message: MessageId) => onReply(task, message), [onReply])
  const copyMarkdown = async (picked: readonly ChatLine[]): Promise<void> => {
    const { linesAsMarkdown } = await selectionBar.load()
    const text = linesAsMarkdown(picked, {
      nameOf: (id) => nameOf(id),
      timeOf: (at) => formatFull(at, { locale, style: timeStyle }),
      hrefOf: (line) => new URL(hrefOf(line), window.location.href).href,
    })
    copyText(text, tCommon('copied'))
  }
  const toggle = (line: Bubble): void => {
    const next = new Set(selected ?? [])
    if (!next.delete(line.key)) next.add(line.key)
    onSelect(next)
  }
  const latest = useRef({ copyLink, copyMarkdown, unreadFrom, toggle })
  latest.current = { copyLink, copyMarkdown, unreadFrom, toggle }
  // The same while nobody picks: whatever is new here draws every card again.
  const acts = useMemo<ConversationActions>(
    () => ({
      copyLink: (line) => latest.current.copyLink(hrefOf(line)),
      copyMarkdown: (picked) => void latest.current.copyMarkdown(picked),
      unreadFrom: (line) => latest.current.unreadFrom(cursorBefore(line)),
      selected,
      toggle: (line) => latest.current.toggle(line),
      isTaskNamed,
    }),
    [selected, isTaskNamed],
  )
  const withBubble = (act: (line: Bubble) => void) => (id: string) => {
    const line = bubbleOf(id)
    if (line) act(line)
  }
  useCardKeys(scroller, {
    onReply: withBubble((line) => reply(taskOf(line), line.id)),
    // Without a message the page itself is meant.
    onCopyLink: (id) => (id === null ? copyLink(window.location.href) : withBubble(acts.copyLink)(id)),
    onUnread: withBubble(acts.unreadFrom),
  })

  // Heights are known once it is drawn.
  const fromItsHead = useCallback(
    (at: number): void =>
      void setTimeout(() => {
        const box = scroller.current
        const row = box?.querySelector<HTMLElement>(`[data-index="${at}"]`)
        // A card that is higher than the window is read from its question on, not from its buttons.
        if (box && row && row.offsetHeight > box.clientHeight) virtual.scrollToIndex(at, { align: 'start' })
      }, DRAWN_MS),
    [virtual],
  )
  // Once per place: show the end, or the message that the address names.
  const arrived = useRef<string | null>(null)
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
      if (isFirst && last && last.kind !== 'day' && asksMe(last, taskOf(last))) fromItsHead(lines.length - 1)
      return
    }
    const at = indexOfMessage(lines, goTo)
    if (at < 0) {
      const run = runOfMessage(runs, goTo)
      if (run) setOpened((old) => new Set([...old, run.key]))
      else if (isOpen) {
        arrived.current = goal
        setGone(goTo)
        virtual.scrollToEnd()
      }
      return
    }
    arrived.current = goal
    virtual.scrollToIndex(at, { align: 'center' })
    fromItsHead(at)
    setFlashed(goTo)
  }, [goTo, hasLines, lines, runs, virtual, taskOf, isOpen, fromItsHead])
  useEffect(() => {
    // Joins the clock: a place is flashed once.
    if (flashed === null) return
    const timer = setTimeout(() => setFlashed(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [flashed])

  const pendingCount = pending.length
  const wasPending = useRef(0)
  useEffect(() => {
    // Joins the scroll position: what I just sent is shown.
    if (pendingCount > wasPending.current) virtual.scrollToEnd()
    wasPending.current = pendingCount
    if (pendingCount > 0) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [pendingCount, virtual])

  const heardTo = useRef(lastSeq)
  useEffect(() => {
    // Joins the announcer: what is not to me counts where several are told of at once.
    for (const entry of entries) {
      if (entry.seq <= heardTo.current || entry.kind !== 'bubble') continue
      const isOthers = entry.sender !== me && !entry.receivers.includes(me)
      if (isOthers && (isPerson(entry.sender) || entry.receivers.some(isPerson))) announcer.message(entry.id, null)
    }
    heardTo.current = lastSeq
  }, [entries, lastSeq, me, isPerson])

  /** The very end was in sight when the window on the chat was last as high as it is. */
  const sawEnd = useRef(true)
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let height = box.clientHeight
    // Joins the height: a bar above it or the keyboard of a phone takes nothing away from whoever reads the end.
    const watcher = new ResizeObserver(() => {
      if (box.clientHeight === height) return
      height = box.clientHeight
      if (sawEnd.current) box.scrollTop = box.scrollHeight
    })
    watcher.observe(box)
    return () => watcher.disconnect()
  }, [])

  const newer = leftAt === null ? 0 : entries.filter(({ seq }) => seq > leftAt).length
  const unreadAt = unread === null ? -1 : lines.findIndex(({ key }) => key === unread.key)
  const onScroll = (): void => {
    const box = scroller.current
    if (!box) return
    // With the head of the last line in sight there is nothing to jump to.
    const last = box.querySelector<HTMLElement>(`[data-index="${lines.length - 1}"]`)?.getBoundingClientRect().top
    const isLastSeen = last !== undefined && last < box.getBoundingClientRect().bottom - AT_END_PX
    sawEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX
    const isAtEnd = isLastSeen || sawEnd.current
    setLeftAt((old) => (isAtEnd ? null : (old ?? lastSeq)))
    const first = virtual.getVirtualItemForOffset(box.scrollTop)?.index ?? 0
    setLineAbove(unreadAt >= 0 && unreadAt < first)
  }

  const total = virtual.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height may put the end out of sight.
  useEffect(() => {
    // Joins the scroll position: opened runs move the end away without a scroll.
    const frame = requestAnimationFrame(onScroll)
    return () => cancelAnimationFrame(frame)
  }, [total, unreadAt])

  const toggleFocusedRun = (): void => {
    const here = document.activeElement?.closest<HTMLElement>('[data-kind=run]')
    const run = here ?? [...(scroller.current?.querySelectorAll<HTMLElement>('[data-kind=run]') ?? [])].at(-1)
    run?.click()
  }
  useKey('x', t('key.fold'), runs.some(({ kind }) => kind === 'run') ? toggleFocusedRun : null)
  const toggleRun = useCallback(
    (key: string): void =>
      setOpened((old) => (old.has(key) ? new Set([...old].filter((one) => one !== key)) : new Set([...old, key]))),
    [],
  )
  return (
    <ConversationActionsProvider value={acts}>
      <div className="relative flex min-h-0 grow flex-col">
        {whole !== undefined && gone !== null && gone === goTo ? (
          <p role="status" className="border-b border-line bg-s2 px-5 py-2 text-table text-t2 max-md:px-4">
            {t('messageGone')}{' '}
            <Link href={whole} className="link">
              {t('toNewest')}
            </Link>
          </p>
        ) : null}
        <div
          ref={scroller}
          data-scroll
          role="log"
          aria-live="off"
          aria-label={name}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so keys must reach it.
          tabIndex={0}
          onScroll={onScroll}
          onFocus={(event) => {
            const row = event.target.closest('[data-index]')
            focused.current = row ? Number(row.getAttribute('data-index')) : null
          }}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) focused.current = null
          }}
          className="min-h-0 grow overflow-y-auto px-5 outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 max-md:px-4"
        >
          {before}
          {lines.length === 0 && pending.length === 0 ? empty : null}
          <div className="relative w-full" style={{ height: total }}>
            {virtual.getVirtualItems().map((item) => {
              const line = lines[item.index]
              if (line === undefined) return null
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {item.index === unreadAt && unread ? <UnreadRow count={unread.count} /> : null}
                  {line.kind === 'day' ? (
                    <DayRow words={'words' in line ? line.words : ''} />
                  ) : (
                    <ConversationLine
                      line={line}
                      task={taskOf(line)}
                      flashed={flashed}
                      isRunOpen={isTalkShown || opened.has(line.key)}
                      onToggle={toggleRun}
                      onReply={reply}
                    />
                  )}
                </div>
              )
            })}
          </div>
          {pending.length > 0 ? <div className="flex flex-col gap-1.5 pb-3">{pending}</div> : null}
        </div>
        {isLineAbove ? (
          <Button
            className="absolute top-2 left-1/2 z-sticky -translate-x-1/2"
            icon={<ArrowUp aria-hidden />}
            onClick={() => virtual.scrollToIndex(unreadAt, { align: 'start' })}
          >
            {t('jumpUnread')}
          </Button>
        ) : null}
        {leftAt === null ? null : (
          <Button
            className="absolute right-6 bottom-2 z-sticky"
            icon={<ArrowDown aria-hidden />}
            onClick={() => virtual.scrollToEnd()}
          >
            {newer > 0 ? t('jumpNew', { count: newer }) : t('jump')}
          </Button>
        )}
      </div>
      {selected === null || SelectionBar === null ? null : (
        <SelectionBar
          count={selected.size}
          onCopy={() => {
            void copyMarkdown(lines.filter((line) => selected.has(line.key)))
            onSelect(null)
          }}
          onCopyAll={() => void copyMarkdown(entries)}
          onEnd={() => onSelect(null)}
        />
      )}
    </ConversationActionsProvider>
  )
}

const hrefOf = (line: Bubble): string => pathTo('message', { taskId: line.messages[0]?.task ?? '', messageId: line.id })

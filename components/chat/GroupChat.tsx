/**
 * The group chat of a task: its lines in a window that stays at the end unless the reader left it, and the composer.
 *
 * Owns: scrolling, “Jump to now”, “Show agent talk”, going to one message and flashing it once, the keys of the list.
 * Not here: which lines there are (fns/lines.ts), how each looks.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useConnection } from '@/client'
import { pageClock } from '@/client/clock'
import { setSearch } from '@/client/nav'
import { type MessageWish, takeBackMessage, useOutbox } from '@/client/outbox'
import { useDisplay } from '@/client/theme'
import { faceOf } from '@/components/request'
import { useCardKeys } from '@/components/request/useCardKeys'
import { Button } from '@/components/ui/Button'
import { Checkbox } from '@/components/ui/Choice'
import { EmptyState } from '@/components/ui/States'
import { formatDay } from '@/lib/format'
import type { MessageId } from '@/lib/mas/ids'
import { Composer, replyTo } from './Composer'
import { foldRuns, indexOfMessage, type Line, openRuns, runOfMessage, withDays } from './fns/lines'
import { DayLine, RequestLine, RunLine, SystemLine } from './Lines'
import { MessageCard } from './MessageCard'
import { Pending } from './Pending'
import type { TaskWorld } from './useTaskWorld'
import { WhyNotWrite } from './WhyNotWrite'

const FLASH_MS = 1_500
const AT_END_PX = 80
const DRAWN_MS = 150

export function GroupChat({ task, goTo, reply }: { task: TaskWorld; goTo: string | null; reply: string | null }) {
  const t = useTranslations('chat')
  const locale = useLocale()
  const timeStyle = useDisplay((display) => display.time)
  const { word } = useConnection()
  const scroller = useRef<HTMLDivElement>(null)
  const [isTalkShown, setTalkShown] = useState(false)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [flashed, setFlashed] = useState<string | null>(null)
  /** Taken back out of the outbox, for the composer. */
  const [edited, setEdited] = useState<MessageWish | null>(null)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const pending = useOutbox(task.id)

  const runs = useMemo(() => foldRuns(task.entries, task.isPerson), [task.entries, task.isPerson])
  const lines = useMemo(() => {
    const words = { today: t('today'), yesterday: t('yesterday') }
    const dayOf = (at: number): string => formatDay(at, { locale, style: timeStyle, now: pageClock.now() }, words)
    return withDays(
      openRuns(runs, (key) => isTalkShown || opened.has(key)),
      dayOf,
    ).map((line) => (line.kind === 'day' ? { ...line, words: dayOf(line.at) } : line))
  }, [runs, isTalkShown, opened, locale, timeStyle, t])

  const focused = useRef<number | null>(null)
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
    // What has the focus stays mounted when it scrolls away, or a text box would vanish under the fingers.
    rangeExtractor: useCallback((range: Range) => {
      const at = focused.current
      const indexes = defaultRangeExtractor(range)
      return at === null || indexes.includes(at) || at >= range.count ? indexes : [...indexes, at].sort((a, b) => a - b)
    }, []),
  })

  const onReply = useCallback((message: MessageId) => replyTo(task, message), [task])
  useCardKeys(scroller, { onReply: (id) => onReply(id as MessageId) })

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
      if (isFirst && asksMe(lines.at(-1), task)) fromItsHead(lines.length - 1)
      return
    }
    const at = indexOfMessage(lines, goTo)
    if (at < 0) {
      const run = runOfMessage(runs, goTo)
      if (run) setOpened((old) => new Set([...old, run.key]))
      else if (task.status.status === 'open') arrived.current = goal
      return
    }
    arrived.current = goal
    virtual.scrollToIndex(at, { align: 'center' })
    fromItsHead(at)
    setFlashed(goTo)
  }, [goTo, hasLines, lines, runs, virtual, task, fromItsHead])
  useEffect(() => {
    // Joins the clock: a place is flashed once.
    if (flashed === null) return
    const timer = setTimeout(() => setFlashed(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [flashed])

  const taskId = task.task?.id ?? null
  useEffect(() => {
    // Joins the address: `?reply=` begins an answer, once.
    if (reply === null || taskId === null || task.messages[reply as MessageId] === undefined) return
    replyTo(task, reply as MessageId)
    setSearch({ reply: null }, { replace: true })
  }, [reply, taskId, task])

  const pendingCount = pending.length
  const wasPending = useRef(0)
  useEffect(() => {
    // Joins the scroll position: what I just sent is shown.
    if (pendingCount > wasPending.current) virtual.scrollToEnd()
    wasPending.current = pendingCount
    if (pendingCount > 0) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [pendingCount, virtual])

  const lastSeq = task.entries.at(-1)?.seq ?? 0
  const newer = leftAt === null ? 0 : task.entries.filter(({ seq }) => seq > leftAt).length
  const onScroll = (): void => {
    const box = scroller.current
    if (!box) return
    // With the head of the last line in sight there is nothing to jump to.
    const last = box.querySelector<HTMLElement>(`[data-index="${lines.length - 1}"]`)?.getBoundingClientRect().top
    const isLastSeen = last !== undefined && last < box.getBoundingClientRect().bottom - AT_END_PX
    const isAtEnd = isLastSeen || box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX
    setLeftAt((old) => (isAtEnd ? null : (old ?? lastSeq)))
  }
  const takeBackLast = (): ReturnType<typeof takeBackMessage> => {
    const last = pending.findLast(({ state }) => state === 'failed' || state === 'waiting')
    return last ? takeBackMessage(last.localId) : null
  }

  const total = virtual.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height may put the end out of sight.
  useEffect(() => {
    // Joins the scroll position: opened runs move the end away without a scroll.
    const frame = requestAnimationFrame(onScroll)
    return () => cancelAnimationFrame(frame)
  }, [total])

  const items = virtual.getVirtualItems()
  const toggle = (key: string): void =>
    setOpened((old) => (old.has(key) ? new Set([...old].filter((one) => one !== key)) : new Set([...old, key])))
  const hasTalk = runs.some(({ kind }) => kind === 'run')
  return (
    <>
      {hasTalk ? (
        <div className="relative h-0 shrink-0">
          <span className="absolute right-5 bottom-1.5 max-md:right-4 max-md:bottom-0">
            <Checkbox label={t('showTalk')} isChecked={isTalkShown} onChange={setTalkShown} />
          </span>
        </div>
      ) : null}
      <div className="relative flex min-h-0 grow flex-col">
        <div
          ref={scroller}
          data-scroll
          role="log"
          aria-live="off"
          aria-label={t('log', { task: task.task?.name ?? '' })}
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
          {lines.length === 0 && pending.length === 0 ? (
            <EmptyState title={t('empty')}>{t('emptyWhy')}</EmptyState>
          ) : null}
          <div className="relative w-full" style={{ height: total }}>
            {items.map((item) => {
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
                  <OneLine
                    line={line}
                    task={task}
                    flashed={flashed}
                    isRunOpen={isTalkShown || opened.has(line.key)}
                    onToggle={toggle}
                    onReply={onReply}
                  />
                </div>
              )
            })}
          </div>
          {pending.length > 0 ? (
            <div className="flex flex-col gap-1.5 pb-3">
              {pending.map((item) => (
                <Pending
                  key={item.localId}
                  item={item}
                  task={task}
                  isOffline={word === 'offline' || word === 'signed-out'}
                  onEdit={(wish) => setEdited(wish)}
                />
              ))}
            </div>
          ) : null}
        </div>
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
      <WhyNotWrite task={task}>
        <Composer task={task} takeBackLast={takeBackLast} edited={edited} onRestored={() => setEdited(null)} />
      </WhyNotWrite>
    </>
  )
}

/** A line that asks something of whoever looks. */
function asksMe(line: DrawnLine | undefined, { me, requestsOf }: TaskWorld): boolean {
  const requests =
    line?.kind === 'request'
      ? [line.request]
      : line?.kind === 'bubble'
        ? line.messages.flatMap(({ id }) => requestsOf.get(id) ?? [])
        : []
  return requests.some((one) => faceOf(one) === 'open' && one.asked.includes(me))
}

type DrawnLine = Line | (Extract<Line, { kind: 'day' }> & { words: string })

function OneLine({
  line,
  task,
  flashed,
  isRunOpen,
  onToggle,
  onReply,
}: {
  line: DrawnLine
  task: TaskWorld
  flashed: string | null
  isRunOpen: boolean
  onToggle: (key: string) => void
  onReply: (message: MessageId) => void
}) {
  const isHere = (ids: readonly string[]): boolean => flashed !== null && ids.includes(flashed)
  switch (line.kind) {
    case 'day':
      return <DayLine words={'words' in line ? line.words : ''} />
    case 'run':
      return <RunLine run={line} task={task} isOpen={isRunOpen} onToggle={() => onToggle(line.key)} />
    case 'system':
      return <SystemLine entry={line} isFlashed={isHere(line.messages.map(({ id }) => id))} />
    case 'request':
      return (
        <RequestLine
          entry={line}
          task={task}
          isFlashed={isHere([line.request.id, line.request.message ?? line.request.id])}
        />
      )
    case 'bubble':
      return (
        <MessageCard
          bubble={line}
          task={task}
          isFlashed={isHere(line.messages.map(({ id }) => id))}
          onReply={onReply}
        />
      )
  }
}

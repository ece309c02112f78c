/** The messages of a conversation in a window that follows the end until the reader leaves it. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import { pageClock } from '@/client/clock'
import { Link } from '@/client/nav'
import { messageText } from '@/client/readersWords'
import { announcer } from '@/components/announce/announcer'
import { useCardKeys } from '@/components/request/card/useCardKeys'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { useCopyLink } from '@/components/ui/useCopyLink'
import { useStable } from '@/components/ui/useStable'
import { formatDay, formatFull } from '@/lib/format'
import type { MessageId } from '@/lib/mas/ids'
import { ConversationLine } from './ConversationLine'
import { type ConversationActions, ConversationActionsProvider, hrefOfBubble } from './conversationActions'
import {
  type Bubble,
  type ChatEntry,
  type ChatLine,
  cursorBefore,
  firstUnread,
  foldRuns,
  indexOfMessage,
  openRuns,
  type Run,
  withDays,
} from './fns/lines'
import { DayRow, UnreadRow } from './Lines'
import { SelectionBar, selectionFile } from './lazy'
import type { NarrowedChat } from './useChatFilter'
import { useArrival, useConversationWindow, useFollowEnd } from './useConversationWindow'
import { useReading } from './useReading'
import type { ChatPeople, TaskWorld } from './useTaskWorld'

type ConversationProps = {
  name: string
  place: string
  people: ChatPeople
  entries: readonly ChatEntry[]
  /** Entries that fit the filter are shown, agents' talk too. */
  narrowed: NarrowedChat
  taskOf: (line: ChatEntry | Run) => TaskWorld
  /** The conversation spans several tasks: each message names its own. */
  isTaskNamed?: boolean
  /** A message to scroll to. */
  goTo: string | null
  /** The address of the whole conversation, offered when `goTo` is gone. */
  whole?: string
  onReply: (task: TaskWorld, message: MessageId) => void
  /** My messages that are being sent. */
  pending: readonly ReactNode[]
  /** Above the first line. */
  before?: ReactNode
  /** In place of an empty list. */
  empty: ReactNode
  isTalkShown?: boolean
  /** Keys of the selected messages; null: nothing is being selected. */
  selected: ReadonlySet<string> | null
  onSelect: (selected: ReadonlySet<string> | null) => void
}

export function Conversation(props: ConversationProps) {
  const { place, people, entries, narrowed, taskOf, goTo, onReply, pending, selected, onSelect } = props
  const { me, isPerson } = people
  const t = useTranslations('chat')
  const { fitting } = narrowed
  const isTalkShown = props.isTalkShown === true || fitting !== null
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  /** The newest entry when the reader left the end; null: they are there. */
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const lastSeq = entries.at(-1)?.seq ?? 0
  const { lineAfter, unreadFrom } = useReading(place, { lastSeq, isAtEnd: leftAt === null })
  const runs = useMemo(() => foldRuns(fitting ?? entries, isPerson), [entries, fitting, isPerson])
  const unread = useMemo(() => firstUnread(runs, lineAfter, me), [runs, lineAfter, me])
  const isRunOpen = useCallback((key: string) => isTalkShown || opened.has(key), [isTalkShown, opened])
  const lines = useLines(runs, isRunOpen)
  const unreadAt = unread === null ? -1 : lines.findIndex(({ key }) => key === unread.key)

  const list = useConversationWindow(lines, goTo === null)
  const { scroller, virtual, focusRow } = list
  const toggleRun = useCallback((key: string): void => setOpened((old) => toggled(old, key)), [])
  const openRun = useCallback((key: string): void => setOpened((old) => new Set([...old, key])), [])
  const { flashed, gone } = useArrival(list, lines, { goTo, runs, taskOf, openRun })
  const { isUnreadAbove, onScroll } = useFollowEnd(list, {
    count: lines.length,
    lastSeq,
    unreadAt,
    pendingCount: pending.length,
    setLeftAt,
  })
  useAnnounceOthers(entries, people)
  const { actions, copyMarkdown } = useActions(props, unreadFrom)
  useConversationKeys({ scroller, lines, actions, taskOf, onReply, hasRuns: runs.some(({ kind }) => kind === 'run') })

  const drawLine = (line: ChatLine | undefined): ReactNode =>
    line === undefined ? null : line.kind === 'day' ? (
      <DayRow words={line.words} />
    ) : (
      <ConversationLine
        line={line}
        task={taskOf(line)}
        flashed={flashed}
        isRunOpen={isRunOpen(line.key)}
        onToggle={toggleRun}
        onReply={onReply}
      />
    )
  const newer = leftAt === null ? 0 : entries.filter(({ seq }) => seq > leftAt).length
  return (
    <ConversationActionsProvider value={actions}>
      <div className="relative flex min-h-0 grow flex-col">
        {props.whole !== undefined && gone !== null && gone === goTo ? <GoneNotice whole={props.whole} /> : null}
        {isUnreadAbove ? (
          // Above the list and not over it, where it would cover the head of a card.
          <div className="flex shrink-0 justify-center py-1">
            <Button icon={<ArrowUp />} onClick={() => virtual.scrollToIndex(unreadAt, { align: 'start' })}>
              {t('jumpUnread')}
            </Button>
          </div>
        ) : null}
        <div
          ref={scroller}
          data-scroll
          role="log"
          aria-live="off"
          aria-label={props.name}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so keys must reach it.
          tabIndex={0}
          onScroll={onScroll}
          onFocus={({ target }) => {
            const row = target.closest('[data-index]')
            focusRow(row ? Number(row.getAttribute('data-index')) : null)
          }}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) focusRow(null)
          }}
          className="min-h-0 grow overflow-y-auto px-5 outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 max-md:px-4"
        >
          {props.before}
          {lines.length === 0 && pending.length === 0 ? (narrowed.empty ?? props.empty) : null}
          <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {index === unreadAt && unread ? <UnreadRow count={unread.count} /> : null}
                {drawLine(lines[index])}
              </div>
            ))}
          </div>
          {pending.length > 0 ? <div className="flex flex-col gap-1.5 pb-3">{pending}</div> : null}
        </div>
        {leftAt === null ? null : <JumpToEnd newer={newer} onClick={() => virtual.scrollToEnd()} />}
      </div>
      <Selection selected={selected} onSelect={onSelect} lines={lines} entries={entries} copyMarkdown={copyMarkdown} />
    </ConversationActionsProvider>
  )
}

const toggled = (set: ReadonlySet<string> | null, key: string): ReadonlySet<string> => {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The runs with their opened entries, and the days in the reader's words. */
function useLines(runs: readonly (ChatEntry | Run)[], isRunOpen: (key: string) => boolean) {
  const t = useTranslations('chat')
  const { locale, style, zone } = useTimeStyle()
  return useMemo(() => {
    const words = { today: t('today'), yesterday: t('yesterday') }
    const dayOf = (at: number): string => formatDay(at, { locale, style, zone, now: pageClock.now() }, words)
    return withDays(openRuns(runs, isRunOpen), dayOf)
  }, [runs, isRunOpen, locale, style, zone, t])
}

/** Counts messages among others for the announcer, which sums them up. */
function useAnnounceOthers(entries: readonly ChatEntry[], { me, isPerson }: ChatPeople): void {
  const lastSeq = entries.at(-1)?.seq ?? 0
  const announcedTo = useRef(lastSeq)
  useEffect(() => {
    for (const entry of entries) {
      if (entry.seq <= announcedTo.current || entry.kind !== 'bubble') continue
      const isOthers = entry.sender !== me && !entry.receivers.includes(me)
      if (isOthers && (isPerson(entry.sender) || entry.receivers.some(isPerson))) announcer.message(entry.id, null)
    }
    announcedTo.current = lastSeq
  }, [entries, lastSeq, me, isPerson])
}

/** What a reader can do with messages; the same object while nothing is selected, or every card would be drawn again. */
function useActions(
  { people, selected, onSelect, isTaskNamed = false }: ConversationProps,
  unreadFrom: (cursor: number) => void,
) {
  const tCommon = useTranslations('common')
  const how = useTimeStyle()
  const copyLink = useCopyLink()
  const copyMarkdown = async (picked: readonly ChatLine[]): Promise<void> => {
    const { linesAsMarkdown } = await selectionFile()
    const text = linesAsMarkdown(picked, {
      nameOf: (id) => people.who(id).name,
      textOf: messageText,
      timeOf: (at) => formatFull(at, how),
      hrefOf: (line) => new URL(hrefOfBubble(line), window.location.href).href,
    })
    copyText(text, tCommon('copied'))
  }
  const copyLinkTo = useStable((line: Bubble) => copyLink(hrefOfBubble(line)))
  const copy = useStable((picked: readonly Bubble[]) => void copyMarkdown(picked))
  const unreadAt = useStable((line: Bubble) => unreadFrom(cursorBefore(line)))
  const toggle = useStable((line: Bubble) => onSelect(toggled(selected, line.key)))
  const actions = useMemo<ConversationActions>(
    () => ({ copyLink: copyLinkTo, copyMarkdown: copy, unreadFrom: unreadAt, selected, toggle, isTaskNamed }),
    [copyLinkTo, copy, unreadAt, selected, toggle, isTaskNamed],
  )
  return { actions, copyMarkdown }
}

type UseConversationKeysOptions = Pick<ConversationProps, 'taskOf' | 'onReply'> & {
  scroller: React.RefObject<HTMLDivElement | null>
  lines: readonly ChatLine[]
  actions: ConversationActions
  hasRuns: boolean
}

function useConversationKeys({ scroller, lines, actions, taskOf, onReply, hasRuns }: UseConversationKeysOptions): void {
  const copyLink = useCopyLink()
  const withBubble = (act: (line: Bubble) => void) => (id: string) => {
    const line = lines[indexOfMessage(lines, id)]
    if (line?.kind === 'bubble') act(line)
  }
  useCardKeys(scroller, {
    onReply: withBubble((line) => onReply(taskOf(line), line.id)),
    // Without a focused message it is the page's own address.
    onCopyLink: (id) => (id === null ? copyLink(window.location.href) : withBubble(actions.copyLink)(id)),
    onUnread: withBubble(actions.unreadFrom),
  })
  const toggleFocusedRun = (): void => {
    const here = document.activeElement?.closest<HTMLElement>('[data-kind=run]')
    const run = here ?? [...(scroller.current?.querySelectorAll<HTMLElement>('[data-kind=run]') ?? [])].at(-1)
    run?.click()
  }
  useAction('fold', 'conversation', { run: hasRuns ? toggleFocusedRun : null })
}

/** newer: entries since the reader left the end */
function JumpToEnd({ newer, onClick }: { newer: number; onClick: () => void }) {
  const t = useTranslations('chat')
  return (
    <Button className="absolute right-6 bottom-2 z-sticky" icon={<ArrowDown />} onClick={onClick}>
      {newer > 0 ? t('jumpNew', { count: newer }) : t('jump')}
    </Button>
  )
}

function GoneNotice({ whole }: { whole: string }) {
  const t = useTranslations('chat')
  return (
    <p role="status" className="border-b border-line bg-s2 px-5 py-2 text-table text-t2 max-md:px-4">
      {t('messageGone')}{' '}
      <Link href={whole} className="link">
        {t('toNewest')}
      </Link>
    </p>
  )
}

type SelectionProps = Pick<ConversationProps, 'selected' | 'onSelect' | 'entries'> & {
  lines: readonly ChatLine[]
  copyMarkdown: (lines: readonly ChatLine[]) => Promise<void>
}

function Selection({ selected, onSelect, lines, entries, copyMarkdown }: SelectionProps) {
  if (selected === null) return null
  return (
    <SelectionBar
      count={selected.size}
      onCopy={() => {
        void copyMarkdown(lines.filter((line) => selected.has(line.key)))
        onSelect(null)
      }}
      onCopyAll={() => void copyMarkdown(entries)}
      onEnd={() => onSelect(null)}
    />
  )
}

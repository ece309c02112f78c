/** The lines of a conversation that are no bubbles: days, the unread line, system messages, runs, requests. */
import { ChevronDown, ChevronRight, Layers, MessageCircleQuestionMark } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useSightRef } from '@/client/onScreen'
import { endText, messageText, questionText } from '@/client/readersWords'
import { RequestCard, RequestOutcome, shownFromWorld, useNames } from '@/components/request'
import { cx } from '@/components/ui/cx'
import { AvatarRow } from '@/components/ui/marks/Avatar'
import { TimeText, useClockText } from '@/components/ui/marks/Time'
import { isOpen } from '@/lib/mas/statuses'
import type { ChatRequest as RequestEntry, Run, SystemLine as SystemEntry } from './fns/lines'
import { talkersOf } from './fns/lines'
import { AnswerFor } from './lazy'
import { WaitsOn } from './message/WaitsOn'
import type { TaskWorld } from './useTaskWorld'

export function DayRow({ words }: { words: string }) {
  return (
    <div className="flex items-center gap-3 py-1.5 text-meta text-t3">
      <span aria-hidden className="grow border-t border-line" />
      {words}
      <span aria-hidden className="grow border-t border-line" />
    </div>
  )
}

export function UnreadRow({ count }: { count: number }) {
  const t = useTranslations('chat')
  return (
    <div data-kind="unread" className="flex items-center gap-3 pb-2 text-meta text-accent">
      <span aria-hidden className="grow border-t border-accent" />
      {t('unread', { count })}
      <span aria-hidden className="grow border-t border-accent" />
    </div>
  )
}

/** Said in its own task, where the result is above the chat. */
const isEnd = ({ messages }: SystemEntry): boolean =>
  messages.some(({ instruction }) => instruction?.type === 'finish_task')

export function SystemRow({ entry, isFlashed }: { entry: SystemEntry; isFlashed: boolean }) {
  return (
    <p
      ref={useSightRef(entry.messages[0]?.id ?? null)}
      data-id={entry.messages[0]?.id}
      data-kind="system"
      data-seq={entry.seq}
      className={cx('flex gap-2.5 px-3 py-0.5 text-table text-t3', isFlashed && 'animate-flash')}
    >
      <span aria-hidden className="flex w-7 shrink-0 justify-center pt-0.5">
        <Layers className="size-3.5" />
      </span>
      <span className="min-w-0 break-words">
        {isEnd(entry) ? endText(entry) : messageText(entry)} <TimeText at={entry.at} isClock className="text-meta" />
      </span>
    </p>
  )
}

type RunRowProps = { run: Run; task: TaskWorld; isOpen: boolean; onToggle: () => void }

export function RunRow({ run, task, isOpen, onToggle }: RunRowProps) {
  const t = useTranslations('chat')
  const namesOf = useNames()
  const clockOf = useClockText()
  const talkers = talkersOf(run).map(task.who)
  const people = talkers.filter(({ kind }) => kind !== 'system')
  const count = run.entries.length
  const words =
    people.length === 1
      ? t('runTo', { count, who: people[0]?.name ?? '' })
      : people.length <= 3
        ? t('runBetween', { count, names: namesOf(people.map(({ name }) => name)) })
        : t('runAmong', { count, agents: people.length })
  const from = clockOf(run.at)
  const until = clockOf(run.until)
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={words}
      data-kind="run"
      data-seq={run.seq}
      onClick={onToggle}
      className="flex w-full items-center gap-2.5 rounded-control px-3 py-1 text-left text-table text-t2 hover:bg-hover touch:min-h-11"
    >
      <span aria-hidden className="flex w-7 shrink-0 justify-center text-t3">
        {isOpen ? <ChevronDown className="size-4" /> : <ChevronRight className="size-4" />}
      </span>
      <span aria-hidden className="max-md:hidden">
        <AvatarRow people={people} size={20} max={3} />
      </span>
      <span className="min-w-0">
        {words}
        <span className="text-t3"> · {from === until ? from : `${from}-${until}`}</span>
      </span>
    </button>
  )
}

type RequestLineRowProps = { entry: RequestEntry; task: TaskWorld; isFlashed: boolean }

/** A request without a message: a card for those who are asked, a line for the others. */
export function RequestLineRow({ entry, task, isFlashed }: RequestLineRowProps) {
  const t = useTranslations()
  const namesOf = useNames()
  const { request } = entry
  const shown = shownFromWorld(task.world, request, task.me)
  const isMine = request.asked.includes(task.me)
  if (isMine) {
    return (
      <div className={cx(isFlashed && 'animate-flash')}>
        <RequestCard shown={shown} place="list" isMine />
      </div>
    )
  }
  return (
    <div
      data-id={request.id}
      data-kind={request.kind}
      data-state={request.state}
      data-seq={entry.seq}
      className={cx('flex gap-2.5 px-3 py-1 text-table text-t2', isFlashed && 'animate-flash')}
    >
      <span aria-hidden className="flex w-7 shrink-0 justify-center pt-0.5 text-t3">
        <MessageCircleQuestionMark className="size-3.5" />
      </span>
      <div className="min-w-0 break-words">
        {request.kind === 'part'
          ? t('chat.partOf', { names: namesOf(shown.asked.map(({ name }) => name)), goal: questionText(request) })
          : questionText(request)}
        {isOpen(request) ? (
          <div className="mt-0.5 flex flex-wrap items-center gap-x-2.5">
            <WaitsOn names={shown.asked.map(({ name }) => name)} since={request.openedAt} />
            {task.isOperator ? <AnswerFor request={request} task={task} /> : null}
          </div>
        ) : (
          <RequestOutcome shown={shown} />
        )}
      </div>
    </div>
  )
}

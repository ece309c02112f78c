/** One row of the inbox, of any view: a link that opens its item, and what can be done with it at once. */
import { Bell, Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, withSearch } from '@/client/nav'
import { useSightRef } from '@/client/onScreen'
import { messageText, questionText, taskTitle } from '@/client/readersWords'
import { noticeHref, noticeTask, useNoticeText } from '@/components/notices/NoticeItem'
import { useNames, useReportShown, useRequestName } from '@/components/request'
import { DueTime } from '@/components/request/card/DueTime'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { DraftMark } from '@/components/ui/marks/DraftMark'
import { ItemLine } from '@/components/ui/marks/ItemLine'
import { Elapsed, TimeText } from '@/components/ui/marks/Time'
import { Dash } from '@/components/ui/marks/WaitLine'
import { firstWords } from '@/lib/format/plainText'
import { isAwaited } from '@/lib/mas/asks/requests'
import { isOpen } from '@/lib/mas/statuses'
import type { MessageRow, RequestRow, WaitingRow, Who } from '@/lib/wire/rows'
import { type InboxRow, isAlertingRow, isOpenRow, itemOf } from './rows'

/** Letters that are drawn; the width cuts the rest. */
const TEXT_LENGTH = 240
/** Letters that two lines of the narrowest list hold. */
const READ_LENGTH = 60

type ItemRowProps = {
  row: InboxRow
  isChosen: boolean
  onOpen: () => void
  /** Of a selection; absent: nothing is being selected. */
  box?: ReactNode
  /** What can be done at once: shown while the row is pointed at or has the focus. */
  acts?: ReactNode
  /** Below it: until when it is snoozed. */
  children?: ReactNode
}

/** What a row says in the shape of every item, and how it is called. */
type Said = {
  label: string
  who: Who | null
  name: string
  place?: string
  text: ReactNode
  end: ReactNode
  isNew?: boolean
  href: string
}

export function ItemRow({ row, isChosen, onOpen, box, acts, children }: ItemRowProps) {
  const t = useTranslations()
  const { label, who, name, place, text, end, isNew, href } = useSaid(row)
  const isAlerting = isAlertingRow(row)
  const short = row.kind === 'message' && isReadInRow(row) ? row.message.id : null
  useReportShown(short ?? '', short !== null && row.kind === 'message' && row.outcome.shownAt === null ? [short] : [])
  return (
    <div
      ref={useSightRef(short)}
      data-item={itemOf(row)}
      data-kind={row.kind}
      data-state={stateOf(row)}
      className={cx(
        'group/item relative flex items-start gap-3 border-b border-line border-l-[3px] py-2.5 pr-3 pl-2.5',
        isAlerting ? 'border-l-urgent' : isChosen ? 'border-l-accent' : 'border-l-transparent',
        isChosen ? 'bg-sel' : isAlerting ? 'bg-urgent-b' : 'hover:bg-hover',
      )}
    >
      {box}
      <div className="min-w-0 grow">
        <ItemLine
          mark={who ? <Avatar who={who} size={28} /> : <Bell />}
          name={name}
          place={place}
          isNew={isNew}
          end={
            <>
              {isAlerting ? (
                <span className="text-urgent">
                  <Siren aria-hidden className="size-3.5" />
                  <span className="sr-only">{t('type.urgent')}</span>
                </span>
              ) : null}
              {end}
            </>
          }
        >
          <Link
            href={href}
            data-row
            data-needs-me={isOpenRow(row) ? '' : undefined}
            onClick={(event) => {
              // A new tab shows its place.
              if (row.kind === 'notice' || event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onOpen()
            }}
            aria-label={label}
            aria-current={isChosen || undefined}
            className="after:absolute after:inset-0 focus-visible:outline-none after:focus-visible:outline-2 after:focus-visible:-outline-offset-2 after:focus-visible:outline-focus"
          >
            {text}
          </Link>
        </ItemLine>
        {children}
      </div>
      {acts ? (
        <div className="absolute top-1 right-2 z-1 hidden rounded-control border border-line bg-s2 group-focus-within/item:flex group-hover/item:flex touch:hidden!">
          {acts}
        </div>
      ) : null}
    </div>
  )
}

const stateOf = (row: InboxRow): string => {
  switch (row.kind) {
    case 'request':
      return row.request.state
    case 'message':
      return row.outcome.state
    case 'notice':
      return row.notice.kind
    case 'waiting':
      return 'open'
  }
}

/** Whether its row holds all of it, so that whoever saw the row has read it. */
export const isReadInRow = ({
  message,
  outcome,
  ended,
}: Pick<MessageRow, 'message' | 'outcome' | 'ended'>): boolean => {
  const text = messageText(message)
  return (
    outcome.request === null &&
    ended === undefined &&
    message.attachments.length === 0 &&
    text.length <= READ_LENGTH &&
    !text.includes('\n')
  )
}

function useSaid(row: InboxRow): Said {
  const t = useTranslations()
  const requestName = useRequestName()
  const namesOf = useNames()
  const noticeText = useNoticeText()
  const itemHref = withSearch({ item: itemOf(row) })
  switch (row.kind) {
    case 'request':
      return { ...saidOfRequest(row, t), label: requestName(row), href: itemHref }
    case 'message':
      return {
        ...saidOfMessage(row),
        label: t('inbox.article', {
          type: t(`type.${row.message.type === 'fyi' ? 'message' : row.message.type}`),
          who: row.sender.kind === 'system' ? taskTitle(row.taskName) : row.sender.name,
          text: firstWords(messageText(row.message)),
        }),
        href: itemHref,
      }
    case 'waiting':
      return {
        ...saidOfWaiting(row, namesOf),
        label: t('inbox.waitingArticle', { text: firstWords(messageText(row.message)) }),
        href: itemHref,
      }
    case 'notice': {
      const text = noticeText(row)
      return {
        who: null,
        name: noticeTask(row),
        end: <TimeText at={row.notice.at} />,
        label: text,
        text,
        href: noticeHref(row),
      }
    }
  }
}

function saidOfRequest(row: RequestRow, t: ReturnType<typeof useTranslations<never>>): Omit<Said, 'label' | 'href'> {
  const { request, asker, taskName, stage } = row
  const task = taskTitle(taskName)
  const isSystem = asker.kind === 'system'
  const isWaitedFor = isOpen(request) && isAwaited(request)
  return {
    who: asker,
    name: isSystem ? task : asker.name,
    ...(isSystem ? {} : { place: task }),
    isNew: isOpen(request),
    text: (
      <>
        {request.kind === 'part' ? `${t('request.yourPart', { number: stage?.number ?? 0 })} · ` : null}
        {firstWords(questionText(request), TEXT_LENGTH)}
      </>
    ),
    end: isOpen(request) ? (
      <>
        <DraftMark place={`request:${request.id}`} />
        {request.due === undefined ? null : <DueTime at={request.due} />}
        <span className={cx('flex items-center gap-1.5', isWaitedFor && 'text-waiting')}>
          {isWaitedFor ? <Dash className="w-4" /> : null}
          <Elapsed since={request.openedAt} />
        </span>
      </>
    ) : (
      <TimeText at={request.answer?.at ?? request.openedAt} />
    ),
  }
}

function saidOfMessage({
  message,
  outcome,
  sender,
  taskName,
  headline,
  group,
}: MessageRow): Omit<Said, 'label' | 'href'> {
  const task = taskTitle(taskName)
  const isSystem = sender.kind === 'system'
  const isAsking = message.type !== 'fyi' && outcome.settledAt === null
  return {
    who: sender,
    name: isSystem ? task : sender.name,
    ...(isSystem ? {} : { place: task }),
    isNew: isAsking || (group !== 'info' && outcome.shownAt === null),
    text: firstWords(headline ?? messageText(message), TEXT_LENGTH),
    end: (
      <>
        {isAsking && message.due !== undefined ? <DueTime at={message.due} /> : null}
        {isAsking ? <Elapsed since={message.at} /> : <TimeText at={message.at} />}
      </>
    ),
  }
}

function saidOfWaiting(
  { message, outcomes, taskName }: WaitingRow,
  namesOf: (names: readonly string[]) => string,
): Omit<Said, 'label' | 'href'> {
  const open = outcomes.filter(({ settledAt, transferredTo }) => settledAt === null && transferredTo === null)
  const [first] = open.length > 0 ? open : outcomes
  return {
    who: first?.who ?? null,
    name: namesOf((open.length > 0 ? open : outcomes).map(({ who }) => who.name)),
    place: taskTitle(taskName),
    text: firstWords(messageText(message), TEXT_LENGTH),
    end: (
      <>
        {message.due === undefined ? null : <DueTime at={message.due} />}
        <span className="flex items-center gap-1.5 text-waiting">
          <Dash className="w-4" />
          <Elapsed since={message.at} />
        </span>
      </>
    ),
  }
}

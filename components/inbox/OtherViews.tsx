import { Inbox } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { messageText, taskTitle } from '@/client/readersWords'
import { HelpLink } from '@/components/help/HelpLink'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { RequestCard } from '@/components/request'
import { DueTime } from '@/components/request/card/DueTime'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { Elapsed, TimeText } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { EmptyState } from '@/components/ui/States'
import { firstWords } from '@/lib/format/plainText'
import type { AgentId } from '@/lib/mas/ids'
import type { WaitingRow } from '@/lib/wire/rows'
import { MessageItem } from './MessageItem'
import type { InboxRow, InboxTab } from './rows'

type View = Exclude<InboxTab, 'needs-me'>

const SHOWS: Record<View, (row: InboxRow) => boolean> = {
  waiting: ({ kind }) => kind === 'waiting',
  fyi: ({ group }) => group === 'info',
  done: ({ group }) => group === 'done',
}
const EMPTY = {
  waiting: { title: 'waitingEmpty', why: 'waitingEmptyWhy' },
  fyi: { title: 'informationEmpty', why: 'informationEmptyWhy' },
  done: { title: 'doneEmpty', why: 'doneEmptyWhy' },
} as const satisfies Record<View, unknown>

/** What I wait for, notices and FYI messages, what is done: each in the order of its rows. */
export default function OtherViews({ view, rows }: { view: View; rows: readonly InboxRow[] }) {
  const t = useTranslations('triage')
  const shown = rows.filter(SHOWS[view])
  if (shown.length === 0)
    return (
      <EmptyState isInColumn title={t(EMPTY[view].title)} icon={<Inbox />} action={<HelpLink part="words" />}>
        {t(EMPTY[view].why)}
      </EmptyState>
    )
  return (
    <ul className="mt-4 flex flex-col gap-2">
      {shown.map((row) => (
        <li key={row.id}>
          <Item row={row} isDone={view === 'done'} />
        </li>
      ))}
    </ul>
  )
}

function Item({ row, isDone }: { row: InboxRow; isDone: boolean }) {
  switch (row.kind) {
    case 'waiting':
      return <WaitingItem row={row} />
    case 'notice':
      return <NoticeItem row={row} />
    case 'request':
      return <RequestCard shown={row} place="list" isMine={false} />
    case 'message':
      return <MessageItem row={row} isQuiet={isDone} />
  }
}

function WaitingItem({ row }: { row: WaitingRow }) {
  const t = useTranslations()
  const { message, outcomes, taskName } = row
  const kind = message.type
  const nameOf = (id: AgentId): string => outcomes.find(({ who }) => who.id === id)?.who.name ?? ''
  return (
    <article
      aria-label={t('triage.waitingArticle', { text: firstWords(messageText(message)) })}
      data-id={message.id}
      data-kind="waiting"
      data-seq={message.seq}
      className="rounded-card border border-line bg-s2 px-4 py-2.5 max-md:px-3.5"
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="min-w-0 grow basis-64">
          <p className="break-words">{firstWords(messageText(message), 240)}</p>
          <p className="text-meta text-t3">
            <Link href={pathTo('message', { taskId: message.task, messageId: message.id })} className="hover:underline">
              {taskTitle(taskName)}
            </Link>{' '}
            · <TimeText at={message.at} />
            {message.due !== undefined && outcomes.some(({ settledAt }) => settledAt === null) ? (
              <>
                {' · '}
                <DueTime at={message.due} />
              </>
            ) : null}
          </p>
        </div>
        {kind === 'fyi' ? null : <TypeBadge type={kind} />}
      </div>
      <ul className="mt-2 flex flex-col gap-1">
        {outcomes.map(({ who, state, settledAt, reassigned, transferredTo }) => (
          <li key={who.id} className="flex flex-wrap items-center gap-2 text-table" data-state={state}>
            <Avatar who={who} size={20} isNamed />
            <span className="font-medium">{who.name}</span>
            <span className="text-t3">{t(`chat.delivery.${state}`)}</span>
            {reassigned ? (
              <span className="text-meta text-t3">
                {t(`chat.reassigned.${reassigned.by}`, { who: nameOf(reassigned.from) })}
              </span>
            ) : null}
            {transferredTo ? (
              <span className="text-meta text-t3">{t('chat.reassigned.has', { who: nameOf(transferredTo) })}</span>
            ) : settledAt === null ? (
              <WaitLine reach="short">
                <Elapsed since={message.at} />
              </WaitLine>
            ) : (
              <TimeText at={settledAt} className="text-meta text-t3" />
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}

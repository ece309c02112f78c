/** The lists of the inbox that need nothing from me: what I settled, what is for information, my last answers. */
import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { questionText, taskTitle } from '@/client/readersWords'
import { HelpLink } from '@/components/help/HelpLink'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { RequestCard } from '@/components/request'
import { Avatar } from '@/components/ui/Avatar'
import { EmptyState } from '@/components/ui/States'
import { TimeText } from '@/components/ui/Time'
import { firstWords } from '@/lib/format/plainText'
import type { RequestRow } from '@/lib/wire/rows'
import { MessageItem } from './MessageItem'
import type { InboxRow } from './rows'

export function RowList<Row extends InboxRow>({
  rows,
  empty,
  children,
}: {
  rows: readonly Row[]
  empty: { title: string; why: string }
  children: (row: Row) => ReactNode
}) {
  if (rows.length === 0)
    return (
      <EmptyState isInColumn title={empty.title} icon={<Inbox aria-hidden />} action={<HelpLink part="words" />}>
        {empty.why}
      </EmptyState>
    )
  return (
    <ul className="mt-4 flex flex-col gap-2">
      {rows.map((row) => (
        <li key={row.id}>{children(row)}</li>
      ))}
    </ul>
  )
}

export function DoneList({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  return (
    <RowList rows={rows} empty={{ title: t('doneEmpty'), why: t('doneEmptyWhy') }}>
      {(row) =>
        row.kind === 'request' ? (
          <RequestCard shown={row} place="list" isMine={false} />
        ) : row.kind === 'message' ? (
          <MessageItem row={row} isQuiet />
        ) : null
      }
    </RowList>
  )
}

/** "For information": notices and FYI messages, newest first. */
export function Information({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  return (
    <RowList rows={rows} empty={{ title: t('informationEmpty'), why: t('informationEmptyWhy') }}>
      {(row) =>
        row.kind === 'notice' ? <NoticeItem row={row} /> : row.kind === 'message' ? <MessageItem row={row} /> : null
      }
    </RowList>
  )
}

export function LastAnswers({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  const answers = rows.filter((row): row is RequestRow => row.kind === 'request' && row.group === 'done').slice(0, 3)
  if (answers.length === 0) return null
  return (
    <section className="mx-auto max-w-[40rem] px-6">
      <h3 className="text-table font-medium text-t2">{t('lastAnswers')}</h3>
      <ul className="mt-1.5 flex flex-col">
        {answers.map(({ request, asker, taskName }) => (
          <li
            key={request.id}
            className="flex min-h-row items-center gap-2.5 border-b border-line py-1.5 last:border-0"
          >
            <Avatar who={asker} size={20} isNamed />
            <span className="min-w-0 grow">
              <Link href={pathTo('request', { requestId: request.id })} className="hover:underline">
                {firstWords(request.answer?.text || questionText(request), 90)}
              </Link>
              <span className="block text-meta text-t3">{taskTitle(taskName)}</span>
            </span>
            {request.answer ? <TimeText at={request.answer.at} className="text-meta text-t3" /> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

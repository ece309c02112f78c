/** "For information": notices and messages that ask for nothing, newest first. */
import { Bell } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { EmptyState } from '@/components/ui/States'
import { TimeText } from '@/components/ui/Time'
import type { NoticeRow } from '@/lib/wire/rows'
import { MessageItem } from './MessageItem'
import type { InboxRow } from './rows'

export function Information({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  if (rows.length === 0)
    return (
      <EmptyState isInColumn title={t('informationEmpty')}>
        {t('informationEmptyWhy')}
      </EmptyState>
    )
  return (
    <ul className="mt-4 flex flex-col gap-2">
      {rows.map((row) => (
        <li key={row.id}>
          {row.kind === 'notice' ? <NoticeItem row={row} /> : row.kind === 'message' ? <MessageItem row={row} /> : null}
        </li>
      ))}
    </ul>
  )
}

function NoticeItem({ row: { notice, taskName } }: { row: NoticeRow }) {
  const t = useTranslations('inbox')
  const href =
    notice.message === null
      ? pathTo('task', { taskId: notice.task })
      : pathTo('message', { taskId: notice.task, messageId: notice.message })
  return (
    <div
      data-id={notice.id}
      data-kind="notice"
      data-state={notice.kind}
      data-seq={notice.seq}
      className="flex items-start gap-2.5 rounded-card border border-line px-4 py-2 max-md:px-3.5"
    >
      <Bell aria-hidden className="mt-0.5 size-4 text-t3" />
      <div className="min-w-0 grow">
        <Link href={href} className="break-words hover:underline">
          {t(`notice.${notice.kind}`, {
            task: taskName || (notice.words.task ?? ''),
            who: notice.words.who ?? '',
            goal: notice.words.goal ?? '',
            from: notice.words.from ?? '',
          })}
        </Link>
      </div>
      <TimeText at={notice.at} className="shrink-0 text-meta text-t3" />
    </div>
  )
}

import { Bell } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { cx } from '@/components/ui/cx'
import { TimeText } from '@/components/ui/marks/Time'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { NoticeRow } from '@/lib/wire/rows'

type NoticeItemProps = {
  row: NoticeRow
  isNew?: boolean
  isInPanel?: boolean
  onOpen?: () => void
}

export function NoticeItem({ row: { notice, taskName }, isNew = false, isInPanel = false, onOpen }: NoticeItemProps) {
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
      className={cx(
        'flex items-start gap-2.5',
        isInPanel
          ? 'rounded-control px-2 py-1.5 hover:bg-hover'
          : 'rounded-card border border-line px-4 py-2 max-md:px-3.5',
      )}
    >
      <Bell className={cx('mt-0.5 size-4', isNew ? 'text-accent' : 'text-t3')} />
      <div className="min-w-0 grow">
        <Link href={href} onClick={onOpen} className={cx('break-words hover:underline', isNew && 'font-medium')}>
          {t(ofTask(notice) ?? `notice.${notice.kind}`, {
            task: taskTitle(taskName || (notice.words.task ?? '')),
            who: notice.words.who ?? '',
            goal: notice.words.goal ?? '',
            from: notice.words.from ?? '',
          })}
        </Link>
        {isNew ? <span className="ml-1.5 text-meta text-accent">{t('newNotice')}</span> : null}
        {notice.words.about ? <p className="cut text-meta text-t3">{notice.words.about}</p> : null}
      </div>
      <TimeText at={notice.at} className="shrink-0 pt-0.5 text-meta text-t3" />
    </div>
  )
}

/** The words of what the task itself asks: it is named once (R305). */
const ofTask = ({ kind, words }: NoticeRow['notice']) =>
  words.who === SYSTEM_TASK && (kind === 'reply_needed' || kind === 'not_reached')
    ? (`noticeOfTask.${kind}` as const)
    : null

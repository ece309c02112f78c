import { Bell } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { cx } from '@/components/ui/cx'
import { ItemLine } from '@/components/ui/marks/ItemLine'
import { TimeText } from '@/components/ui/marks/Time'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { NoticeRow } from '@/lib/wire/rows'

/** A notice in the panel and on its page. */
export function NoticeItem({ row, isNew, onOpen }: { row: NoticeRow; isNew: boolean; onOpen?: () => void }) {
  const t = useTranslations('inbox')
  const { notice } = row
  const text = useNoticeText()(row)
  return (
    <div
      data-id={notice.id}
      data-kind="notice"
      data-state={notice.kind}
      data-seq={notice.seq}
      className="relative rounded-control px-2 py-1.5 hover:bg-hover"
    >
      <ItemLine
        mark={<Bell className={cx(isNew && 'text-accent')} />}
        name={noticeTask(row)}
        isNew={isNew}
        end={
          <>
            {isNew ? <span className="text-accent">{t('newNotice')}</span> : null}
            <TimeText at={notice.at} />
          </>
        }
      >
        <Link href={noticeHref(row)} onClick={onOpen} className="after:absolute after:inset-0">
          {text}
        </Link>
        {notice.words.about ? <span className="text-meta text-t3"> {notice.words.about}</span> : null}
      </ItemLine>
    </div>
  )
}

/** out: what a notice says */
export function useNoticeText(): (row: NoticeRow) => string {
  const t = useTranslations('inbox')
  return ({ notice, taskName }) =>
    t(ofTask(notice) ?? `notice.${notice.kind}`, {
      task: taskTitle(taskName || (notice.words.task ?? '')),
      who: notice.words.who ?? '',
      goal: notice.words.goal ?? '',
      from: notice.words.from ?? '',
    })
}

export const noticeTask = ({ notice, taskName }: NoticeRow): string => taskTitle(taskName || (notice.words.task ?? ''))

export const noticeHref = ({ notice }: NoticeRow): string =>
  notice.message === null
    ? pathTo('task', { taskId: notice.task })
    : pathTo('message', { taskId: notice.task, messageId: notice.message })

/** The words of what the task itself asks: it is named once (R305). */
const ofTask = ({ kind, words }: NoticeRow['notice']) =>
  words.who === SYSTEM_TASK && (kind === 'reply_needed' || kind === 'not_reached')
    ? (`noticeOfTask.${kind}` as const)
    : null

/** "A change of …", "Changed by …": the tasks that a task is linked to, as far as their reader sees them. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { taskTitle } from '@/client/readersWords'
import { cx } from '@/components/ui/cx'
import type { TaskRecord } from '@/lib/mas/records'
import type { TaskChanges } from '@/lib/wire'

type ChangeLinksProps = { task: Pick<TaskRecord, 'id' | 'changeOf' | 'changedBy'>; className?: string }

export default function ChangeLinks({ task: { id, changeOf, changedBy = [] }, className }: ChangeLinksProps) {
  const t = useTranslations('result')
  const isLinked = changeOf !== undefined || changedBy.length > 0
  const { data } = useApiQuery<TaskChanges>(isLinked ? `/api/tasks/${id}/changes` : null, { version: changedBy.length })
  if (data === undefined) return null
  const { of, by } = data
  const linked = [
    ...(of === null ? [] : [{ ...of, key: 'changeOf' as const }]),
    ...by.map((one) => ({ ...one, key: 'changedBy' as const })),
  ]
  if (linked.length === 0) return null
  return (
    <ul aria-label={t('changes')} className={cx('flex flex-col gap-0.5 text-table text-t2', className)}>
      {linked.map(({ key, task, name }) => (
        <li key={`${key} ${task}`} data-kind={key} className="break-words">
          {t.rich(key, {
            name: taskTitle(name),
            a: (text) => (
              <Link key="a" href={pathTo('task', { taskId: task })} className="link">
                {text}
              </Link>
            ),
          })}
        </li>
      ))}
    </ul>
  )
}

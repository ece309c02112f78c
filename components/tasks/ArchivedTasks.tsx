/** Archived tasks: the list from which they are opened again, read-only. */
import { Archive } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client/api'
import { Link, pathTo } from '@/client/nav'
import { HelpLink } from '@/components/help/HelpLink'
import { Button } from '@/components/ui/Button'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import type { ArchivedPage, ArchivedTask } from '@/lib/wire'
import { archivedChip, fitsText } from './taskList'

type Held = { tasks: ArchivedTask[]; next: string | null }

export function ArchivedTasks({ text }: { text: string }) {
  const t = useTranslations('tasks')
  const [held, setHeld] = useState<Held | null>(null)
  const [isBroken, setBroken] = useState(false)
  const load = useCallback((after: string | null): void => {
    const query = after === null ? '' : `?after=${encodeURIComponent(after)}`
    void call<ArchivedPage>('GET', `/api/tasks/archived${query}`).then((came) => {
      if (!came.ok) return setBroken(true)
      const { tasks, next } = came.value
      setHeld((old) => ({ tasks: after === null ? tasks : [...(old?.tasks ?? []), ...tasks], next }))
    })
  }, [])
  // Joins the server: archived tasks are in no view, so they are fetched once.
  useEffect(() => load(null), [load])
  if (isBroken) return <ErrorState title={t('broken')}>{t('brokenWhy')}</ErrorState>
  if (held === null) return <Skeleton lines={6} />
  const rows = held.tasks.filter((task) => fitsText(text, task.name, task.asker ?? ''))
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title={t('noneArchived')} icon={<Archive aria-hidden />} action={<HelpLink part="words" />}>
          {t('noneArchivedWhy')}
        </EmptyState>
      ) : (
        <ul aria-label={t('archivedList')} className="flex flex-col px-5 max-md:px-4">
          {rows.map((task) => (
            <li
              key={task.task}
              className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2.5"
            >
              <StatusChip state={archivedChip(task)} raw={task.state} />
              <Link
                href={pathTo('task', { taskId: task.task })}
                className="cut min-w-0 font-medium hover:underline max-md:order-first max-md:basis-full"
              >
                {task.name}
              </Link>
              <span className="text-meta text-t3">{t('archivedMark')}</span>
              <span className="grow" />
              <span className="text-meta text-t2">
                {task.asker === null ? null : `${t('askedBy', { who: task.asker })} · `}
                <TimeText at={task.endedAt ?? task.archivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {held.next === null ? null : (
        <div className="px-5 py-3 max-md:px-4">
          <Button onClick={() => load(held.next)}>{t('moreArchived')}</Button>
        </div>
      )}
    </>
  )
}

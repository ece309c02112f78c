import { Archive } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { type Paging, useApiPages } from '@/client/queries'
import { HelpLink } from '@/components/help/HelpLink'
import { Button } from '@/components/ui/Button'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { EmptyState, FaultState, Skeleton } from '@/components/ui/States'
import { fitsWords } from '@/lib/format/fitsWords'
import type { ArchivedPage } from '@/lib/wire'
import { archivedChip } from './taskList'

const PAGING: Paging<ArchivedPage> = {
  cursor: 'after',
  next: ({ next }) => next,
  append: (held, { tasks, next }) => ({ tasks: [...held.tasks, ...tasks], next }),
}

export function ArchivedTasks({ text }: { text: string }) {
  const t = useTranslations('tasks')
  const { data, error, isFetching, more, refetch } = useApiPages('/api/tasks/archived', PAGING)
  if (error !== null) return <FaultState title={t('broken')} fault={error} onRetry={more ?? refetch} />
  if (data === undefined) return <Skeleton lines={6} />
  const has = fitsWords(text)
  const rows = data.tasks.filter((task) => has(task.name, task.asker))
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title={t('noneArchived')} icon={<Archive />} action={<HelpLink part="words" />}>
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
      {more === null ? null : (
        <div className="px-5 py-3 max-md:px-4">
          <Button isDisabled={isFetching} onClick={more}>
            {t('moreArchived')}
          </Button>
        </div>
      )}
    </>
  )
}

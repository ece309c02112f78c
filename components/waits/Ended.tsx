import { useId, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useLog } from '@/client'
import { Link, pathTo } from '@/client/nav'
import type { TaskId } from '@/lib/mas/ids'
import { EndedTable } from './EndedTable'
import { endedWaitsOf } from './endedWaits'

/** Rows at most; the chat has all. */
const MOST_ENDED = 200

/** name: the task's, where several tasks are listed; one without ended waits is then left out. */
export function Ended({ taskId, isSecond, name }: { taskId: TaskId; isSecond: boolean; name?: string }) {
  const t = useTranslations('waits')
  const heading = useId()
  const world = useLog(`task:${taskId}`, (whole) => whole)
  const waits = useMemo(() => endedWaitsOf(world, taskId), [world, taskId])
  if (name !== undefined && waits.length === 0) return null
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="px-5 pt-5 pb-2 text-table font-medium max-md:px-4">
        {name === undefined ? null : (
          <>
            <Link href={`${pathTo('taskWaits', { taskId })}?ended`} className="hover:underline">
              {name}
            </Link>
            {' · '}
          </>
        )}
        {t('endedCount', { count: waits.length })}
      </h2>
      {waits.length === 0 ? (
        <p className="px-5 pb-6 text-t2 max-md:px-4">{t('noneEnded')}</p>
      ) : (
        <EndedTable waits={waits.slice(0, MOST_ENDED)} world={world} task={taskId} isSecond={isSecond} />
      )}
      {waits.length > MOST_ENDED ? (
        <p className="px-5 py-3 text-t3 max-md:px-4">{t('moreEnded', { count: MOST_ENDED })}</p>
      ) : null}
    </section>
  )
}

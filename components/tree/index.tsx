/** A task's tree with its faces: loading, nothing yet, not allowed, gone. */
import { Network } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo, useSearchParam } from '@/client/nav'
import { buttonClass } from '@/components/ui/Button'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { StateTree } from './StateTree'
import { isFilter, NO_FILTER, readFilter } from './treeFilter'
import { CheckpointsContext, useCheckpoints } from './useCheckpoints'
import { useDeepLink } from './useDeepLink'
import { useTreeData } from './useTreeData'

export type TaskTreeProps = { taskId: string; compact?: boolean }

export default function TaskTree({ taskId, compact = false }: TaskTreeProps) {
  const t = useTranslations()
  const [text, state, agent] = [useSearchParam('q'), useSearchParam('state'), useSearchParam('agent')]
  // The list beside another page shows all of it.
  const filter = compact ? NO_FILTER : readFilter(text, state, agent)
  const data = useTreeData(taskId, filter)
  useDeepLink(taskId, !compact)
  const marks = useCheckpoints(taskId, data.tree, !compact)
  const { status, reason } = data.status
  if (status === 'loading') {
    return (
      <div aria-busy="true">
        <span className="sr-only">{t('common.loading')}</span>
        <Skeleton lines={compact ? 6 : 10} />
      </div>
    )
  }
  if (status === 'closed') {
    // Beside the page of that task, which says it.
    if (compact && (reason === 'not-found' || reason === 'not-allowed')) return null
    const toTasks = (
      <Link href={pathTo('tasks')} className={buttonClass('plain')}>
        {t('tree.toTasks')}
      </Link>
    )
    const [title, why] =
      reason === 'not-allowed'
        ? [t('tree.notAllowed'), t('tree.notAllowedWhy')]
        : reason === 'not-found'
          ? [t('tree.notFound'), t('tree.notFoundWhy')]
          : [t('tree.broken'), t('tree.brokenWhy')]
    return (
      <ErrorState title={title} action={toTasks}>
        {why}
      </ErrorState>
    )
  }
  if (data.tree.nodes.size <= 1 && !isFilter(filter)) {
    return (
      <EmptyState title={t('tree.empty')} icon={<Network aria-hidden />}>
        {t('tree.emptyWhy')}
      </EmptyState>
    )
  }
  // Another task is another tree: its focus and scroll begin anew.
  return (
    <CheckpointsContext value={marks}>
      <StateTree key={taskId} taskId={taskId} data={data} filter={filter} isCompact={compact} />
    </CheckpointsContext>
  )
}

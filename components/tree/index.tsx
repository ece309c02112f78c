/** A task's tree, or that it is loading, empty, not allowed or gone. */
import { Network } from 'lucide-react'
import { memo, useEffect, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { navigate, pathTo, useLocation, useSearchParam } from '@/client/nav'
import { HelpLink } from '@/components/help/HelpLink'
import { EmptyState, Loading } from '@/components/ui/States'
import { ClosedTaskView } from './ClosedTaskView'
import { isFilter, NO_FILTER, readFilter } from './model/treeFilter'
import { StateTree } from './StateTree'
import { CheckpointsContext, useCheckpoints } from './useCheckpoints'
import { useTreeData } from './useTreeData'

type TaskTreeProps = { taskId: string; compact?: boolean }

export default memo(function TaskTree({ taskId, compact = false }: TaskTreeProps) {
  const t = useTranslations()
  const [text, state, agent] = [useSearchParam('q'), useSearchParam('state'), useSearchParam('agent')]
  // The compact tree beside another page is not filtered.
  const filter = useMemo(() => (compact ? NO_FILTER : readFilter(text, state, agent)), [compact, text, state, agent])
  const data = useTreeData(taskId, filter)
  useDeepLink(taskId, !compact)
  const marks = useCheckpoints(taskId, data.tree, !compact)
  const { status, reason } = data.status
  if (status === 'loading') return <Loading lines={compact ? 6 : 10} />
  if (status === 'closed') {
    // The page of the task says it.
    if (compact && (reason === 'not-found' || reason === 'erased' || reason === 'not-allowed')) return null
    return <ClosedTaskView reason={reason} broken={t('tree.broken')} />
  }
  if (data.tree.nodes.size <= 1 && !isFilter(filter)) {
    return (
      <EmptyState title={t('tree.empty')} icon={<Network aria-hidden />} action={<HelpLink part="words" />}>
        {t('tree.emptyWhy')}
      </EmptyState>
    )
  }
  // Keyed by task: focus and scroll are reset.
  return (
    <CheckpointsContext value={marks}>
      <StateTree key={taskId} taskId={taskId} data={data} filter={filter} isCompact={compact} />
    </CheckpointsContext>
  )
})

/** The address of one step or stage (/tasks/<id>/steps/<stepId>?tab=) leads to its tree, with the inspector on it. */
function useDeepLink(taskId: string, isOn: boolean): void {
  const place = useLocation()
  const { stepId, stageId } = place?.params ?? {}
  const stateId = stepId ? `StepState_${stepId}` : stageId ? `StageState_${stageId}` : null
  const search = place?.search.toString() ?? ''
  // Joins the address bar: the copied link is replaced, so that Back does not lead to it again.
  useEffect(() => {
    if (!isOn || stateId === null) return
    const next = new URLSearchParams(search)
    if (!next.has('inspect')) next.set('inspect', stateId)
    navigate(`${pathTo('tree', { taskId })}?${next}`, { replace: true })
  }, [isOn, stateId, search, taskId])
}

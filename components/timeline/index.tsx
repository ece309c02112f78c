/** A task's timeline, or that it is loading, empty, not allowed or gone. */
import { ChartGantt } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { HelpLink } from '@/components/help/HelpLink'
import { buttonClass } from '@/components/ui/Button'
import { EmptyState, ErrorState, Loading } from '@/components/ui/States'
import { Timeline } from './Timeline'
import { useTimelineData } from './useTimelineData'

export default function TaskTimeline({ taskId }: { taskId: string }) {
  const t = useTranslations()
  const data = useTimelineData(taskId)
  const { status, reason } = data.status
  if (status === 'closed') {
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
          : [t('timeline.broken'), t('tree.brokenWhy')]
    return (
      <ErrorState title={title} action={toTasks}>
        {why}
      </ErrorState>
    )
  }
  if (status === 'loading' || data.totals === null) return <Loading lines={10} />
  if (data.rows.lanes.every(({ lane }) => lane.bars === 0) && data.totals.archived === 0) {
    return (
      <EmptyState title={t('timeline.empty')} icon={<ChartGantt aria-hidden />} action={<HelpLink part="words" />}>
        {t('timeline.emptyWhy')}
      </EmptyState>
    )
  }
  return <Timeline key={taskId} taskId={taskId} data={data} totals={data.totals} />
}

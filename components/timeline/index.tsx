/** A task's timeline, or that it is loading, empty, not allowed or gone. */
import { ChartGantt } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { HelpLink } from '@/components/help/HelpLink'
import { ClosedTaskView } from '@/components/tree/ClosedTaskView'
import { EmptyState, Loading } from '@/components/ui/States'
import { Timeline } from './Timeline'
import { useTimelineData } from './useTimelineData'

export default function TaskTimeline({ taskId }: { taskId: string }) {
  const t = useTranslations()
  const data = useTimelineData(taskId)
  const { status, reason } = data.status
  if (status === 'closed') return <ClosedTaskView reason={reason} broken={t('timeline.broken')} />
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

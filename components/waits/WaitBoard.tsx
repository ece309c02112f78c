import { CircleCheck } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useViewStatus } from '@/client'
import { HelpLink } from '@/components/help/HelpLink'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { ListStates } from '@/components/ui/Table'
import type { WaitRow } from '@/lib/wire'
import { graphGroupsOf } from './layout'
import { WaitGraphView } from './WaitGraph'
import { WaitTable } from './WaitTable'

/** With more members than this there is no picture. */
const MOST_IN_GRAPH = 80

type WaitBoardProps = {
  rows: readonly WaitRow[]
  /** All are of the open task, which is not named again. */
  isOfTask?: boolean
  emptyAction?: ReactNode
}

export function WaitBoard({ rows, isOfTask = false, emptyAction }: WaitBoardProps) {
  const t = useTranslations()
  const { status, reason } = useViewStatus('waits')
  const groups = useMemo(() => graphGroupsOf(rows), [rows])
  const drawn = groups.reduce((count, group) => count + group.nodes.length, 0)
  // The table is first in the document; on a wide page the picture is drawn above it.
  return (
    <ListStates
      status={status}
      broken={
        <ErrorState title={t(reason === 'not-allowed' ? 'waits.notAllowed' : 'waits.broken')}>
          {t(reason === 'not-allowed' ? 'waits.notAllowedWhy' : 'waits.brokenWhy')}
        </ErrorState>
      }
      empty={
        rows.length > 0 ? null : (
          <EmptyState title={t('waits.empty')} icon={<CircleCheck />} action={emptyAction ?? <HelpLink part="words" />}>
            {t('waits.emptyWhy')}
          </EmptyState>
        )
      }
    >
      <div className="flex flex-col">
        <WaitTable rows={rows} isOfTask={isOfTask} />
        {drawn > MOST_IN_GRAPH ? (
          <p className="px-5 py-3 text-t3 max-md:px-4">{t('waits.tooMany')}</p>
        ) : (
          <WaitGraphView groups={groups} className="md:-order-1 md:border-t md:border-line" />
        )}
      </div>
    </ListStates>
  )
}

/**
 * The tab “Waits” of a task: who stands still in it and for whom, and on wish the waits that are over.
 *
 * Owns: the switch (in the address). Not here: the board (WaitBoard.tsx), the waits that are over (endedWaits.ts).
 */
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useLog, useRows } from '@/client'
import { setSearch, useSearchParam } from '@/client/nav'
import { Checkbox } from '@/components/ui/Choice'
import type { TaskId } from '@/lib/mas/ids'
import { EndedTable } from './EndedTable'
import { endedWaitsOf } from './endedWaits'
import { WaitBoard } from './WaitBoard'
import { waitsIn } from './waitList'

/** As many as can be read; the whole is in the chat. */
const MOST_ENDED = 200

export default function TaskWaits({ taskId }: { taskId: TaskId }) {
  const t = useTranslations('waits')
  const all = useRows('waits')
  const rows = useMemo(() => waitsIn(all, taskId), [all, taskId])
  const isEnded = useSearchParam('ended') !== null
  return (
    <div className="min-h-0 grow overflow-x-hidden overflow-y-auto" data-scroll>
      <div className="flex justify-end px-5 py-2 max-md:px-4">
        <Checkbox
          label={t('showEnded')}
          isChecked={isEnded}
          onChange={(next) => setSearch({ ended: next ? '' : null }, { replace: true })}
        />
      </div>
      <WaitBoard rows={rows} isOfTask />
      {isEnded ? <Ended taskId={taskId} isSecond={rows.length > 0} /> : null}
    </div>
  )
}

function Ended({ taskId, isSecond }: { taskId: TaskId; isSecond: boolean }) {
  const t = useTranslations('waits')
  const world = useLog(`task:${taskId}`, (whole) => whole)
  const waits = useMemo(() => endedWaitsOf(world, taskId), [world, taskId])
  return (
    <section aria-labelledby="ended-waits">
      <h2 id="ended-waits" className="px-5 pt-5 pb-2 text-table font-medium max-md:px-4">
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

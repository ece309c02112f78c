import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { setSearch, useSearchParam } from '@/client/nav'
import { Checkbox } from '@/components/ui/fields/Choice'
import type { TaskId } from '@/lib/mas/ids'
import { Ended } from './Ended'
import { WaitBoard } from './WaitBoard'
import { waitsIn } from './waitList'

export default function TaskWaits({ taskId }: { taskId: TaskId }) {
  const t = useTranslations('waits')
  const all = useRows('waits')
  const rows = waitsIn(all, taskId)
  const isEnded = useSearchParam('ended') !== null
  return (
    <div className="page-scroll" data-scroll>
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

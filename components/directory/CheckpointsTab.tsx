import { useTranslations } from 'use-intl'
import { useSearchParam } from '@/client/nav'
import { Loading } from '@/components/ui/States'
import type { CheckpointShown } from '@/lib/wire'
import { CheckpointRows } from './CheckpointRows'
import { CheckpointDialog } from './CheckpointView'
import { idOfRecord, type ListProps } from './lists'
import { Records } from './RecordTable'

export function CheckpointsTab({ agent }: { agent: string }) {
  const t = useTranslations('directory')
  const opened = useSearchParam('checkpoint')
  return (
    <>
      <Records
        path={`/api/directory/checkpoints?agent=${encodeURIComponent(agent)}`}
        idOf={idOfRecord}
        table={RowsOfOne}
        loading={<Loading lines={4} className="px-0!" />}
        empty={<p className="text-table text-t3">{t('noneOfAgent')}</p>}
      />
      {opened === null ? null : <CheckpointDialog key={opened} id={opened} />}
    </>
  )
}

const RowsOfOne = (props: ListProps<CheckpointShown>) => <CheckpointRows {...props} isOfOne />

import { useTranslations } from 'use-intl'
import { useSearchParam } from '@/client/nav'
import { Loading } from '@/components/ui/States'
import { CheckpointsOfOne } from './CheckpointRows'
import { CheckpointDialog } from './CheckpointView'
import { idOfRecord } from './lists'
import { Records } from './RecordTable'

export function CheckpointsTab({ agent }: { agent: string }) {
  const t = useTranslations('directory')
  const opened = useSearchParam('checkpoint')
  return (
    <>
      <Records
        path={`/api/directory/checkpoints?agent=${encodeURIComponent(agent)}`}
        idOf={idOfRecord}
        table={CheckpointsOfOne}
        loading={<Loading lines={4} className="px-0!" />}
        empty={<p className="text-table text-t3">{t('noneOfAgent')}</p>}
      />
      {opened === null ? null : <CheckpointDialog key={opened} id={opened} />}
    </>
  )
}

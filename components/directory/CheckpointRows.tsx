import { useTranslations } from 'use-intl'
import { withSearch } from '@/client/nav'
import { columnsOf } from '@/components/ui/Table'
import type { CheckpointShown } from '@/lib/wire'
import { CheckpointMark } from './CheckpointMark'
import { Moment, TaskCell, WhoLink } from './cells'
import { idOfRecord, type ListProps } from './lists'
import { RecordTable } from './RecordTable'

type CheckpointRowsProps = ListProps<CheckpointShown> & {
  /** All rows are of the agent whose page it is. */
  isOfOne?: boolean
}

export function CheckpointRows({ page, more, isOfOne = false }: CheckpointRowsProps) {
  const t = useTranslations('directory')
  const columns = columnsOf<CheckpointShown>()(
    {
      label: {
        cell: (one) => (
          <CheckpointMark checkpoint={one} href={withSearch({ checkpoint: one.id })} className="max-w-full" />
        ),
      },
      who: { className: 'w-[22%]', cell: (one) => <WhoLink who={one.agent} /> },
      task: { className: 'w-[24%] @max-[800px]/main:hidden', cell: (one) => <TaskCell task={one.task} /> },
      at: { className: 'w-28', cell: (one) => <Moment at={one.at} /> },
    },
    (name) => t(`column.${name}`),
  )
  return (
    <RecordTable
      label={t('list.checkpoints')}
      kind="checkpoint"
      {...page}
      more={more}
      idOf={idOfRecord}
      stateOf={({ peer }) => (peer === null ? 'ours' : 'theirs')}
      columns={columns.filter(({ name }) => !isOfOne || name !== 'who')}
    />
  )
}

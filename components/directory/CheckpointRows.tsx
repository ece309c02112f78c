import { useTranslations } from 'use-intl'
import { useSearchParam, withSearch } from '@/client/nav'
import { Loading } from '@/components/ui/States'
import type { CheckpointShown } from '@/lib/wire'
import { CheckpointMark } from './CheckpointMark'
import { CheckpointDialog } from './CheckpointView'
import { Moment, TaskCell, WhoLink } from './cells'
import { type ListProps, Records, RecordTable } from './RecordTable'

type CheckpointRowsProps = ListProps<CheckpointShown> & {
  /** All rows are of the agent whose page it is. */
  isOfOne?: boolean
}

export function CheckpointRows({ isOfOne = false, ...props }: CheckpointRowsProps) {
  return (
    <RecordTable
      {...props}
      list="checkpoints"
      kind="checkpoint"
      stateOf={({ peer }) => (peer === null ? 'ours' : 'theirs')}
      columns={{
        label: {
          cell: (one) => (
            <CheckpointMark checkpoint={one} href={withSearch({ checkpoint: one.id })} className="max-w-full" />
          ),
        },
        who: isOfOne ? null : { className: 'w-[22%]', cell: (one) => <WhoLink who={one.agent} /> },
        task: { className: 'w-[24%] @max-[800px]/main:hidden', cell: (one) => <TaskCell task={one.task} /> },
        at: { className: 'w-28', cell: (one) => <Moment at={one.at} /> },
      }}
    />
  )
}

/** Of one agent, on their page. */
const CheckpointsOfOne = (props: ListProps<CheckpointShown>) => <CheckpointRows {...props} isOfOne />

export function CheckpointsTab({ agent }: { agent: string }) {
  const t = useTranslations('directory')
  const opened = useSearchParam('checkpoint')
  return (
    <>
      <Records
        path={`/api/directory/checkpoints?agent=${encodeURIComponent(agent)}`}
        table={CheckpointsOfOne}
        loading={<Loading lines={4} className="px-0!" />}
        empty={<p className="text-table text-t3">{t('noneOfAgent')}</p>}
      />
      {opened === null ? null : <CheckpointDialog key={opened} id={opened} />}
    </>
  )
}

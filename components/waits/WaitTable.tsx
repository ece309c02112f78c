import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { taskTitle, waitText } from '@/client/readersWords'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { DataTable } from '@/components/ui/Table'
import { useList } from '@/components/ui/useList'
import type { WaitRow } from '@/lib/wire'
import { AwaitedCell, WaiterCell } from './cells'
import { WaitButtons } from './WaitButtons'
import { waiterOf } from './waitList'
import { useHoldsUp, useWhyStuck, waitChipOf } from './waitWords'

export function WaitTable({ rows, isOfTask }: { rows: readonly WaitRow[]; isOfTask: boolean }) {
  const t = useTranslations('waits')
  const holdsUp = useHoldsUp()
  return (
    <DataTable
      isFramed
      label={t('title')}
      kind="wait"
      rows={rows}
      columns={{
        who: { className: 'w-[13%] @min-[1250px]/main:w-[12%]', cell: (row) => <Asker row={row} /> },
        forWhom: { className: 'w-[14%] @min-[1250px]/main:w-[13%]', cell: (row) => <ForWhom row={row} /> },
        task: isOfTask
          ? null
          : {
              className: 'w-[15%] @max-[1000px]/main:hidden @min-[1250px]/main:w-[12%]',
              cell: (row) => (
                <Link href={pathTo('task', { taskId: row.task })} className="cut block hover:underline">
                  {taskTitle(row.taskName)}
                </Link>
              ),
            },
        what: {
          className: '@max-[1250px]/main:hidden',
          cell: (row) => (
            <span className="line-clamp-2 whitespace-normal" title={waitText(row)}>
              {waitText(row)}
            </span>
          ),
        },
        since: { className: 'w-52', cell: (row) => <Since row={row} /> },
        holdsUp: {
          className: '@max-[850px]/main:hidden @min-[1250px]/main:w-[12%]',
          cell: (row) => (
            <span className="line-clamp-2 whitespace-normal" title={holdsUp(row)}>
              {holdsUp(row) || '—'}
            </span>
          ),
        },
        act: {
          isHeadHidden: true,
          className: 'w-72 pr-5',
          cell: (row) => <WaitButtons row={row} isOfTask={isOfTask} />,
        },
      }}
      headOf={(name) => t(`column.${name}`)}
      idOf={({ id }) => id}
      stateOf={({ state }) => state}
      card={(row) => <Card row={row} isOfTask={isOfTask} />}
    />
  )
}

const Asker = ({ row }: { row: WaitRow }) => (
  <WaiterCell
    who={waiterOf(row)}
    href={
      row.step === null
        ? pathTo('task', { taskId: row.task })
        : `${pathTo('tree', { taskId: row.task })}?inspect=StepState_${row.step}`
    }
  />
)

function ForWhom({ row }: { row: WaitRow }) {
  const t = useTranslations('waits')
  const listOf = useList()
  const [first, ...others] = row.forWhom
  if (!first) return <span className="text-t3">{t('nobody')}</span>
  return (
    <AwaitedCell people={row.forWhom} names={listOf(row.forWhom.map((who) => who.name))}>
      {others.length === 0 ? first.name : t('andMore', { who: first.name, count: others.length })}
    </AwaitedCell>
  )
}

function Since({ row }: { row: WaitRow }) {
  const whyOf = useWhyStuck()
  return (
    <span className="flex min-w-0" title={whyOf(row)}>
      <StatusChip
        state={waitChipOf(row)}
        raw={row.state}
        detail={whyOf(row)}
        since={row.since}
        className="max-w-full shrink!"
      />
    </span>
  )
}

function Card({ row, isOfTask }: { row: WaitRow; isOfTask: boolean }) {
  const t = useTranslations('waits')
  const holdsUp = useHoldsUp()
  return (
    <>
      <Asker row={row} />
      <span className="mt-1.5 block min-w-0 text-t2">
        <ForWhom row={row} />
      </span>
      <span className="mt-1.5 flex min-w-0">
        <Since row={row} />
      </span>
      {row.what === '' ? null : <p className="mt-1.5 line-clamp-3 break-words text-t2">{waitText(row)}</p>}
      <p className="mt-1 text-meta text-t3">
        {isOfTask ? null : (
          <Link href={pathTo('task', { taskId: row.task })} className="link">
            {taskTitle(row.taskName)}
          </Link>
        )}
        {isOfTask || holdsUp(row) === '' ? null : ' · '}
        {holdsUp(row) === '' ? null : t('holdsUp', { what: holdsUp(row) })}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <WaitButtons row={row} isCard isOfTask={isOfTask} />
      </div>
    </>
  )
}

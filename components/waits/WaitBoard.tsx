import { CircleCheck } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useViewStatus } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { taskTitle, waitText } from '@/client/readersWords'
import { HelpLink } from '@/components/help/HelpLink'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { DataTable, ListStates } from '@/components/ui/Table'
import { useList } from '@/components/ui/useList'
import type { WaitRow } from '@/lib/wire'
import { AwaitedCell, WaiterCell } from './cells'
import { graphGroupsOf } from './layout'
import { WaitButtons } from './WaitButtons'
import { WaitGraphView } from './WaitGraph'
import { waiterOf } from './waitList'
import { useHoldsUp, useWhyStuck, waitChipOf } from './waitWords'

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

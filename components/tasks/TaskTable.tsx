import type { ReactNode, RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { taskTitle } from '@/client/readersWords'
import { useActivity } from '@/components/numbers/useActivity'
import { AvatarRow } from '@/components/ui/marks/Avatar'
import { DraftMark } from '@/components/ui/marks/DraftMark'
import { LiveAvatar } from '@/components/ui/marks/presence'
import { TimeText } from '@/components/ui/marks/Time'
import { DataTable, RowLink } from '@/components/ui/Table'
import { formatCost } from '@/lib/format'
import type { OverviewRow } from '@/lib/wire'
import { useTaskHref } from './firstView'
import { StuckCell, TaskChip } from './progress'
import { ariaSort, pressSort, type Sort, type SortName } from './taskList'

type TaskTableProps = {
  rows: readonly OverviewRow[]
  sort: Sort
  onSort: (sort: Sort) => void
  /** The scroller: the whole screen, so that on a phone the table is not squeezed under its head. */
  scroller: RefObject<HTMLElement | null>
}

const ROW_PX = 36
const CARD_PX = 92

export function TaskTable({ rows, sort, onSort, scroller }: TaskTableProps) {
  const t = useTranslations('tasks')
  const activityOf = useActivity('tasks')
  const sorted = (by: SortName) => ({ direction: ariaSort(sort, by), onPress: () => onSort(pressSort(sort, by)) })
  // Cost and members are hidden first, then stage and time.
  return (
    <DataTable
      label={t('title')}
      kind="task"
      rows={rows}
      columns={{
        task: {
          sort: sorted('name'),
          className: 'w-[24%]',
          cell: (row) => (
            <NameLink row={row}>
              <TaskMarks row={row} />
            </NameLink>
          ),
        },
        state: {
          sort: sorted('state'),
          className: 'w-[13%]',
          cell: (row) => (
            <span className="flex min-w-0">
              <StateCell row={row} />
            </span>
          ),
        },
        stuckOn: { sort: sorted('stuck'), className: 'w-[18%]', cell: (row) => <StuckCell row={row} /> },
        stage: {
          sort: sorted('stage'),
          className: 'w-20 text-right @max-[700px]/main:hidden',
          cell: (row) => <StageCell row={row} />,
        },
        who: { className: 'pl-4 @max-[1000px]/main:hidden', cell: (row) => <WhoCell row={row} /> },
        activity: { className: 'w-24 @max-[1200px]/main:hidden', cell: (row) => activityOf(row.task) },
        cost: {
          sort: sorted('cost'),
          className: 'w-20 text-right @max-[850px]/main:hidden',
          cell: (row) => formatCost(row.costUsd),
        },
        when: {
          sort: sorted('when'),
          className: 'w-38 pr-5 text-right @max-[600px]/main:hidden',
          cell: (row) => <TimeText at={row.endedAt ?? row.createdAt} />,
        },
      }}
      headOf={(name) => t(`column.${name}`)}
      idOf={({ id }) => id}
      stateOf={({ state }) => state}
      card={(row) => <Card row={row} />}
      window={{ scroller, rowHeight: ROW_PX, cardHeight: CARD_PX }}
    />
  )
}

function NameLink({ row, children }: { row: OverviewRow; children?: ReactNode }) {
  const hrefOf = useTaskHref()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <RowLink href={hrefOf(row.task)} title={row.intention}>
        {taskTitle(row.name)}
      </RowLink>
      {children}
    </span>
  )
}

function Card({ row }: { row: OverviewRow }) {
  // What stops it says its state too.
  const isSaid = row.chip !== 'failed' && row.stuck?.kind === row.chip
  return (
    <>
      <NameLink row={row}>
        <span className="grow" />
        <TaskMarks row={row} />
      </NameLink>
      <span className="mt-1 flex min-w-0 items-center gap-3 whitespace-nowrap text-t2">
        {isSaid ? <StuckCell row={row} /> : <StateCell row={row} />}
        <span className="grow" />
        {row.stage === null || row.base ? null : <StageCell row={row} />}
        {row.costUsd === null ? null : formatCost(row.costUsd)}
        <TimeText at={row.endedAt ?? row.createdAt} className="text-meta text-t3" />
      </span>
      {row.stuck === null || isSaid ? null : (
        <span className="mt-1 flex min-w-0">
          <StuckCell row={row} />
        </span>
      )}
    </>
  )
}

/** The next column shows for whom it waits. */
const StateCell = ({ row }: { row: OverviewRow }) => <TaskChip row={row} isPlain className="max-w-full" />

function StageCell({ row }: { row: OverviewRow }) {
  const t = useTranslations('tasks')
  if (row.stage === null || row.base) return <>—</>
  return (
    <span title={row.stage.intention}>
      {t('stageOf', { number: String(row.stage.number), count: String(row.stage.of) })}
    </span>
  )
}

const WhoCell = ({ row }: { row: OverviewRow }) => (
  <AvatarRow
    people={[...row.members].sort((a, b) => Number(a.kind === 'human') - Number(b.kind === 'human'))}
    size={20}
    max={5}
    Face={LiveAvatar}
  />
)

/** Marks after the name: an unsent draft, what needs me. */
function TaskMarks({ row }: { row: OverviewRow }) {
  const t = useTranslations('tasks')
  return (
    <>
      <DraftMark place={`task:${row.task}`} />
      {row.mine > 0 ? (
        <span
          title={t('mine', { count: row.mine })}
          className="shrink-0 rounded-control bg-accent-soft px-1.5 text-meta font-medium text-accent"
        >
          {t('mine', { count: row.mine })}
        </span>
      ) : null}
    </>
  )
}

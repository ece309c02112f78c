/**
 * The table “Tasks”: one windowed row per task, a link each; on a phone the rows are cards.
 *
 * Owns: columns, sort headers, moving between rows by keys. Not here: which rows (taskList.ts), what a cell says (TaskCells.tsx).
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useRowKeys } from '@/components/shell/useRowKeys'
import { cx } from '@/components/ui/cx'
import { TimeText } from '@/components/ui/Time'
import type { OverviewRow } from '@/lib/wire'
import { CostCell, Marks, StageCell, StateCell, StuckCell, WhoCell } from './TaskCells'
import { ariaSort, pressSort, type Sort, type SortName } from './taskList'

export type TaskTableProps = {
  rows: readonly OverviewRow[]
  /** My id: a wait on me says "you". */
  me: string
  sort: Sort
  onSort: (sort: Sort) => void
  isNarrow: boolean
  /** What scrolls: the whole screen, so that on a phone the table is not squeezed under its head. */
  scroller: RefObject<HTMLElement | null>
}

type Column = {
  key: string
  word: 'task' | 'state' | 'stuckOn' | 'stage' | 'who' | 'cost' | 'when'
  sort: SortName | null
  className: string
}
/** The narrower main is, the fewer: cost and who give way first, then stage and when. */
const COLUMNS: readonly Column[] = [
  { key: 'name', word: 'task', sort: 'name', className: 'w-[26%] pl-5' },
  { key: 'state', word: 'state', sort: 'state', className: 'w-[17%]' },
  { key: 'stuck', word: 'stuckOn', sort: 'stuck', className: 'w-[20%]' },
  { key: 'stage', word: 'stage', sort: 'stage', className: 'w-20 text-right @max-[700px]/main:hidden' },
  { key: 'who', word: 'who', sort: null, className: 'pl-4 @max-[1000px]/main:hidden' },
  { key: 'cost', word: 'cost', sort: 'cost', className: 'w-20 text-right @max-[850px]/main:hidden' },
  { key: 'when', word: 'when', sort: 'when', className: 'w-28 pr-5 text-right @max-[600px]/main:hidden' },
]

export function TaskTable({ rows, me, sort, onSort, isNarrow, scroller }: TaskTableProps) {
  const t = useTranslations()
  const { table, onKeyDown } = useRowKeys(
    { next: t('tasks.nextRow'), previous: t('tasks.previousRow') },
    rows.length === 0,
  )
  const [above, setAbove] = useState(0)
  // Joins the drawn layout: how far the table stands below the top of what scrolls.
  useLayoutEffect(() => setAbove(table.current?.offsetTop ?? 0))
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? 92 : 36),
    overscan: 10,
    scrollMargin: above,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? above) - above
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? above) - above)

  const columns = isNarrow ? COLUMNS.slice(0, 1) : COLUMNS
  return (
    <table
      ref={table}
      onKeyDown={onKeyDown}
      aria-label={t('tasks.title')}
      aria-rowcount={rows.length + 1}
      className="w-full table-fixed border-collapse text-table"
    >
      <thead className={isNarrow ? 'sr-only' : 'sticky top-0 z-sticky bg-s1'}>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        <Spacer height={before} span={columns.length} />
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <tr
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              aria-rowindex={item.index + 2}
              data-id={row.id}
              data-kind="task"
              data-state={row.state}
              className="relative h-row border-b border-line hover:bg-hover"
            >
              {isNarrow ? <Card row={row} me={me} /> : <Cells row={row} me={me} />}
            </tr>
          )
        })}
        <Spacer height={after} span={columns.length} />
      </tbody>
    </table>
  )
}

/** Room for the rows that are not drawn. */
const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden>
      <td colSpan={span} style={{ height }} />
    </tr>
  ) : null

function HeadCell({ column, sort, onSort }: { column: Column; sort: Sort; onSort: (sort: Sort) => void }) {
  const t = useTranslations('tasks')
  const { sort: by } = column
  const className = cx('h-8 border-b border-line pr-3 text-left text-meta font-medium text-t3', column.className)
  if (by === null) {
    return (
      <th scope="col" className={className}>
        {t(`column.${column.word}`)}
      </th>
    )
  }
  const direction = ariaSort(sort, by)
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <th scope="col" aria-sort={direction} className={className}>
      <button
        type="button"
        onClick={() => onSort(pressSort(sort, by))}
        className="inline-flex h-7 items-center gap-1 rounded-control hover:text-t1"
      >
        {t(`column.${column.word}`)}
        {direction === 'none' ? null : <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  )
}

/** The name as a link whose target is the whole row. */
function NameLink({ row, children }: { row: OverviewRow; children?: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        data-row
        href={pathTo('task', { taskId: row.task })}
        title={row.intention}
        className="cut font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
      >
        {row.name}
      </Link>
      {children}
    </span>
  )
}

function Cells({ row, me }: { row: OverviewRow; me: string }) {
  const contents: Record<Column['key'], ReactNode> = {
    name: (
      <NameLink row={row}>
        <Marks row={row} />
      </NameLink>
    ),
    state: (
      <span className="flex min-w-0">
        <StateCell row={row} />
      </span>
    ),
    stuck: <StuckCell row={row} me={me} />,
    stage: <StageCell row={row} />,
    who: <WhoCell row={row} />,
    cost: <CostCell row={row} />,
    when: <TimeText at={row.endedAt ?? row.createdAt} />,
  }
  return COLUMNS.map((column) => (
    <td
      key={column.key}
      className={cx(
        'h-row overflow-hidden pr-3 whitespace-nowrap',
        column.key === 'name' ? '' : 'text-t2',
        column.className,
      )}
    >
      {contents[column.key]}
    </td>
  ))
}

function Card({ row, me }: { row: OverviewRow; me: string }) {
  return (
    <td className="px-4 py-3">
      <NameLink row={row}>
        <span className="grow" />
        <Marks row={row} />
      </NameLink>
      <span className="mt-1 flex min-w-0 items-center gap-3 text-t2">
        <StateCell row={row} />
        <span className="grow" />
        {row.stage === null || row.base ? null : <StageCell row={row} />}
        {row.costUsd === null ? null : <CostCell row={row} />}
        <TimeText at={row.endedAt ?? row.createdAt} className="text-meta text-t3" />
      </span>
      {row.stuck === null ? null : (
        <span className="mt-1 flex min-w-0">
          <StuckCell row={row} me={me} />
        </span>
      )}
    </td>
  )
}

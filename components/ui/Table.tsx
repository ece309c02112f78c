/** The table of records: named columns, a link in each row, keys to move between rows; on a phone each row is a card. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useAction } from '@/client/actions/keyboard'
import { Link, type LinkProps } from '@/client/nav'
import { rowSeq } from '@/client/views/rowSeq'
import { Button } from './Button'
import { cx } from './cx'
import { Loading } from './States'
import { useIsNarrow } from './useIsNarrow'

/** The first column holds the row's link: a RowLink, or any link marked `data-row`. */
export type Column<Row> = {
  /** Over it, where its name does not say it. */
  head?: string
  /** Only read out: a column of buttons, which name themselves. */
  isHeadHidden?: boolean
  /** For sortable columns: the current order, and what a press of the head does. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onPress: () => void }
  /** Its width, and the width of main from which it is shown. */
  className?: string
  cell: (row: Row) => ReactNode
}

type NamedColumn<Row> = Column<Row> & { name: string; head: string }

export type TableProps<Row, Name extends string = string> = {
  label: string
  /** `data-kind` of its rows. */
  kind: string
  rows: readonly Row[]
  /** In this order; null: left out. */
  columns: Record<Name, Column<Row> | null>
  headOf: (name: Name) => string
  idOf: (row: Row) => string
  /** `data-state`: the raw value of the record. */
  stateOf: (row: Row) => string
  /** A row on a phone; without it the cells are stacked, each with the column's name. */
  card?: (row: Row) => ReactNode
  /** framed: among other content. Otherwise the table is the page: its head stays in view. */
  isFramed?: boolean
  /** Another table of the page has the keys `j` and `k`. */
  isSecond?: boolean
  total?: number
  more?: { label: string; onPress: () => void } | null
  /** Draw only what is in view of this scroller. Estimated heights in px. */
  window?: { scroller: RefObject<HTMLElement | null>; rowHeight: number; cardHeight: number }
}

type RowFrame<Row> = Pick<TableProps<Row>, 'kind' | 'rows' | 'idOf' | 'stateOf' | 'card' | 'isFramed'> & {
  columns: readonly NamedColumn<Row>[]
  isNarrow: boolean
}

export function DataTable<Row, Name extends string>(props: TableProps<Row, Name>) {
  const { label, rows, headOf, isFramed = false, isSecond = false, total, more, window } = props
  const isNarrow = useIsNarrow()
  const { table, onKeyDown } = useRowKeys(rows.length > 0 && !isSecond)
  const columns = (Object.keys(props.columns) as Name[]).flatMap((name): NamedColumn<Row>[] => {
    const column = props.columns[name]
    return column === null ? [] : [{ name, head: headOf(name), ...column }]
  })
  const heads = isNarrow ? columns.slice(0, 1) : columns
  const frame: RowFrame<Row> = { ...props, columns, isNarrow }
  return (
    <>
      <table
        ref={table}
        onKeyDown={onKeyDown}
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        className={cx('w-full table-fixed border-collapse text-table', isFramed && 'border-y border-line')}
      >
        <thead className={isNarrow ? 'sr-only' : isFramed ? undefined : 'sticky top-0 z-sticky bg-s1'}>
          <tr aria-rowindex={1}>
            {heads.map((column) => (
              <Head key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {window ? (
            // Heights measured as cards do not count for rows.
            <RowsInView key={isNarrow ? 'cards' : 'rows'} frame={frame} window={window} table={table} />
          ) : (
            rows.map((row, at) => <TableRow key={props.idOf(row)} frame={frame} row={row} at={at} />)
          )}
        </tbody>
      </table>
      {more ? (
        <div className="px-5 py-3 max-md:px-4">
          <Button onClick={more.onPress}>{more.label}</Button>
        </div>
      ) : null}
    </>
  )
}

function Head<Row>({ column: { head, isHeadHidden, sort, className } }: { column: NamedColumn<Row> }) {
  const look = cx('h-8 border-b border-line pr-3 text-left text-meta font-medium text-t3 first:pl-5', className)
  if (!sort) {
    return (
      <th scope="col" className={look}>
        {isHeadHidden ? <span className="sr-only">{head}</span> : head}
      </th>
    )
  }
  const Arrow = sort.direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <th scope="col" aria-sort={sort.direction} className={look}>
      <button
        type="button"
        onClick={sort.onPress}
        className="inline-flex h-7 items-center gap-1 rounded-control hover:text-t1"
      >
        {head}
        {sort.direction === 'none' ? null : <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  )
}

function TableRow<Row>({
  frame: { kind, columns, idOf, stateOf, card, isFramed, isNarrow },
  row,
  at,
  measured,
}: {
  frame: RowFrame<Row>
  row: Row
  at: number
  measured?: (element: HTMLTableRowElement | null) => void
}) {
  return (
    <tr
      ref={measured}
      data-index={at}
      aria-rowindex={at + 2}
      data-id={idOf(row)}
      data-kind={kind}
      data-state={stateOf(row)}
      data-seq={rowSeq(row)}
      className="relative h-row border-b border-line hover:bg-hover"
    >
      {isNarrow ? (
        <td className="px-4 py-3">{card ? card(row) : <CellsBelow columns={columns} row={row} />}</td>
      ) : (
        columns.map(({ name, cell, className }, place) => (
          <td
            key={name}
            className={cx(
              'h-row overflow-hidden pr-3 whitespace-nowrap first:pl-5',
              isFramed && 'py-1',
              place > 0 && 'text-t2',
              className,
            )}
          >
            {cell(row)}
          </td>
        ))
      )}
    </tr>
  )
}

/** The first cell, and the others under it with the names of their columns. */
function CellsBelow<Row>({ columns: [first, ...others], row }: { columns: readonly NamedColumn<Row>[]; row: Row }) {
  return (
    <>
      {first?.cell(row)}
      <dl className="mt-1.5 grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-t2">
        {others.map(({ name, head, isHeadHidden, cell }) => (
          <div key={name} className="contents">
            <dt className={isHeadHidden ? 'sr-only' : 'text-t3'}>{head}</dt>
            <dd className={cx('min-w-0 break-words', isHeadHidden && 'col-span-2')}>{cell(row)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function RowsInView<Row>({
  frame,
  window: { scroller, rowHeight, cardHeight },
  table,
}: {
  frame: RowFrame<Row>
  window: NonNullable<TableProps<Row>['window']>
  table: RefObject<HTMLTableElement | null>
}) {
  const { rows, idOf, isNarrow, columns } = frame
  const [above, setAbove] = useState(0)
  // Joins the layout: the distance from the table to the top of the scroller.
  useLayoutEffect(() => setAbove(table.current?.offsetTop ?? 0))
  const [, setMounted] = useState(false)
  // The scroller is an ancestor, so it exists only after both are mounted: then the rows are drawn.
  useLayoutEffect(() => setMounted(true), [])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? cardHeight : rowHeight),
    overscan: 10,
    scrollMargin: above,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : idOf(row)
    },
  })
  const items = virtualizer.getVirtualItems()
  const span = isNarrow ? 1 : columns.length
  return (
    <>
      <Spacer height={(items[0]?.start ?? above) - above} span={span} />
      {items.map((item) => {
        const row = rows[item.index]
        return row === undefined ? null : (
          <TableRow key={item.key} frame={frame} row={row} at={item.index} measured={virtualizer.measureElement} />
        )
      })}
      <Spacer height={virtualizer.getTotalSize() - ((items.at(-1)?.end ?? above) - above)} span={span} />
    </>
  )
}

/** Space of the rows that are not drawn. */
const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden>
      <td colSpan={span} style={{ height }} />
    </tr>
  ) : null

/** The name of a row as a link whose target is the whole row. */
export const RowLink = (props: Omit<LinkProps, 'className'>) => (
  <Link
    {...props}
    data-row
    className={cx(
      'cut font-medium after:absolute after:inset-0 focus-visible:outline-none',
      'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2',
      'focus-visible:after:outline-focus',
    )}
  />
)

type ListStatesProps = {
  status: 'loading' | 'open' | 'closed'
  broken: ReactNode
  /** Null while there are rows. */
  empty: ReactNode
  children: ReactNode
}

/** A list that is loading, broken, or empty; otherwise its rows. */
export function ListStates({ status, broken, empty, children }: ListStatesProps) {
  if (status === 'loading') return <Loading lines={8} />
  return status === 'closed' ? broken : (empty ?? children)
}

/**
 * in      isOn: there are rows, and no other table of the page has the two letters
 * out     the table's ref and its handler
 */
function useRowKeys(isOn: boolean): {
  table: RefObject<HTMLTableElement | null>
  onKeyDown: (event: KeyboardEvent) => void
} {
  const table = useRef<HTMLTableElement>(null)
  const move = (step: 1 | -1): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  }
  useAction('nextRow', 'table', { run: isOn ? () => move(1) : null })
  useAction('previousRow', 'table', { run: isOn ? () => move(-1) : null })
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    // Keys pressed in a dialog bubble through React to here.
    if (step === null || !(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return
    event.preventDefault()
    move(step)
  }
  return { table, onKeyDown }
}

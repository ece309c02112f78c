/** The columns of the tree: one entry makes the head, the cells and the grid's tracks at every width. */
// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import { type ComponentType, type CSSProperties, memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import { formatCost, formatTokens } from '@/lib/format'
import { isAtMost, ROOMS, type Room } from './room'
import { TreeBar } from './TreeBar'
import { type CellProps, NAME_CELL, NameCell, TimeSpent, TreeStateCell } from './TreeCells'

/** `head`: its word, under `tree` in messages. */
type TreeColumn = {
  head: 'nameColumn' | 'state' | 'when' | 'time' | 'tokens' | 'cost'
  /** Its track in the widest tree. */
  track: string
  /** Its track from a step downwards; null: it is hidden. */
  narrower?: Partial<Record<NonNullable<Room>, string | null>>
  headClass: string
  cellClass: string
  /** A picture of what another column says: it is for the eye only. */
  isPicture?: true
  Cell: ComponentType<CellProps>
}

const NUMBER = { headClass: 'text-right', cellClass: 'text-right text-meta text-t2' }

const COLUMNS: readonly TreeColumn[] = [
  // The name takes room first, up to a width that keeps the state beside it; state and bar take what is left over.
  {
    head: 'nameColumn',
    track: 'minmax(0,28rem)',
    narrower: { 480: 'minmax(0,1fr)' },
    headClass: 'pl-5',
    cellClass: NAME_CELL,
    Cell: NameCell,
  },
  {
    head: 'state',
    track: 'minmax(7.5rem,1fr)',
    narrower: { 480: 'auto' },
    headClass: '',
    cellClass: 'flex min-w-0 items-center gap-[5px]',
    Cell: TreeStateCell,
  },
  {
    head: 'when',
    track: 'minmax(8rem,1fr)',
    narrower: { 800: null },
    headClass: '',
    cellClass: 'min-w-0',
    isPicture: true,
    Cell: TreeBar,
  },
  {
    head: 'time',
    track: '4rem',
    narrower: { 800: '3.5rem', 480: 'minmax(3.25rem,auto)' },
    ...NUMBER,
    Cell: TimeSpent,
  },
  {
    head: 'tokens',
    track: '3rem',
    narrower: { 640: null },
    ...NUMBER,
    Cell: ({ node }) => formatTokens(node.tokens, useLocale()),
  },
  {
    head: 'cost',
    track: '3.5rem',
    narrower: { 560: null },
    ...NUMBER,
    Cell: ({ node }) => formatCost(node.costUsd),
  },
]
export const COLUMN_COUNT = COLUMNS.filter(({ isPicture }) => !isPicture).length

/** in: room: null is the widest tree. out: the column's track; null: hidden */
function trackAt({ track, narrower = {} }: TreeColumn, room: Room): string | null {
  const passed = ROOMS.filter((step) => isAtMost(room, step))
  return passed.reduce<string | null>((before, one) => (narrower[one] === undefined ? before : narrower[one]), track)
}
const columnsAt = (room: Room): readonly TreeColumn[] => COLUMNS.filter((column) => trackAt(column, room) !== null)

/** A row of the grid; its tracks come from the treegrid around it. */
export const COLUMNS_CLASS = 'grid grid-cols-(--tracks) items-center gap-x-2'

/** Of the treegrid: tracks and indents of its rows. */
export const treegridStyle = (room: Room, isCompact: boolean): CSSProperties => ({
  ['--tracks' as string]: columnsAt(room)
    .map((column) => trackAt(column, room))
    .join(' '),
  ['--indent' as string]: isCompact || isAtMost(room, 480) ? '.8125rem' : '1.125rem',
})

export const TreeHead = memo(function TreeHead({ room }: { room: Room }) {
  const t = useTranslations('tree')
  if (isAtMost(room, 480)) return null
  return (
    <div
      role="row"
      className={cx(
        COLUMNS_CLASS,
        'h-7 shrink-0 overflow-hidden border-b border-line pr-5 pl-3 text-meta text-t3 [scrollbar-gutter:stable]',
      )}
    >
      {columnsAt(room).map((column) => (
        <span
          key={column.head}
          role={column.isPicture ? 'presentation' : 'columnheader'}
          aria-hidden={column.isPicture}
          className={column.headClass}
        >
          {t(column.head)}
        </span>
      ))}
    </div>
  )
})

/** The cells of one line; a row of older steps has its name alone. */
export const WideCells = (props: CellProps) =>
  columnsAt(props.room)
    .slice(0, props.node.kind === 'older' ? 1 : undefined)
    .map((column) => (
      <span
        key={column.head}
        role={column.isPicture ? 'presentation' : 'gridcell'}
        tabIndex={column.isPicture ? undefined : -1}
        className={column.cellClass}
      >
        <column.Cell {...props} />
      </span>
    ))

/** The columns of the tree: one entry makes the head, the cells and the grid's tracks at every width. */
// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import type { ComponentType, CSSProperties } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import { formatCost, formatTokens } from '@/lib/format'
import { type CellProps, NAME_CELL, NameCell, Passed, TreeStateCell } from './TreeCells'

/** Where tracks change: the tree is so many pixels wide, or less. */
const STEPS = [640, 560, 480] as const
type Step = (typeof STEPS)[number]

/** `head`: its word, under `tree` in messages. */
type TreeColumn = {
  head: 'nameColumn' | 'state' | 'time' | 'tokens' | 'cost'
  /** Its track in the widest tree. */
  track: string
  /** Its track from a step downwards; null: it is hidden. */
  narrower?: Partial<Record<Step, string | null>>
  headClass: string
  cellClass: string
  Cell: ComponentType<CellProps>
}

const NUMBER = { headClass: 'text-right', cellClass: 'text-right text-meta text-t2' }

const COLUMNS: readonly TreeColumn[] = [
  { head: 'nameColumn', track: 'minmax(0,1fr)', headClass: 'pl-5', cellClass: NAME_CELL, Cell: NameCell },
  {
    head: 'state',
    track: '11.5rem',
    narrower: { 640: '10.5rem', 560: '9.5rem', 480: 'auto' },
    headClass: '',
    cellClass: 'flex min-w-0 items-center gap-[5px]',
    Cell: TreeStateCell,
  },
  { head: 'time', track: '4.75rem', narrower: { 480: 'minmax(3.25rem,auto)' }, ...NUMBER, Cell: Passed },
  {
    head: 'tokens',
    track: '3.25rem',
    narrower: { 640: null },
    ...NUMBER,
    Cell: ({ node }) => formatTokens(node.tokens, useLocale()),
  },
  {
    head: 'cost',
    track: '3.75rem',
    narrower: { 560: null },
    ...NUMBER,
    Cell: ({ node }) => formatCost(node.costUsd, useLocale()),
  },
]
export const COLUMN_COUNT = COLUMNS.length

/** in: step: null is the widest tree. out: the column's track; null: hidden */
function trackAt({ track, narrower = {} }: TreeColumn, step: Step | null): string | null {
  const passed = STEPS.filter((one) => step !== null && one >= step)
  return passed.reduce<string | null>((before, one) => (narrower[one] === undefined ? before : narrower[one]), track)
}
const tracksAt = (step: Step | null): string =>
  COLUMNS.map((column) => trackAt(column, step))
    .filter((track) => track !== null)
    .join(' ')

/** A row of the grid: its class, and the tracks that the class takes. */
export const COLUMNS_CLASS = cx(
  'grid grid-cols-(--tracks) items-center gap-x-3 @max-[640px]/tree:grid-cols-(--tracks-640)',
  '@max-[560px]/tree:grid-cols-(--tracks-560) @max-[480px]/tree:grid-cols-(--tracks-480)',
)
export const COLUMNS_STYLE: CSSProperties = {
  ['--tracks' as string]: tracksAt(null),
  ...Object.fromEntries(STEPS.map((step) => [`--tracks-${step}`, tracksAt(step)])),
}

const HIDDEN: Record<Step, string> = {
  640: '@max-[640px]/tree:hidden',
  560: '@max-[560px]/tree:hidden',
  480: '@max-[480px]/tree:hidden',
}
const hiddenClass = (column: TreeColumn): string | undefined => {
  const step = STEPS.find((one) => trackAt(column, one) === null)
  return step && HIDDEN[step]
}

export function TreeHead() {
  const t = useTranslations('tree')
  return (
    <div
      role="row"
      style={COLUMNS_STYLE}
      className={cx(
        COLUMNS_CLASS,
        'h-7 shrink-0 overflow-hidden border-b border-line pr-5 pl-3 text-meta text-t3 [scrollbar-gutter:stable] @max-[480px]/tree:hidden',
      )}
    >
      {COLUMNS.map((column) => (
        <span key={column.head} role="columnheader" className={cx(column.headClass, hiddenClass(column))}>
          {t(column.head)}
        </span>
      ))}
    </div>
  )
}

/** The cells of one line; a row of older steps has its name alone. */
export const WideCells = (props: CellProps) =>
  COLUMNS.slice(0, props.node.kind === 'older' ? 1 : undefined).map((column) => (
    <span key={column.head} role="gridcell" tabIndex={-1} className={cx(column.cellClass, hiddenClass(column))}>
      <column.Cell {...props} />
    </span>
  ))

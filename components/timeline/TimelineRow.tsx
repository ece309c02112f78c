// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import { ChevronDown, ChevronRight, CircleHelp } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { shallow } from 'zustand/shallow'
import { useNow } from '@/client/clock'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { Elapsed, useTimeStyle } from '@/components/ui/marks/Time'
import { formatDuration, formatSeconds } from '@/lib/format'
import type { TimelineBar, TimelineLane } from '@/lib/wire/rows'
import { Marks } from './Marks'
import { type BarSpan, openWait, spanOf } from './model/barTimes'
import type { RowModel } from './model/rows'
import { useBarTitle, useRowNames } from './rowWords'
import { CELLS_CLASS } from './timelineColumns'

type TimelineRowProps = {
  id: string
  row: RowModel
  /** Its place, from 0. */
  index: number
  /** It stays at the top while the bars below it scroll. */
  isPinned: boolean
  isCurrent: boolean
  isSelected: boolean
  /** Without the times. */
  isNarrow: boolean
  height: number
  onPress: (index: number) => void
  onTurn: (agent: string, isOpen: boolean) => void
  onFocus: (key: string) => void
}

/** A row of the same member is another object with each change of it. */
function isSameRow(a: RowModel, b: RowModel): boolean {
  if (a.key !== b.key || a.lane.who.name !== b.lane.who.name) return false
  if (a.kind === 'lane') return b.kind === 'lane' && a.lane === b.lane && a.isOpen === b.isOpen
  return b.kind === 'bar' && a.bar === b.bar
}
const isSameDrawn = ({ row, ...rest }: TimelineRowProps, { row: other, ...others }: TimelineRowProps): boolean =>
  isSameRow(row, other) && shallow(rest, others)

/** Drawn again only when its own row changes: what time moves is placed by BarCanvas. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { id, row, index, isPinned, isCurrent, isSelected, isNarrow, height, onPress, onTurn, onFocus } = props
  const t = useTranslations('common')
  const { laneName, barName } = useRowNames()
  const isOpenEnded =
    row.kind === 'lane' ? row.lane.waitingSince !== null : row.bar !== null && spanOf(row.bar)?.to === null
  const now = useNow(isOpenEnded ? 'minutes' : null)
  const name =
    row.kind === 'lane' ? laneName(row.lane, now) : row.bar === null ? t('loading') : barName(row.bar, row.lane, now)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid around it has the keys.
    <div
      id={id}
      role="row"
      aria-label={name}
      aria-level={row.kind === 'lane' ? 1 : 2}
      aria-rowindex={index + 1}
      aria-expanded={row.kind === 'lane' && row.lane.bars > 0 ? row.isOpen : undefined}
      aria-selected={isSelected}
      aria-busy={(row.kind === 'bar' && row.bar === null) || undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-key={row.key}
      data-id={row.kind === 'lane' ? row.lane.agent : row.bar?.id}
      data-kind={row.kind}
      data-state={row.kind === 'lane' ? row.lane.chip : row.bar?.chip}
      data-pinned={isPinned ? '' : undefined}
      style={{ height, ...(isPinned ? { top: 0 } : { transform: `translateY(${index * height}px)` }) }}
      onClick={() => onPress(index)}
      onFocus={() => onFocus(row.key)}
      className={cx(
        'group cursor-pointer text-table whitespace-nowrap contain-layout contain-paint contain-size',
        'focus-visible:-outline-offset-2',
        isPinned ? 'sticky z-sticky border-b border-line bg-bg' : 'absolute inset-x-0 top-0',
        isSelected && 'before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent',
        'hover:bg-t1/5',
      )}
    >
      <span
        role="presentation"
        className={cx(
          CELLS_CLASS,
          'relative h-full border-r border-line',
          isSelected ? 'bg-sel' : row.kind === 'lane' && 'bg-bg',
        )}
      >
        {row.kind === 'lane' ? (
          <LaneCells lane={row.lane} isOpen={row.isOpen} isNarrow={isNarrow} onTurn={onTurn} />
        ) : row.bar === null ? (
          <Cell className="pl-10 text-t3">…</Cell>
        ) : (
          <BarCells bar={row.bar} isNarrow={isNarrow} />
        )}
      </span>
      {row.kind === 'bar' && row.bar !== null ? <Marks bar={row.bar} isSelected={isSelected} /> : null}
    </div>
  )
}, isSameDrawn)

const Cell = ({ className, children }: { className: string; children: ReactNode }) => (
  <span role="gridcell" tabIndex={-1} className={className}>
    {children}
  </span>
)

type LaneCellsProps = Pick<TimelineRowProps, 'isNarrow' | 'onTurn'> & { lane: TimelineLane; isOpen: boolean }

function LaneCells({ lane, isOpen, isNarrow, onTurn }: LaneCellsProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  const from = lane.from ?? lane.waitingSince
  return (
    <>
      <Cell className={cx('flex min-w-0 items-center gap-1.5', isNarrow ? 'pl-1.5' : 'pl-4')}>
        {lane.bars === 0 ? (
          <span className="size-3.5 shrink-0" />
        ) : (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Space on the row does the same.
          // biome-ignore lint/a11y/noStaticElementInteractions: a second target for the pointer only.
          <span
            data-twisty
            className="relative grid size-3.5 shrink-0 place-items-center text-t3 after:absolute after:-inset-2"
            onClick={(event) => {
              event.stopPropagation()
              onTurn(lane.agent, !isOpen)
            }}
          >
            <Icon aria-hidden className="size-3.5" />
          </span>
        )}
        <Avatar who={lane.who} size={20} />
        <span title={lane.who.name} className="cut font-medium">
          {lane.who.name}
        </span>
      </Cell>
      {isNarrow ? null : (
        <TimeCells span={from === null ? null : { from, to: lane.to }} since={from} isIdle={isAtRest(lane)} />
      )}
    </>
  )
}

/** Nothing goes on in this lane. */
const isAtRest = ({ to, running, waitingSince }: TimelineLane): boolean =>
  to === null && running === null && waitingSince === null

function BarCells({ bar, isNarrow }: { bar: TimelineBar; isNarrow: boolean }) {
  const titleOf = useBarTitle()
  const title = titleOf(bar)
  return (
    <>
      <Cell className={cx('flex min-w-0 items-center gap-1.5', isNarrow ? 'pl-3' : 'pl-9')}>
        {bar.kind === 'request' ? (
          <CircleHelp aria-hidden className="size-3.5 text-t3" />
        ) : (
          <StepIcon
            skill={bar.byHand ? 'by_hand' : bar.stepType === 'tool' ? 'tool' : (bar.executor ?? '')}
            className="size-3.5 text-t3"
          />
        )}
        <span title={bar.executor === null ? title : `${bar.executor} · ${title}`} className="cut">
          {title}
        </span>
      </Cell>
      {isNarrow ? null : (
        <TimeCells span={spanOf(bar)} since={openWait(bar)?.from ?? bar.from} isIdle={bar.chip === 'idle'} />
      )}
    </>
  )
}

/** When it began and how long it took; since: from when what goes on counts. */
function TimeCells({ span, since, isIdle }: { span: BarSpan | null; since: number | null; isIdle: boolean }) {
  const locale = useLocale()
  const how = useTimeStyle()
  const number = 'text-right text-meta text-t2'
  return (
    <>
      <Cell className={number}>{formatSeconds(span?.from ?? null, how)}</Cell>
      <Cell className={number}>
        {span !== null && span.to === null && since !== null && !isIdle ? (
          <Elapsed since={since} />
        ) : (
          formatDuration(span !== null && span.to !== null ? span.to - span.from : null, locale)
        )}
      </Cell>
    </>
  )
}

// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one in a window cannot be rows of a table.
import { useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import { Link, pathTo } from '@/client/nav'
import { useLineSize } from '@/components/tree/useLineSize'
import { useWidth } from '@/components/ui/hooks/useWidth'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { minutesOfDay } from '@/lib/format'
import type { TimelineTotals } from '@/lib/wire/rows'
import { BarCanvas } from './BarCanvas'
import type { Picture } from './model/drawing'
import { rowAt } from './model/rows'
import { axisMarks } from './model/ticks'
import { TimeAxis, wordsEnd } from './TimeAxis'
import { TimelineRow } from './TimelineRow'
import { type PictureChoice, TimelineToolbar } from './TimelineToolbar'
import { columnCount, gridStyle, isNarrowAt, TimelineHead } from './timelineColumns'
import { useGestures } from './useGestures'
import { useSelectedStep, useTimelineActs } from './useTimelineActs'
import { type TimelineData, useOlderBars, useSoughtBars } from './useTimelineData'
import { useTimelineFocus } from './useTimelineFocus'
import { useTimeView } from './useTimeView'

type TimelineProps = { taskId: string; data: TimelineData; totals: TimelineTotals }

export function Timeline({ taskId, data, totals }: TimelineProps) {
  const t = useTranslations('timeline')
  const { rows, turn } = data
  const [shown, setShown] = useState<PictureChoice>({ isSqueezed: true, isPathShown: true })
  const { probe, height, room } = useLineSize()
  const focus = useTimelineFocus(rows, height)
  const { first, count, drawn, rowWindow } = focus
  const selected = useSelectedStep()
  const older = useOlderBars(taskId, rows, first, count)
  const sought = useSoughtBars(taskId, rows, selected)
  const pages = useMemo(() => [...older, ...sought], [older, sought])
  const head = useRef<HTMLDivElement>(null)
  const width = useWidth(head)
  const view = useTimeView(rows, totals, width, shown.isSqueezed)
  const { press, onKeyDown } = useTimelineActs(data, pages, focus, view, height, selected)
  useGestures(rowWindow.scroller, head, view)
  useAction('follow', 'timeline', { run: view.isOpenEnded ? () => view.setFollowing(!view.isFollowing) : null })
  const marks = axisMarks(view.scale, useAheadMs(totals.from), wordsEnd(view))
  const inWindow = useMemo(
    () => Array.from({ length: count }, (_, at) => rowAt(rows, pages, first + at)).filter((row) => row !== null),
    [rows, pages, first, count],
  )
  const picture: Picture = {
    scale: view.scale,
    marks,
    height,
    now: view.now,
    from: totals.from,
    columnMs: totals.columnMs,
    isPathShown: shown.isPathShown,
    isOpenEnded: view.isOpenEnded,
    selected,
  }
  const group = useRef<HTMLDivElement>(null)
  return (
    <div className="@container/timeline relative flex min-h-0 min-w-0 grow flex-col">
      <TimelineToolbar
        {...shown}
        totals={totals}
        view={view}
        choose={(change) => setShown((before) => ({ ...before, ...change }))}
      />
      <div ref={probe} aria-hidden className="invisible absolute h-7 w-0 touch:h-11" />
      <EarlierSteps taskId={taskId} count={totals.archived} />
      <div
        role="treegrid"
        aria-label={t('name')}
        aria-rowcount={rows.length}
        aria-colcount={columnCount(room)}
        onKeyDown={onKeyDown}
        style={gridStyle(room)}
        className="flex min-h-0 grow flex-col border-t border-line"
      >
        <TimelineHead room={room}>
          <TimeAxis head={head} marks={marks} view={view} />
        </TimelineHead>
        <div ref={rowWindow.scroller} role="presentation" className="page-scroll touch-pan-y [scrollbar-gutter:stable]">
          <div ref={group} role="rowgroup" className="relative isolate" style={{ height: rowWindow.total }}>
            <BarCanvas group={group} rows={inWindow} top={first * height} width={width} picture={picture} />
            {drawn.map((index) => {
              const row = rowAt(rows, pages, index)
              return row === null ? null : (
                <TimelineRow
                  key={row.key}
                  id={focus.elementId(row.key)}
                  row={row}
                  index={index}
                  isPinned={index === focus.pinned}
                  isCurrent={index === focus.current}
                  isSelected={selected !== null && row.kind === 'bar' && row.bar?.id === selected}
                  isNarrow={isNarrowAt(room)}
                  height={height}
                  onPress={press}
                  onTurn={turn}
                  onFocus={focus.setCurrent}
                />
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}

/** How far the reader's clock is ahead of UTC. */
function useAheadMs(at: number): number {
  const { style, zone } = useTimeStyle()
  if (style === 'utc') return 0
  return (minutesOfDay(at, zone) - minutesOfDay(at, 'UTC')) * 60_000
}

/** Steps that have left the live world have no bars. */
function EarlierSteps({ taskId, count }: { taskId: string; count: number }) {
  const t = useTranslations('timeline')
  if (count === 0) return null
  return (
    <p className="shrink-0 px-5 pb-1.5 text-meta text-t3">
      <span role="status">{t('earlier', { count })}</span>{' '}
      <Link className="link" href={pathTo('tree', { taskId })}>
        {t('inTree')}
      </Link>
    </p>
  )
}

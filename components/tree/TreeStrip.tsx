/**
 * The strip at the right of the tree: where in all its steps something failed or waits, and which lines the window shows. A press or
 * a drag scrolls there, and loads the steps that are there; keys have “Next error” and “Next wait”.
 */
import { type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { gapOf } from './model/earlier'
import { lineAt, STRIP_PLACES, stripMarks, stripScale } from './model/strip'
import type { LineWindow } from './useLineWindow'
import type { TreeData } from './useTreeData'

const pathOf = (places: readonly number[]): string => places.map((place) => `M0 ${place + 0.5}h12`).join('')

type TreeStripProps = { data: TreeData; lineWindow: LineWindow; height: number }

/** height: of a line, in pixels */
export function TreeStrip({ data: { lines, earlier, showMore }, lineWindow, height }: TreeStripProps) {
  const scale = useMemo(() => stripScale(lines), [lines])
  const { errors, waits } = useMemo(() => stripMarks(lines, scale, earlier.ruler), [lines, scale, earlier.ruler])
  const { scroller, first, count, room, total, scrollTo } = lineWindow
  /** The step that was pressed, until its page is there. */
  const sought = useRef<{ lane: string; place: number } | null>(null)
  // Joins the scroll position: the step that was pressed is shown once its page is there.
  useEffect(() => {
    const { lane, place } = sought.current ?? { lane: '', place: 0 }
    const page = earlier.pages.find((one) => one.lane === lane && one.from <= place && place < one.to)
    const id = page?.rows[Math.min(place - page.from, page.rows.length - 1)]?.id
    if (id === undefined) return
    sought.current = null
    scrollTo(lines.findIndex(({ node }) => node.id === id))
  }, [earlier.pages, lines, scrollTo])
  if (room === 0 || (total <= room && scale.total <= lines.length)) return null
  const partAt = ({ currentTarget, clientY }: PointerEvent<HTMLDivElement>): number =>
    (clientY - currentTarget.getBoundingClientRect().top) / room
  const go = (event: PointerEvent<HTMLDivElement>): void => {
    const pane = scroller.current
    if (pane === null || event.buttons !== 1) return
    pane.scrollTop = (lineAt(scale, partAt(event)).line + 0.5) * height - room / 2
  }
  const load = (event: PointerEvent<HTMLDivElement>): void => {
    const { line, into } = lineAt(scale, partAt(event))
    const node = lines[line]?.node
    const gap = node && node.kind !== 'task' ? gapOf(node) : null
    if (node && gap) {
      sought.current = { lane: gap.lane, place: gap.from + into }
      void showMore(node.id, gap.from + into)
    }
  }
  const [top, end] = [first, first + count].map((line) => ((scale.starts[line] ?? scale.total) / scale.total) * 100)
  return (
    <div aria-hidden className="sticky top-0 z-sticky h-0">
      <div
        data-strip=""
        style={{ height: room }}
        className="absolute top-0 right-0 w-3 touch-none bg-s3"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={go}
        onPointerUp={load}
      >
        <svg viewBox={`0 0 12 ${STRIP_PLACES}`} preserveAspectRatio="none" className="size-full" aria-hidden>
          <path d={pathOf(waits)} className="stroke-wait-line" strokeWidth={3} />
          <path d={pathOf(errors)} className="stroke-failed" strokeWidth={3} />
        </svg>
        <span
          className="absolute inset-x-0 border-y border-line-strong bg-t1/10"
          style={{ top: `${top}%`, height: `${(end ?? 100) - (top ?? 0)}%` }}
        />
      </div>
    </div>
  )
}

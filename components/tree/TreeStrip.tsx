/**
 * The strip at the right of the tree: where in all its lines something failed or waits, and which lines the window shows. A press
 * or a drag scrolls there; keys have “Next error” and “Next wait”.
 */
import { type PointerEvent, useMemo } from 'react'
import { STRIP_PLACES, stripMarks } from './model/strip'
import type { LineWindow } from './useLineWindow'
import type { TreeData } from './useTreeData'

const pathOf = (places: readonly number[]): string => places.map((place) => `M0 ${place + 0.5}h12`).join('')

export function TreeStrip({ lines, lineWindow }: { lines: TreeData['lines']; lineWindow: LineWindow }) {
  const { errors, waits } = useMemo(() => stripMarks(lines), [lines])
  const { scroller, top, room: height, total } = lineWindow
  if (height === 0 || total <= height) return null
  const go = ({ currentTarget, clientY, buttons }: PointerEvent<HTMLDivElement>): void => {
    const pane = scroller.current
    if (pane === null || buttons !== 1) return
    pane.scrollTop = ((clientY - currentTarget.getBoundingClientRect().top) / height) * total - height / 2
  }
  return (
    <div aria-hidden className="sticky top-0 z-sticky h-0">
      <div
        data-strip=""
        style={{ height }}
        className="absolute top-0 right-0 w-3 touch-none bg-s3"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={go}
      >
        <svg viewBox={`0 0 12 ${STRIP_PLACES}`} preserveAspectRatio="none" className="size-full" aria-hidden>
          <path d={pathOf(waits)} className="stroke-wait-line" strokeWidth={1.5} />
          <path d={pathOf(errors)} className="stroke-failed" strokeWidth={1.5} />
        </svg>
        <span
          className="absolute inset-x-0 border-y border-line-strong bg-t1/10"
          style={{
            top: `${(top / total) * 100}%`,
            height: `${(height / total) * 100}%`,
          }}
        />
      </div>
    </div>
  )
}

/** The edge between two panes, dragged or moved by arrow keys. A lazy file. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import type { PaneSize } from './paneWidth'

const STEP = 16

type PaneEdgeProps = {
  label: string
  size: PaneSize
  width: number
  onWidth: (width: number) => void
}

export default function PaneEdge({ label, size: { min, max, normal, edge }, width, onWidth }: PaneEdgeProps) {
  const grows = edge === 'right' ? 1 : -1
  const began = useRef<{ x: number; width: number } | null>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const next: Partial<Record<string, number>> = {
      ArrowRight: width + STEP * grows,
      ArrowLeft: width - STEP * grows,
      Home: min,
      End: max,
      Enter: normal,
    }
    const to = next[event.key]
    if (to === undefined) return
    event.preventDefault()
    onWidth(to)
  }
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    if (began.current) onWidth(began.current.width + (clientX - began.current.x) * grows)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between paragraphs cannot be moved; this one has a value and takes the focus.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onWidth(normal)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        began.current = { x: event.clientX, width }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        began.current = null
      }}
      className={cx(
        'absolute inset-y-0 z-sticky w-1.5 cursor-col-resize touch-none hover:bg-line-strong focus-visible:bg-focus max-xl:hidden',
        edge === 'right' ? 'right-0' : 'left-0',
      )}
    />
  )
}

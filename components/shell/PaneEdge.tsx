/**
 * The edge between two panes, which can be dragged or moved by arrow keys.
 *
 * Owns: the separator and its keys; the width is kept in this browser for each member. Not here: which panes there are (Frame.tsx).
 */
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { browserStorage, keepFor } from '@/client/keep'
import { cx } from '@/components/ui/cx'

declare module 'react' {
  interface CSSProperties {
    /** The width of a pane, for the style sheet's widths from which it counts. */
    '--pane'?: string
  }
}

/** px at the normal size of text. */
export type PaneSize = { name: string; min: number; max: number; normal: number }
const STEP = 16

/** The width of a pane as this member left it. */
export function usePaneWidth(member: string, { name, min, max, normal }: PaneSize): [number, (width: number) => void] {
  const keep = useMemo(() => keepFor(browserStorage(), 'panes', member), [member])
  const fit = (width: number): number => Math.round(Math.min(max, Math.max(min, width)))
  const [width, setWidth] = useState(() => {
    const kept = keep.read(name)
    return typeof kept === 'number' && Number.isFinite(kept) ? fit(kept) : normal
  })
  return [
    width,
    (next) => {
      setWidth(fit(next))
      keep.write(name, fit(next))
    },
  ]
}

/** `side`: on which side of its pane the edge stands. */
export function PaneEdge({
  label,
  size: { min, max, normal },
  width,
  onWidth,
  side,
}: {
  label: string
  size: PaneSize
  width: number
  onWidth: (width: number) => void
  side: 'left' | 'right'
}) {
  const grows = side === 'right' ? 1 : -1
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
        side === 'right' ? 'right-0' : 'left-0',
      )}
    />
  )
}

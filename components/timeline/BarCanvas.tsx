/** All bars of the window on one canvas below the rows, and the places of the words over them. The rows have the same as text. */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useThemeColours } from '@/components/ui/hooks/useThemeColours'
import { drawingOf, type Label, PAD, type Picture } from './model/drawing'
import type { RowModel } from './model/rows'
import { paint, readColours } from './paint'

type BarCanvasProps = {
  /** The element with the rows, whose words are placed. */
  group: RefObject<HTMLElement | null>
  rows: readonly RowModel[]
  /** px from the first row of all to the first of these. */
  top: number
  width: number
  picture: Picture
}

export function BarCanvas({ group, rows, top, width, picture }: BarCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  const colours = useThemeColours(probe, readColours)
  const height = rows.length * picture.height
  // Joins the canvas and the places of words, before the rows are painted.
  useLayoutEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d') ?? null
    const { shapes, labels } = drawingOf(rows, picture)
    placeLabels(group.current, labels)
    if (element === null || context === null || colours === null) return
    const ratio = window.devicePixelRatio
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)]
    // To set a size clears the canvas, also where it is the same.
    if (element.width !== across) element.width = across
    if (element.height !== down) element.height = down
    paint(context, shapes, colours, { width, height, ratio, row: picture.height, start: PAD.start })
  })
  return (
    <>
      <span ref={probe} aria-hidden className="invisible absolute" />
      <canvas
        ref={canvas}
        aria-hidden
        className="pointer-events-none absolute left-(--list)"
        style={{ top, width, height }}
      />
    </>
  )
}

/** in: labels of bars that have room for one; all other words are hidden */
function placeLabels(group: HTMLElement | null, labels: readonly Label[]): void {
  const byMark = new Map(labels.map((label) => [`${label.key} ${label.mark}`, label]))
  for (const mark of group?.querySelectorAll<HTMLElement>('[data-mark]') ?? []) {
    const key = mark.closest<HTMLElement>('[data-key]')?.dataset.key ?? ''
    const label = byMark.get(`${key} ${mark.dataset.mark ?? ''}`)
    mark.hidden = label === undefined
    if (label === undefined) continue
    mark.toggleAttribute('data-short', label.isShort)
    mark.style.translate = `${label.edge === 'end' ? `calc(${label.x + PAD.start}px - 100%)` : `${label.x + PAD.start}px`}`
    mark.style.maxWidth = `${label.most}px`
  }
}

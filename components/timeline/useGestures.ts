/** Wheel, drag and fingers over the time: Ctrl with the wheel and two fingers zoom, a drag and sideways scrolling move it. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { PAD } from './model/drawing'
import type { TimeView } from './useTimeView'

/** px after which a press is a drag. */
const DRAG_PX = 4
/** Of one line of a wheel that counts lines. */
const LINE_PX = 16
/** px of a wheel with Ctrl for a factor of e. */
const WHEEL_PX = 240

type Finger = { x: number; y: number }
const distance = (a: Finger, b: Finger): number => Math.hypot(a.x - b.x, a.y - b.y)

/** in: area: the part with the rows; left: element as wide as the part with the time, whose left edge is that of the time */
export function useGestures(
  area: RefObject<HTMLElement | null>,
  timeHead: RefObject<HTMLElement | null>,
  { zoom, move }: Pick<TimeView, 'zoom' | 'move'>,
): void {
  const onZoom = useEffectEvent(zoom)
  const onMove = useEffectEvent(move)
  // Joins the pointer: React's own wheel listener could not keep the browser from zooming the page.
  useEffect(() => {
    const element = area.current
    if (element === null) return
    const xIn = (clientX: number): number => clientX - (timeHead.current?.getBoundingClientRect().left ?? 0) - PAD.start
    const fingers = new Map<number, Finger>()
    let isDragging = false
    const onWheel = (event: WheelEvent): void => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
      const isPinch = event.ctrlKey || event.metaKey
      const aside = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
      if (isPinch) onZoom(Math.exp((-event.deltaY * unit) / WHEEL_PX), xIn(event.clientX))
      else if (Math.abs(aside) > Math.abs(event.shiftKey ? 0 : event.deltaY)) onMove(aside * unit)
      else return
      event.preventDefault()
    }
    const onDown = (event: PointerEvent): void => {
      if (event.button !== 0 || xIn(event.clientX) < -PAD.start) return
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (fingers.size === 1) isDragging = false
    }
    const onPointerMove = (event: PointerEvent): void => {
      const before = fingers.get(event.pointerId)
      if (before === undefined) return
      const here = { x: event.clientX, y: event.clientY }
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
      if (!isDragging && other === undefined && Math.abs(here.x - before.x) < DRAG_PX) return
      if (!isDragging) element.setPointerCapture(event.pointerId)
      isDragging = true
      fingers.set(event.pointerId, here)
      if (other === undefined) onMove(before.x - here.x)
      else onZoom(distance(here, other) / Math.max(1, distance(before, other)), xIn((here.x + other.x) / 2))
    }
    const onUp = (event: PointerEvent): void => void fingers.delete(event.pointerId)
    // The click at the end of a drag is none.
    const onClick = (event: MouseEvent): void => {
      if (isDragging) event.stopPropagation()
      isDragging = false
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('pointerdown', onDown)
    element.addEventListener('pointermove', onPointerMove)
    element.addEventListener('pointerup', onUp)
    element.addEventListener('pointercancel', onUp)
    element.addEventListener('click', onClick, true)
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('pointerdown', onDown)
      element.removeEventListener('pointermove', onPointerMove)
      element.removeEventListener('pointerup', onUp)
      element.removeEventListener('pointercancel', onUp)
      element.removeEventListener('click', onClick, true)
    }
  }, [area, timeHead])
}
